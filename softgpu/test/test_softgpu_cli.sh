#!/bin/sh
# The command: run, census, and a program on the device with checks.
: "${srcdir:=.}" "${builddir:=.}"
export softgpu=$builddir/softgpu/softgpu
work=$(mktemp -d "${TMPDIR:-/tmp}/softgpu.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
n=0
check() { n=$((n + 1)); if eval "$2"; then echo "ok $n - $1"; else echo "not ok $n - $1"; fi; }

cat > "$work/iota.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry iota(.param .u64 out, .param .s32 start)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [out];
    ld.param.s32 %r1, [start];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d2, %r2, 4;
    add.u64 %d1, %d1, %d2;
    add.s32 %r2, %r2, %r1;
    st.global.u32 [%d1], %r2;
    ret;
}
PTX
cat > "$work/cost.ptx" <<PTX
.version 8.0
.target sm_80
.address_size 64
.file 1 "$work/source.cu"
.visible .entry k(.param .u64 out) {
    .reg .b32 %r<3>; .reg .b64 %d<3>; .reg .pred %p; .shared .align 4 .b8 sh[8192];
    .loc 1 1 1
    ld.param.u64 %d1, [out];
    mov.u32 %r2, %tid.x;
    mul.wide.u32 %d2, %r2, 256;
    add.u64 %d1, %d1, %d2;
    setp.lt.u32 %p, %r2, 16;
    @%p bra even;
    .loc 1 2 1
even: st.global.u32 [%d1], %r2;
    st.shared.u32 [%r2], %r2;
    ret;
}
PTX
sed -i 's/st.shared.u32 .%r2., %r2/shl.b32 %r1, %r2, 6; st.shared.u32 [%r1], %r2/' "$work/cost.ptx"
printf 'first line\nsecond <line>\n' > "$work/source.cu"
sed 's/mul.wide.u32 %d2, %r2, 4/mul.wide.u32 %d2, %r2, 400/' "$work/iota.ptx" > "$work/wild.ptx"
sed 's/ret;/tcgen05.fence::before_thread_sync; ret;/' "$work/iota.ptx" > "$work/new.ptx"

check "help fits 80 columns" '{ "$softgpu" --help; "$softgpu" run --help; } 2>&1 |
    awk "length > 80 { long = 1 } END { exit long || NR < 20 }"'
check "run prints what the kernel wrote" \
    '"$softgpu" run "$work/iota.ptx" --entry iota --block 5 --out 5xi32 --scalar i32:7 > "$work/out" &&
    [ "$(cat "$work/out")" = "argument 0: 7 8 9 10 11" ]'
check "run writes and reads .npy" \
    '"$softgpu" run "$work/iota.ptx" --entry iota --block 32 --out 32xi32="$work/o.npy" --scalar i32:1 &&
    "$softgpu" run "$work/iota.ptx" --entry iota --block 2 --inout "$work/o.npy" --scalar i32:50 |
    grep -q "argument 0: 50 51 3 4"'
check "run reports a wild store with its line" \
    '"$softgpu" run "$work/wild.ptx" --entry iota --block 5 --out 5xi32 --scalar i32:7 2>&1 | grep -q "PTX line 14"'
check "an error without a message of its own is told by its name in words" \
    'SOFTGPU_MEMORY=1 "$softgpu" run "$work/iota.ptx" --entry iota --out 5xi32 --scalar i32:7 2>&1 |
    grep -q "CUDA_ERROR_OUT_OF_MEMORY: out of memory"'
check "run --check reports it as memcheck" \
    '"$softgpu" run "$work/wild.ptx" --check --entry iota --block 5 --out 5xi32 --scalar i32:7 2>&1 |
    grep -q "memcheck: global invalid store"'
check "run --counters writes JSON" \
    '"$softgpu" run "$work/iota.ptx" --counters="$work/c.json" --entry iota --block 64 --out 64xi32 \
        --scalar i32:7 >/dev/null &&
    grep -q "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\": 8," "$work/c.json"'
check "census counts" \
    '"$softgpu" census "$work/iota.ptx" |
    grep -q "8 instructions, 8 forms, 0 instructions not modelled, 0 kernels refused"'
check "census names what is not modelled" \
    '"$softgpu" census "$work/new.ptx" | grep -q "tcgen05.fence::before_thread_sync  NOT MODELLED.*:15"'
check "census fails then" '! "$softgpu" census "$work/new.ptx" >/dev/null'
check "no arguments: usage" '"$softgpu" 2>&1 | grep -q usage'

# --check is a gate: 99 where something was reported, and what cannot be written is an error.
cat > "$work/race.ptx" <<'PTX'
.version 8.0
.target sm_80
.address_size 64
.visible .entry k(.param .u64 out)
{
    .reg .b32 %r<3>;
    .reg .b64 %d<3>;
    ld.param.u64 %d1, [out];
    mov.u32 %r1, %tid.x;
    st.global.u32 [%d1], %r1;
    ret;
}
PTX
race() { "$softgpu" run "$work/race.ptx" --entry k --out 4xu32 --block 64 "$@"; }
iota() { "$softgpu" run "$work/iota.ptx" --entry iota --block 5 --out 5xi32 "$@"; }
# holds FILE CONDITION: of r, a report in JSON or SARIF, and x, the first of its findings.
holds() {
    python3 -c "import json, sys
r = json.load(open(sys.argv[1]))
x = (r.get(\"reports\") or r[\"runs\"][0][\"results\"])[0]
assert $2" "$1"
}
status() { "$@" > "$work/out" 2> "$work/err"; echo $?; }
check "run --check exits with 99 where something is reported" \
    '[ "$(status race --check)" = 99 ] && grep -q "racecheck: race" "$work/err"'
check "and with 0 where nothing is" '[ "$(status iota --scalar i32:7 --check)" = 0 ]'
check "run without --check does not" '[ "$(status race)" = 0 ]'
check "run --report writes to the file" \
    '[ "$(status race --check --report="$work/r.txt")" = 99 ] && grep -q "racecheck: race" "$work/r.txt" &&
    ! grep -q racecheck "$work/err"'
check "a report as JSON" '[ "$(status race --check --report-format=json --report="$work/r.json")" = 99 ] &&
    holds "$work/r.json" "r[\"version\"] == 1 and x[\"check\"] == \"racecheck\" and x[\"count\"] > 1" &&
    holds "$work/r.json" "x[\"at\"][\"ptx_line\"] == 10 and x[\"other\"][\"ptx_line\"] == 10"'
check "a report as SARIF" '[ "$(status race --check --report-format=sarif --report="$work/r.sarif")" = 99 ] &&
    holds "$work/r.sarif" "r[\"version\"] == \"2.1.0\" and x[\"ruleId\"] == \"racecheck\"" &&
    holds "$work/r.sarif" "x[\"level\"] == \"error\""'
sed -e 's/^\.visible/.file 1 "kernels\/k.cu"\n&/' -e 's/^    st.global/    .loc 1 7 1\n&/' "$work/race.ptx" \
    > "$work/marked.ptx"
check "SARIF names the line of the source" '[ "$(status "$softgpu" run "$work/marked.ptx" --entry k --out 4xu32 \
        --block 64 --check --report-format=sarif --report="$work/m.sarif")" = 99 ] &&
    holds "$work/m.sarif" "x[\"locations\"][0][\"physicalLocation\"][\"region\"][\"startLine\"] == 7" &&
    holds "$work/m.sarif" "\"\\\"uri\\\": \\\"kernels/k.cu\\\"\" in json.dumps(x[\"locations\"])"'
check "a report that cannot be written is an error" \
    '[ "$(status race --check --report=/nonexistent/r)" = 98 ] && grep -q "cannot write /nonexistent/r" "$work/err"'
check "counters that cannot be written are" '[ "$(status race --counters=/nonexistent/c)" = 98 ]'
check "a full standard output is" \
    '"$softgpu" run "$work/race.ptx" --entry k --out 4xu32 > /dev/full 2> "$work/err"; [ $? = 1 ] &&
    grep -q "standard output" "$work/err"'
check "an array that cannot be written is" \
    '[ "$(status "$softgpu" run "$work/race.ptx" --entry k --out 4xu32=/nonexistent/o.npy)" != 0 ]'
check "a check that is none is refused with a suggestion" \
    '[ "$(status race --check=racechek)" = 2 ] && grep -q "did you mean racecheck" "$work/err"'
check "before a program too" \
    '[ "$(status "$softgpu" --check=memchek -- true)" = 2 ] && grep -q "did you mean memcheck" "$work/err"'
check "a format that is none is refused" '[ "$(status race --check --report-format=xml)" = 2 ]'
check "a wrong entry: those that there are" \
    '[ "$(status "$softgpu" run "$work/iota.ptx" --entry k)" = 1 ] &&
    grep -q "no kernel .k. in .*iota.ptx, which has iota" "$work/err"'
check "too few parameters: what it takes" \
    '[ "$(status iota)" = 1 ] && grep -q "1 parameter is given" "$work/err" &&
    grep -q "iota takes 2 parameters: out (8 bytes), start (4 bytes)" "$work/err"'
check "a parameter of another size" \
    '[ "$(status iota --scalar f64:7)" = 1 ] &&
    grep -q "parameter 1 of iota, start, has 4 bytes; the scalar .f64:7. has 8" "$work/err"'
check "a scalar that does not fit its type" \
    '[ "$(status iota --scalar i8:200)" = 2 ] && grep -q "does not fit" "$work/err"'
check "a scalar that is no number" '[ "$(status iota --scalar i32:7x)" = 2 ] && [ "$(status iota --scalar f32:)" = 2 ]'
check "a shape that no memory holds" \
    '[ "$(status "$softgpu" run "$work/race.ptx" --entry k --out 4294967296x4294967296xf32)" = 2 ] &&
    grep -q "no memory holds" "$work/err"'
check "an option that is none" '[ "$(status race --blok 3)" = 2 ] && grep -q "no such option: --blok" "$work/err"'
check "run --help, census --help" \
    '[ "$(status "$softgpu" run --help)" = 0 ] && grep -q -e --scalar "$work/out" &&
    [ "$(status "$softgpu" census --help)" = 0 ]'
check "a fault is no leak of the kernel" \
    '[ "$(status "$softgpu" run "$work/wild.ptx" --check --entry iota --block 5 --out 5xi32 --scalar i32:7)" = 99 ] &&
    ! grep -q leak "$work/err"'

# A kernel parameter of 16 bytes cannot be given as a scalar.
sed 's/.param .s32 start/.param .align 8 .b8 start[16]/' "$work/iota.ptx" > "$work/large.ptx"
check "a parameter larger than 8 bytes is refused" \
    '[ "$(status "$softgpu" run "$work/large.ptx" --entry iota --out 5xi32 --scalar u64:7)" = 1 ] &&
    grep -q "start, has 16 bytes" "$work/err"'

# What one thread does.
check "--trace prints the statements of a thread with their registers" \
    '[ "$(status iota --scalar i32:7 --trace --trace-thread=0,0,0,3,0,0)" = 0 ] &&
    [ "$(grep -c "^in iota at PTX line" "$work/err")" = 8 ] &&
    grep -q "PTX line 13: add.s32 %r2=0x3 %r1=0x7 -> %r2=0xa" "$work/err" &&
    grep -q "PTX line 14: st.global.u32 .*%r2=0xa" "$work/err"'
check "--html is a page with the cost of every line, and needs no other file" \
    '[ "$(status iota --scalar i32:7 --html="$work/page.html")" = 0 ] &&
    grep -q "<h2>iota</h2>" "$work/page.html" && grep -q "1 launches, 8 instructions of warps" "$work/page.html" &&
    grep -q "id=\"k1p14\".*<td class=\"n\">1</td><td class=\"n\">5.0</td>.*1/1.*st.global.u32" "$work/page.html" &&
    ! grep -qE "src=|http" "$work/page.html"'
check "--html counts divergence, sectors and conflicts by line, beside the source" \
    '"$softgpu" run "$work/cost.ptx" --html="$work/cost.html" --entry k --block 32 --out 2048xi32 > /dev/null &&
    grep -q "id=\"k1p13\".*<td class=\"n\">1</td><td></td><td></td><td>.*bra" "$work/cost.html" &&
    grep -q "id=\"k1p15\".*32/4.*st.global" "$work/cost.html" &&
    grep -q "id=\"k1p16\".*15</td>.*st.shared" "$work/cost.html" &&
    grep -q "id=\"k1s2\".*32/4.*15.*second &lt;line>" "$work/cost.html"'
check "--html that cannot be written: 98" '[ "$(status iota --scalar i32:7 --html=/nonexistent/p)" = 98 ]'
check "--watch prints the accesses to some bytes, with what was there" \
    '[ "$(status iota --scalar i32:7 --watch=0+8)" = 0 ] && [ "$(grep -c "^watch" "$work/err")" = 1 ] &&
    grep -q "watch 0+8: store of 0x9, the bytes are .*PTX line 14.*thread (2,0,0)" "$work/err"'
check "--watch that is no range" '[ "$(status iota --scalar i32:7 --watch=1)" = 2 ] && grep -q ALLOCATION "$work/err"'
check "--trace into a file" \
    '[ "$(status iota --scalar i32:7 --trace="$work/trace")" = 0 ] &&
    grep -q "PTX line 13: add.s32 %r2=0x0 %r1=0x7 -> %r2=0x7" "$work/trace"'
check "--break prints what is in its registers" \
    '[ "$(status iota --scalar i32:7 --break=13)" = 0 ] &&
    grep -q "^break in iota at PTX line 13: add.s32" "$work/err" && grep -q "^ *%r1=0x7" "$work/err" &&
    ! grep -q "^in iota" "$work/err"'
sed 's/^\.address_size 64/.address_size 64\n.file 1 "dir\/scale.cu"/
    s/^    mov.u32 %r2/    .loc 1 77 1\n&/
    s/^    mul.wide/    .loc 1 78 1\n&/' "$work/iota.ptx" > "$work/lines.ptx"
check "--break at a line of the source" \
    '[ "$(status "$softgpu" run "$work/lines.ptx" --entry iota --out 32xi32 --scalar i32:7 \
        --break=scale.cu:77)" = 0 ] &&
    grep -q "^break in iota at PTX line 12 (scale.cu:77): mov.u32" "$work/err"'
check "a thread that is not in the launch" \
    '[ "$(status iota --scalar i32:7 --trace --trace-thread=0,0,0,500,0,0)" = 0 ] &&
    grep -q "not in this launch" "$work/err" && [ "$(status iota --scalar i32:7 --trace-thread=1)" = 2 ]'

# .npy files: what a header may say, and what it may not.
npy() { printf "\\223NUMPY\\001\\000\\166\\000%-117s\\n" "$1"; }
four() { printf '\011\0\0\0\010\0\0\0\007\0\0\0\006\0\0\0'; }
u32s='{"descr": "<u4", "fortran_order": False, "shape": (4,)}'
read_npy() { status "$softgpu" run "$work/race.ptx" --entry k --block 1 --inout "$work/x.npy"; }
{ npy "$u32s" | tr '"' "'"; four; } > "$work/x.npy"
check ".npy: a plain array is read" '[ "$(read_npy)" = 0 ] && grep -q "argument 0: 0 8 7 6" "$work/out"'
{ npy "{'shape':(2 , 2),'fortran_order':   False ,\"descr\" :'<u4',}"; four; } > "$work/x.npy"
check ".npy: keys in any order, blanks anywhere" '[ "$(read_npy)" = 0 ] && grep -q "argument 0: 0 8 7 6" "$work/out"'
bad_npy() {
    { npy "{'descr': $2, }"; four; } > "$work/x.npy"
    check ".npy: $1" '[ "$(read_npy)" = 2 ] && grep -q "$reason" "$work/err"'
}
reason="larger than memory" bad_npy "a shape whose bytes wrap is refused" \
    "'<u4', 'fortran_order': False, 'shape': (4611686018427387905,)"
reason="no such size" bad_npy "a size beyond 64 bits is" \
    "'<u4', 'fortran_order': False, 'shape': (36893488147419103236,)"
reason="does not hold" bad_npy "more cells than the file holds" "'<u4', 'fortran_order': False, 'shape': (5,)"
reason="does not hold" bad_npy "a terabyte of promises" "'<u4', 'fortran_order': False, 'shape': (274877906944,)"
reason="Fortran order" bad_npy "Fortran order, with two blanks" "'<u4', 'fortran_order':  True, 'shape': (2, 2)"
reason="big-endian" bad_npy "big-endian numbers" "'>u4', 'fortran_order': False, 'shape': (4,)"
reason="type is not one of" bad_npy "types that are none of ours" "'<c8', 'fortran_order': False, 'shape': (2,)"
reason="no tuple" bad_npy "a shape of -1" "'<u4', 'fortran_order': False, 'shape': (-1,)"
reason="lacks" bad_npy "a header without a shape" "'<u4', 'fortran_order': False"
check ".npy: a text file is refused" \
    'echo hello > "$work/x.npy"; [ "$(read_npy)" = 2 ] && grep -q "no .npy file" "$work/err"'

# A shadow that the host has no memory for is said aloud: memory that nobody watches is no clean result.
if [ -z "$SANITIZE" ]; then
    check "a shadow without memory is reported" \
        '(ulimit -v 1200000
        [ "$(status "$softgpu" run "$work/race.ptx" --entry k --out 134217728xu8 --check=racecheck)" = 99 ]) &&
        grep -q "is not watched" "$work/err"'
fi

# A program that knows only dlopen("libcuda.so.1").
cat > "$work/client.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    if (!lib)
        return printf("failed: %s\n", dlerror());
    int (*init)(unsigned) = (int (*)(unsigned))dlsym(lib, "cuInit");
    int (*create)(void **, unsigned, int) = (int (*)(void **, unsigned, int))dlsym(lib, "cuCtxCreate_v2");
    int (*alloc)(unsigned long long *, size_t) = (int (*)(unsigned long long *, size_t))dlsym(lib, "cuMemAlloc_v2");
    void *ctx;
    unsigned long long p;
    if (!init || init(0) || create(&ctx, 0, 0) || alloc(&p, 100))
        return printf("failed\n");
    puts("allocated");
    return 0;
}
C
if ${CC:-cc} $SANITIZE "$work/client.c" -o "$work/client" -ldl 2>/dev/null && [ -z "$SANITIZE" ]; then
    check "a program finds the device" '"$softgpu" -- "$work/client" | grep -q allocated'
    check "and its leak, and exits with 99" \
        '"$softgpu" --check=all -- "$work/client" > "$work/log" 2>&1; [ $? = 99 ] &&
        grep -q "leak: allocation 0 of 100 bytes" "$work/log"'
fi
echo "1..$n"
