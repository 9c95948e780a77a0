#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Programs of others on the software device, as PyPI has them: some minutes, and gigabytes to fetch.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
top=$(cd "$srcdir" && pwd)
native=$(cd "$builddir" && pwd)
python=$top/build/venv/bin/python
checks=memcheck,initcheck,racecheck,synccheck # a Python program that ends frees nothing
export SOFTGPU_HOME="$native/softgpu" COTANGENT="$native/cotangent" TRITON_CACHE_DIR="$work" XDG_CACHE_HOME="$work"
export PYTHONPATH="$top/python/suite:$top/python/device:$top/python" PYTHONWARNINGS=ignore
[ -x "$python" ] || { echo "1..0 # SKIP no build/venv: ./quickstart test --long makes it"; exit 0; }

has() { "$python" -c "import $1" 2> /dev/null; }

# program NAME MODULE FIXTURE: a program as its users write them.
program() {
    has "$2" || { skip "$1" "no $2 in build/venv: ./quickstart test --long fetches it"; return; }
    ok "$1 is right, and nothing is reported" "$native/softgpu/softgpu" --check=$checks \
        --counters="$work/counters.json" -- "$python" -B "$top/python/$3"
    ok "by kernels that it launched there" grep -oE '"total": \{"kernel": "\*", "launches": [1-9][0-9]*' \
        "$work/counters.json"
    sed "s/.*launches\": /# $1: launches /" "$output"
}

if has liger_kernel; then
    ok "every client computes what PyTorch does" "$python" -B "$top/python/clients.py"
    grep -E '^(not )?ok - |^# ' "$output" | sed 's/^\(# \)\{0,1\}/# /'
else
    skip "Liger-Kernel" "not in build/venv: ./quickstart test --long fetches it"
fi
program "cuda-core" cuda.core fixture_cuda_core.py
program "numba-cuda" numba_cuda fixture_numba.py
for device in CUDA CUDA:PTX; do
    export DEV=$device
    program "tinygrad on $device" tinygrad fixture_tinygrad.py
done
done_testing
