#!/bin/sh
# The software device against Debian's oclgrind, the same problem, in one run.
# usage: bench/softgpu_speed.sh [rows [columns]]
# Needs nvcc or clang for the PTX; without oclgrind and its headers only our own speed is printed.
: "${srcdir:=$(dirname "$0")/..}" "${builddir:=.}" "${CC:=cc}"
rows=${1:-256}
columns=${2:-1024}
PATH=$PATH:/usr/local/cuda/bin
work=$(mktemp -d "${TMPDIR:-/tmp}/softgpu.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
if command -v nvcc >/dev/null; then
    nvcc -ptx -arch=compute_80 --fmad=false "$srcdir/bench/softgpu_speed.cu" -o "$work/k.ptx" || exit 1
else
    clang -x cuda --cuda-device-only -nocudainc -nocudalib --cuda-gpu-arch=sm_80 -Xclang -target-feature \
        -Xclang +ptx75 -O2 -ffp-contract=off \
        -S "$srcdir/bench/softgpu_speed.cu" -o "$work/k.ptx" || exit 1
fi
"$builddir/bench/softgpu_speed" "$work/k.ptx" "$rows" "$columns" > "$work/ours" || exit 1
: > "$work/plain"
: > "$work/checked"
if command -v oclgrind >/dev/null && $CC -O2 "$srcdir/bench/softgpu_peer.c" -lOpenCL -o "$work/peer" 2>/dev/null; then
    oclgrind "$work/peer" "$rows" "$columns" > "$work/plain"
    oclgrind --data-races --uninitialized "$work/peer" "$rows" "$columns" > "$work/checked"
else
    echo "# no oclgrind (Debian: oclgrind, ocl-icd-opencl-dev): no comparison"
fi
awk -v rows="$rows" -v columns="$columns" '
    FILENAME ~ /plain$/ { plain[$1] = $2; next }
    FILENAME ~ /checked$/ { checked[$1] = $2; next }
    {
        peer = $2 == "off" ? plain[$1] : $2 == "all" ? checked[$1] : 0
        printf "%-18s %-9s %9.3f ms  %7.3f G thread-instructions/s", $1, $2, $3 * 1e3, $4 / $3 * 1e-9
        how = $2 == "all" ? " --data-races --uninitialized" : ""
        if (peer) printf "   oclgrind%s %10.3f ms: %.0fx", how, peer * 1e3, peer / $3
        print ""
    }' "$work/plain" "$work/checked" "$work/ours"
