#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# A part of the suite, for make check-quick: the reference against truth, and the GPU kernels against the reference.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent

ok "a thirtieth of the quick range on the reference" "$cotangent" check --backend ref --shard 3/30
if "$cotangent" version | grep -q '^backends:.* cuda'; then
    ok "a part of it on the GPU kernels, bit for bit" "$cotangent" check --backend cuda --against ref --level X \
        --shard 5/300
else
    skip "the GPU kernels" "no PTX compiler"
fi
done_testing
