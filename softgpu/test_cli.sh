#!/bin/sh
# The command: run, census, and a program on the device with checks.
: "${srcdir:=.}" "${builddir:=.}"
softgpu=$builddir/softgpu/softgpu
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
sed 's/mul.wide.u32 %d2, %r2, 4/mul.wide.u32 %d2, %r2, 400/' "$work/iota.ptx" > "$work/wild.ptx"
sed 's/ret;/wgmma.fence.sync.aligned; ret;/' "$work/iota.ptx" > "$work/new.ptx"

check "run prints what the kernel wrote" '[ "$("$softgpu" run "$work/iota.ptx" --entry iota --block 5 --out 5xi32 --scalar i32:7)" = "argument 0: 7 8 9 10 11" ]'
check "run writes and reads .npy" '"$softgpu" run "$work/iota.ptx" --entry iota --block 32 --out 32xi32="$work/o.npy" --scalar i32:1 &&
    "$softgpu" run "$work/iota.ptx" --entry iota --block 2 --inout "$work/o.npy" --scalar i32:50 | grep -q "argument 0: 50 51 3 4"'
check "run reports a wild store with its line" '"$softgpu" run "$work/wild.ptx" --entry iota --block 5 --out 5xi32 --scalar i32:7 2>&1 | grep -q "PTX line 14"'
check "run --check reports it as memcheck" '"$softgpu" run "$work/wild.ptx" --check --entry iota --block 5 --out 5xi32 --scalar i32:7 2>&1 | grep -q "memcheck: global invalid store"'
check "run --counters writes JSON" '"$softgpu" run "$work/iota.ptx" --counters="$work/c.json" --entry iota --block 64 --out 64xi32 --scalar i32:7 >/dev/null && grep -q "l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum\": 8," "$work/c.json"'
check "census counts" '"$softgpu" census "$work/iota.ptx" | grep -q "8 instructions, 8 forms, 0 instructions not modelled"'
check "census names what is not modelled" '"$softgpu" census "$work/new.ptx" | grep -q "wgmma.fence.sync.aligned  NOT MODELLED.*:15"'
check "census fails then" '! "$softgpu" census "$work/new.ptx" >/dev/null'
check "no arguments: usage" '"$softgpu" 2>&1 | grep -q usage'

# A program that knows only dlopen("libcuda.so.1").
cat > "$work/client.c" <<'C'
#include <dlfcn.h>
#include <stdio.h>
int main(void)
{
    void *lib = dlopen("libcuda.so.1", RTLD_NOW);
    int (*init)(unsigned) = lib ? (int (*)(unsigned))dlsym(lib, "cuInit") : 0;
    int (*create)(void **, unsigned, int) = lib ? (int (*)(void **, unsigned, int))dlsym(lib, "cuCtxCreate_v2") : 0;
    int (*alloc)(unsigned long long *, size_t) = lib ? (int (*)(unsigned long long *, size_t))dlsym(lib, "cuMemAlloc_v2") : 0;
    void *ctx;
    unsigned long long p;
    if (!init || init(0) || create(&ctx, 0, 0) || alloc(&p, 100)) { printf("failed: %s\n", lib ? "call" : dlerror()); return 1; }
    puts("allocated");
    return 0;
}
C
if ${CC:-cc} $SANITIZE "$work/client.c" -o "$work/client" -ldl 2>/dev/null && [ -z "$SANITIZE" ]; then
    check "a program finds the device" '"$softgpu" -- "$work/client" | grep -q allocated'
    check "and its leak, and exits with 99" '"$softgpu" --check=all -- "$work/client" > "$work/log" 2>&1; [ $? = 99 ] && grep -q "leak: allocation 0 of 100 bytes" "$work/log"'
fi
echo "1..$n"
