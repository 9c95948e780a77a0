#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Tests that can fail: the source is broken in one place at a time, and the test that is about it must notice.
# usage: test_mutations.sh [--long]: all of conformance/house/mutations.txt; without it a sample.
mutate="python3 $srcdir/conformance/house/mutate"
if ! command -v python3 > /dev/null; then
    echo "1..0 # SKIP no python3"
    exit 0
fi
# What a tree of another compiler, or with sanitizers, tests is the same tests.
case "${SANITIZE-} ${CC-} $builddir" in *sanitize* | *clang* | */_build/sub)
    echo "1..0 # SKIP the plain build tries its tests by mutations"
    exit 0
    ;;
esac
rule=sample
[ "${1-}" != --long ] || rule=run
exec $mutate $rule "$srcdir" "$builddir"
