#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# With --long: the library and the device under ThreadSanitizer, in a build of their own.
. "$srcdir/conformance/tap/tap.sh"
trap 'rm -f "$output"' EXIT
if [ "$1" != --long ]; then
    skip "data races" "only with --long: it takes a build of its own"
elif ! command -v clang > /dev/null || [ ! -d "$builddir/backend_cuda/kernels" ]; then
    skip "data races" "no clang, or no backend cuda"
else
    ok "no data race" "$srcdir/conformance/house/races" "$srcdir" "$builddir/races" "$builddir/backend_cuda/kernels"
fi
done_testing
