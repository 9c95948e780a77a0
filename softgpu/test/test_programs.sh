#!/bin/sh
# Programs of the CUDA runtime, compiled by nvcc with a shared runtime: each checks its own results on the device.
: "${srcdir:=.}" "${builddir:=.}"
[ -n "${NVCC-}" ] || { echo "1..0 # SKIP no nvcc"; exit 0; }
softgpu=$builddir/softgpu/softgpu
work=$(mktemp -d "${TMPDIR:-/tmp}/softgpu.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
# The libraries are as they were built; of the programs UBSan would see what the toolkit's own headers do.
host_flags=
for flag in ${SANITIZE-}; do
    case $flag in *undefined) ;; *) host_flags="$host_flags -Xcompiler=$flag" ;; esac
done
case ${SANITIZE-} in *address*) export ASAN_OPTIONS=detect_leaks=0 ;; esac
export NVCC softgpu work
n=0
check() {
    n=$((n + 1))
    if eval "$2"; then
        echo "ok $n - $1"
    else
        sed 's/^/# /' "$work/out"
        echo "not ok $n - $1"
    fi
}

# compile NAME RESULT FLAGS...: a program of this directory
# shellcheck disable=SC2086 # each flag of the host compiler is a word
compile() {
    source=$srcdir/softgpu/test/programs/$1.cu result=$work/$2
    shift 2
    "$softgpu" nvcc -std=c++17 $host_flags "$@" "$source" -o "$result" > "$work/out" 2>&1
}
run() { "$softgpu" "$@" > "$work/out" 2>&1; }
says() { grep -q -e "$1" "$work/out"; }

for program in vector_add symbols streams errors graphs cooperative thrust; do
    check "$program" "compile $program $program && run -- \$work/$program"
done
run -- "$work/symbols"
check "printf comes out" 'says "from the device: 42 words 1.50"'
run -- "$work/errors"
check "a call that is not modelled says its name" 'says "cudaMallocArray is not modelled"'
for mode in none speed balance size; do
    check "PTX that nvcc compressed by $mode" "compile vector_add packed --compress-mode=$mode && run -- \$work/packed"
done
check "nvcc's own choice of devices" 'compile vector_add plain -arch=sm_80 && run -- "$work/plain"'
check "a default stream for each thread" \
    'compile streams threads --default-stream per-thread && run -- "$work/threads"'
check "machine code alone: the flag to compile with" \
    'compile vector_add machine -gencode arch=compute_80,code=sm_80 && ! run -- "$work/machine" \
        && says "-arch=compute_80" && says "NoKernelImageForDevice"'
check "PTX for a newer device: the capability that it needs" \
    'compile vector_add newer -arch=compute_90 && ! SOFTGPU_CC=8.0 run -- "$work/newer" && says "compute_90"'
check "a runtime inside the program: the flag to link with" \
    'compile vector_add static -cudart static && ! run -- "$work/static" && says "link it with -cudart shared"'
for program in vector_add graphs cooperative symbols; do
    check "$program has nothing to report" "run --check=memcheck,initcheck,racecheck,synccheck -- \$work/$program"
done
check "a bad store is reported" 'run --check -- "$work/errors"; [ $? = 99 ] && says "invalid store of 4 bytes"'
echo "1..$n"
