#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir, builddir and the tools
# clang makes PTX of the same files, without a toolkit, and it gives the same bits. usage: test_clang.sh [--long]
# --long: for every element type, and the ops with a sum as well.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
elements=f32
[ "${1-}" != --long ] || elements="f16 bf16 f32 f64"
[ -n "${CLANG-}" ] || { echo "1..0 # SKIP no clang"; exit 0; }
[ "$PTX_COMPILER" = nvcc ] || { echo "1..0 # SKIP clang's PTX is what every other test runs"; exit 0; }

for element in $elements; do
    for source in "$srcdir"/backend_cuda/kernels/*.cu; do
        echo "$work/$(basename "$source" .cu)_$element.ptx"
    done
done | xargs -P 2 -n 1 "$srcdir/backend_cuda/compile" clang "$srcdir" > "$output" 2>&1
result $? "clang compiles every kernel file"
ok "exact arithmetic only" "$srcdir/conformance/house/house" ptx "$work"/*.ptx
for element in $elements; do
    ok "$element: the reference's bits, and no report" "$builddir/backend_cuda/test_bits" "device=soft,ptx=$work" \
        "$element"
done
for ptx in "$work"/*.ptx; do
    cmp -s "$ptx" "$builddir/backend_cuda/kernels/$(basename "$ptx")" && echo "$ptx"
done > "$output"
result "$(test ! -s "$output"; echo $?)" "it is not nvcc's PTX"
[ "${1-}" != --long ] || ok "ops with a sum: the same" "$builddir/backend_cuda/test_sums" "device=soft,ptx=$work"
rm "$work/reduce_f32.ptx"
not_ok "and it is what has run: without a file of it a run fails" "$builddir/backend_cuda/test_bits" \
    "device=soft,ptx=$work" f32
done_testing
