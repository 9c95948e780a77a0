#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2086,SC2016 # make check sets srcdir and builddir
# Every line of the shell blocks of README and of the pages below runs, or is left out for a reason that stands here;
# and the reports that doc/softgpu.md shows are those that the device prints.
. "$srcdir/conformance/tap/tap.sh"
pages="README.md doc/suite.md doc/scale.md doc/softgpu.md doc/python.md doc/grading.md doc/porting.md"
srcdir=$(cd "$srcdir" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX TEST_SHARD_INDEX TEST_TOTAL_SHARDS CI_NODE_INDEX CI_NODE_TOTAL
cd "$work" || exit 1

# ---- what the lines name ---------------------------------------------------------------------------------------------

mkdir bin
for program in cotangent softgpu/softgpu; do
    printf '#!/bin/sh\nexec "%s" "$@"\n' "$builddir/$program" > "bin/${program##*/}"
done
chmod +x bin/*
export PATH="$work/bin:$PATH" SLURM_SUBMIT_DIR="$work"
$CC -O2 -ffp-contract=off -shared -fPIC -o mine.so "$srcdir/doc/template/port.c" -I"$srcdir/core" $SANITIZE 2> /dev/null
echo max/f32/5x37/1/contig/ties/7 > ids.txt
cat > kernel.ptx <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry scale(.param .u64 in, .param .u64 out, .param .s32 n)
{
    .reg .pred %p<2>;
    .reg .b32 %r<6>;
    .reg .f32 %f<2>;
    .reg .b64 %d<4>;
    ld.param.u64 %d1, [in];
    ld.param.u64 %d2, [out];
    ld.param.s32 %r5, [n];
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %ntid.x;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r1, %r2, %r3;
    setp.ge.s32 %p1, %r4, %r5;
    @%p1 bra END;
    mul.wide.s32 %d3, %r4, 4;
    add.u64 %d1, %d1, %d3;
    add.u64 %d2, %d2, %d3;
    ld.global.f32 %f1, [%d1];
    add.rn.f32 %f1, %f1, %f1;
    st.global.f32 [%d2], %f1;
END:
    ret;
}
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<2>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    mul.wide.u32 %d2, %r1, 4;
    add.u64 %d1, %d1, %d2;
    st.global.u32 [%d1], %r1;
    ret;
}
PTX
softgpu run kernel.ptx --entry k --block 1024 --out 1024xf32=x.npy > /dev/null
# A program of the driver: `leaks` keeps what it allocates.
cat > program.c <<'C'
#include <dlfcn.h>
#include <stddef.h>
int main(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW), *context;
    if (!lib)
        return 1;
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(lib, "cuInit");
    int (*create)(void **, unsigned, int) = (int (*)(void **, unsigned, int))dlsym(lib, "cuCtxCreate_v2");
    int (*allocate)(unsigned long long *, size_t) = (int (*)(unsigned long long *, size_t))dlsym(lib, "cuMemAlloc_v2");
    int (*release)(unsigned long long) = (int (*)(unsigned long long))dlsym(lib, "cuMemFree_v2");
    unsigned long long p;
    return init(0) || create(&context, 0, 0) || allocate(&p, 100) || (!KEEPS && release(p));
}
C
runs_programs=
if [ -z "$SANITIZE" ] && $CC -DKEEPS=1 program.c -o leaks -ldl 2> /dev/null; then
    runs_programs=yes
    $CC -DKEEPS=0 program.c -o my_host_program -ldl
    cp my_host_program any-driver-API-program
fi
cat > program.cu <<'CU'
__global__ void twice(float *x) { x[threadIdx.x] *= 2; }
int main(void)
{
    float *x;
    cudaMalloc(&x, 128);
    cudaMemset(x, 0, 128);
    twice<<<1, 32>>>(x);
    return cudaFree(x) != cudaSuccess;
}
CU
echo '__global__ void k(float *out) { out[threadIdx.x] = 1; }' > kernels.cu
[ -z "${NVCC-}" ] || printf '#!/bin/sh\nexec "%s" "$@"\n' "$NVCC" > bin/nvcc
chmod +x bin/*
# What the pages about Python and ports name: a tree that was built, an installed library, a submission, a program.
ln -s "$builddir" build
ln -s "$srcdir/python" python
cp "$srcdir/doc/template/port.c" "$srcdir/doc/template/port.py" "$srcdir"/doc/spec*.py .
printf '#!/bin/sh\necho "-I%s/core"\n' "$srcdir" > bin/pkg-config
cat > kernel.py <<'PY'
def gradient(dy, y, axis):
    return y * (dy - (y * dy).sum(axis, keepdims=True))


mine = gradient
PY
cat > mine.py <<'PY'
import cotangent_suite, numpy, softgpu

one, two, three = (numpy.full(3, value) for value in (1.0, 2.0, 3.0))
assert cotangent_suite.judge("mul", dy=one, a=two, b=three, da=three, db=two)
PY
has_numpy=
if /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
    has_numpy=yes
    printf '#!/bin/sh\nexec /usr/bin/python3 "$@"\n' > bin/python3 # the one with the distribution's NumPy
fi
chmod +x bin/*
export PYTHONDONTWRITEBYTECODE=1

# ---- the lines -------------------------------------------------------------------------------------------------------

# shell_lines PAGE: what the page's shell blocks run, and its workflows, without remarks.
shell_lines() {
    awk '/^```/ { within = $0 == "```sh" ? "sh" : $0 == "```yaml" ? "yaml" : ""; next }
        within == "sh" && $0 !~ /^(#|$)/ { print }
        within == "yaml" && sub(/^ *- run: /, "") { print }' "$srcdir/$1" |
        sed 's/ *# .*//; s/^build\///; s/^softgpu\///'
}

# by_python PAGE LINE COMMAND: a line that takes NumPy.
by_python() {
    if [ "$has_numpy" ]; then
        ok "$1: $2" sh -c "$3"
    else
        skip "$1: $2" "no NumPy (Debian: python3-numpy)"
    fi
}

# needs WHAT PAGE LINE: what it needs is what it says it is skipped for.
needs() {
    if [ -z "$runs_programs" ] || { [ "$1" = nvcc ] && [ -z "${NVCC-}" ]; }; then
        skip "$2: $3" "no $1, or a sanitizer"
    else
        ok "$2: $3" sh -c "$3"
    fi
}

# A part of what takes hours. merge ends with 4 where a part is not there, as seven of the matrix's eight.
run_line() {
    line=$(echo "$2" | sed 's/\${{ matrix.part }}/1/; s/^parallel .* cotangent/cotangent/; s/{}\(.*\) ::: .*/1\1/')
    case $2 in
    ./quickstart* | *configure*) skip "$1: $2" "installs or builds everything: what CI does, and test_install.sh" ;;
    'python3 mine.py cases') skip "$1: $2" "a program of the reader's; conformance/cmd/test_battery.sh has one" ;;
    'COTANGENT=build/'*) by_python "$1" "$2" "$line" ;;
    'python3 -m cotangent_suite.grading '*)
        by_python "$1" "$2" "COTANGENT=build/cotangent PYTHONPATH=python/suite $line" ;;
    'cotangent check --backend "process:'*) by_python "$1" "$2" "$line --shard 1/40" ;;
    'cc '*) ok "$1: $2" sh -c "$line $SANITIZE" ;;
    *mine.py | *'judge case' | *'--dir case') skip "$1: $2" "test_readme.sh runs it, in its order" ;;
    'echo $?') skip "$1: $2" "the shell's own" ;;
    'cotangent '*'--backend cuda'*) skip "$1: $2" "test_readme.sh runs it, where there are kernels" ;;
    'cotangent check --case '* | 'cotangent check --cases '*) ok "$1: $2" sh -c "$line" ;;
    'cotangent check '*--op* | 'cotangent check '*--clause*) ok "$1: $2" sh -c "$line --shard 1/40" ;;
    'cotangent check'*) ok "$1: $2" sh -c "$line --shard 1/400" ;;
    'cotangent merge part-'*) mv part part-1 && exits 4 "$1: $2" sh -c "$line" ;;
    'cotangent judge '*) exits 2 "$1: $2" sh -c "$line" ;;
    'cotangent sweep '*vendor.so*) # the template's port knows no div: the reference stands in for the vendor's
        ok "$1: $2" sh -c "$(echo "$line" | sed 's,./vendor.so,ref,') --range 0-63" ;;
    'cotangent sweep '* | parallel*) ok "$1: $2" sh -c "$line --range 0-63" ;;
    'softgpu --check'*'-- ./program') needs nvcc "$1" "$2" ;;
    *nvcc*) needs nvcc "$1" "$2" ;;
    'softgpu --check'*) needs "a program" "$1" "$2" ;;
    'softgpu census'*) [ -e kernels.ptx ] || cp kernel.ptx kernels.ptx && ok "$1: $2" sh -c "$line" ;;
    'cotangent '* | 'softgpu run '*) ok "$1: $2" sh -c "$line" ;;
    *) echo "no test knows how to run it" > "$output"; result 1 "$1: $2" ;;
    esac
}

for page in $pages; do
    shell_lines "$page" > lines
    ok "$page has lines for a shell" test -s lines
    while read -r line_of_page; do
        run_line "$page" "$line_of_page" < /dev/null
    done < lines
done

# ---- the reports that softgpu's page shows ---------------------------------------------------------------------------

# Each is a line "$ command" and what the command says, where four blanks continue a line. An address may differ.
sed -n '/^### What a report looks like$/,/^##* [^W]/p' "$srcdir/doc/softgpu.md" |
    awk '/^```/ { within = !within; next } within && /^    / { sub(/^ */, " "); printf "%s", $0; next }
        within { printf "%s%s", any++ ? "\n" : "", $0 } END { print "" }' > shown
cd "$srcdir/softgpu/test/kernels" || exit 1
said() { sed -n 's/0x[0-9a-f]\{9,\}/ADDRESS/; /^softgpu: [a-z]*check:\|^softgpu: lint:/p' "$1"; }
for check in memcheck initcheck racecheck synccheck leakcheck lint fpcheck; do
    command=$(sed -n "s/^\\$ \\(.*softgpu .*--check=$check.*\\)/\\1/p" "$work/shown")
    awk -v command="\$ $command" '/^\$/ { within = $0 == command; next } within' "$work/shown" > "$work/promised"
    ok "softgpu's page shows a report of $check" grep -q "^softgpu: $check: " "$work/promised"
    case $command in
    *'-- ./leaks'*) [ -n "$runs_programs" ] || { skip "$check says that" "no program, or sanitizers"; continue; }
        cd "$work" || exit 1 ;;
    esac
    sh -c "$command" > "$work/printed" 2>&1
    said "$work/promised" > "$work/promised.said"
    said "$work/printed" > "$work/printed.said"
    ok "$check says that: $command" diff "$work/promised.said" "$work/printed.said"
    cd "$srcdir/softgpu/test/kernels" || exit 1
done
done_testing
