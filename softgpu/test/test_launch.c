/* The order of blocks and warps: a seed changes it, faults do not depend on it, and a warp's waiting lanes get their
 * turn. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

enum { BLOCKS = 6, THREADS = 160, ALL = BLOCKS * THREADS, TOTAL_WARPS = ALL / WARP };

/* out[i] = how many threads came before thread i. */
static const char tickets[] = ".version 8.5\n.target sm_90\n.address_size 64\n"
                              ".visible .entry k(.param .u64 counter, .param .u64 out)\n{\n"
                              ".reg .b32 %r<5>; .reg .b64 %d<4>;\n"
                              "ld.param.u64 %d0, [counter];\n"
                              "ld.param.u64 %d1, [out];\n"
                              "mov.u32 %r0, %tid.x;\n"
                              "mov.u32 %r1, %ctaid.x;\n"
                              "mov.u32 %r2, %ntid.x;\n"
                              "mad.lo.u32 %r3, %r1, %r2, %r0;\n"
                              "atom.global.add.u32 %r4, [%d0], 1;\n"
                              "mul.wide.u32 %d2, %r3, 4;\n"
                              "add.u64 %d3, %d1, %d2;\n"
                              "st.global.u32 [%d3], %r4;\n"
                              "ret;\n}\n";

/* Block `first` and all above it load from null; `first` takes ten times as long as the others. */
static const char failing[] = ".version 8.5\n.target sm_90\n.address_size 64\n"
                              ".visible .entry k(.param .u32 first)\n{\n"
                              ".reg .pred %p<3>; .reg .b32 %r<5>; .reg .b64 %d<1>;\n"
                              "ld.param.u32 %r0, [first];\n"
                              "mov.u32 %r1, %ctaid.x;\n"
                              "setp.eq.u32 %p0, %r0, %r1;\n"
                              "selp.u32 %r2, 40000, 4000, %p0;\n"
                              "LOOP:\n"
                              "sub.u32 %r2, %r2, 1;\n"
                              "setp.ne.u32 %p1, %r2, 0;\n"
                              "@%p1 bra LOOP;\n"
                              "setp.lt.u32 %p2, %r1, %r0;\n"
                              "@%p2 ret;\n"
                              "mov.u64 %d0, 0;\n"
                              "ld.global.u32 %r3, [%d0];\n"
                              "ret;\n}\n";

static CUfunction load(const char *ptx, CUcontext *c)
{
    CUmodule m;
    CUfunction f = NULL;
    cuCtxCreate_v2(c, 0, 0);
    if (cuModuleLoadData(&m, ptx) || cuModuleGetFunction(&f, m, "k"))
        BAIL_OUT("%s", softgpuLastMessage());
    return f;
}

static void draw_tickets(u64 seed, u32 out[ALL])
{
    CUcontext c;
    CUdeviceptr counter, d;
    CUfunction f = load(tickets, &c);
    void *args[] = { &counter, &d };
    cuMemAlloc_v2(&counter, 4);
    cuMemAlloc_v2(&d, ALL * sizeof *out);
    cuMemsetD32_v2(counter, 0, 1);
    softgpuSetSeed(seed);
    cuLaunchKernel(f, BLOCKS, 1, 1, THREADS, 1, 1, 0, NULL, args, NULL);
    if (cuMemcpyDtoH_v2(out, d, ALL * sizeof *out))
        BAIL_OUT("%s", softgpuLastMessage());
    softgpuSetSeed(0);
    cuCtxDestroy_v2(c);
}

/* Does every thread have a ticket of its own, with lanes of a warp in their order? */
static bool is_order(const u32 out[ALL])
{
    bool seen[TOTAL_WARPS] = { false };
    for (u32 i = 0; i < ALL; i++) {
        if (out[i] >= ALL || out[i] % WARP != i % WARP || out[i] / WARP != out[i - i % WARP] / WARP)
            return false;
        if (i % WARP == 0 && seen[out[i] / WARP])
            return false;
        seen[out[i] / WARP] = true;
    }
    return true;
}

static void test_seed(void)
{
    u32 natural[ALL], other[ALL], again[ALL], blocks = 0, warps = 0, orders = 0;
    bool sorted = true;
    draw_tickets(0, natural);
    for (u32 i = 0; i < ALL; i++)
        sorted = sorted && natural[i] == i;
    ok(sorted, "without a seed blocks and warps run in their order");
    for (u64 seed = 1; seed <= 8; seed++) {
        draw_tickets(seed, other);
        draw_tickets(seed, again);
        orders += is_order(other) && !memcmp(other, again, sizeof other);
        blocks += other[0] >= THREADS;
        warps += other[0] % THREADS != 0;
    }
    ok(orders == 8, "with a seed every thread still runs once, and each time in the same order");
    ok(blocks >= 4, "seeds change which block is first (%u of 8)", blocks);
    ok(warps >= 4, "and which of its warps is (%u of 8)", warps);
}

static void test_lowest_fault(void)
{
    u32 good = 0, rounds = 0;
    softgpuSetThreads(4);
    for (u32 first = 3; first < 19; first++, rounds++) {
        CUcontext c;
        char place[40];
        CUfunction f = load(failing, &c);
        void *args[] = { &first };
        cuLaunchKernel(f, 32, 1, 1, 32, 1, 1, 0, NULL, args, NULL);
        snprintf(place, sizeof place, "block (%u,0,0)", first);
        bool named = strstr(softgpuLastMessage(), place) != NULL;
        if (!named)
            diag("expected %s: %s", place, softgpuLastMessage());
        good += cuCtxSynchronize() == CUDA_ERROR_ILLEGAL_ADDRESS && named;
        cuCtxDestroy_v2(c);
    }
    softgpuSetThreads(0);
    ok(good == rounds, "of the blocks that fail on four threads the lowest is reported (%u of %u)", good, rounds);
}

int main(void)
{
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 20);
    test_seed();
    test_lowest_fault();
    return done_testing();
}
