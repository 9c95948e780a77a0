#!/bin/sh
# Kernels compiled by the real compilers, for every architecture they are meant for, against the host's computation.
: "${srcdir:=.}" "${builddir:=.}"
work=$(mktemp -d "${TMPDIR:-/tmp}/softgpu.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
if [ -n "${NVCC-}" ]; then
    for arch in 75 80 90 100 120; do
        "$NVCC" -ptx -arch=compute_$arch --fmad=false -lineinfo "$srcdir/softgpu/test/test_kernels.cu" \
            -o "$work/nvcc_$arch.ptx" 2>/dev/null
    done
fi
if [ -n "${CLANG-}" ]; then
    "$CLANG" -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang -target-feature \
        -Xclang +ptx75 -O2 -ffp-contract=off -S "$srcdir/softgpu/test/test_kernels.cu" \
        -o "$work/clang_80.ptx" 2>/dev/null
fi
set -- "$work"/*.ptx
[ -e "$1" ] || { echo "1..0 # SKIP no compiler for PTX (nvcc or clang)"; exit 0; }
"$builddir/softgpu/test/test_kernels" "$@"
