/* Asynchronous copies and mbarriers as the checkers understand them: the hooks are called as an executor would, on a
 * block of two warps that share 256 bytes of shared memory. */
#include "conformance/tap/tap.h"
#undef fail
#include "checkers.h"
#include "findings.h"

enum { COPY, LOAD, STORE, OPCODES };

static pins statements[OPCODES] = { { .opcode = "cp.async.ca.shared.global", .line = 1, .loc = -1 },
                                    { .opcode = "ld.shared.u32", .line = 2, .loc = -1 },
                                    { .opcode = "st.shared.u32", .line = 3, .loc = -1 } };
static u8 registers[2048], shared[256];
static func source = { .name = "k", .code = statements, .ncode = OPCODES };
static kfunc functions[1] = { { .src = &source } };
static ins code[OPCODES] = { { .kind = K_LD, .cls = CL_LOAD, .pins = COPY, .line = 1, .size = 4, .n = 1 },
                             { .kind = K_LD, .cls = CL_LOAD, .pins = LOAD, .line = 2, .size = 4, .n = 1 },
                             { .kind = K_ST, .cls = CL_STORE, .pins = STORE, .line = 3, .size = 4, .n = 1 } };
static kernel kern = { .f = &source, .code = code, .ncode = OPCODES, .funcs = functions, .nfuncs = 1 };

typedef struct scene {
    launch L;
    worker W;
    warp warps[2];
    observers all;
    memory mem;
} scene;

static void begin(scene *s)
{
    memset(s, 0, sizeof *s);
    s->all.all[0] = &racecheck;
    s->all.count = s->all.on = 1;
    s->L = (launch){ .k = &kern, .mem = &s->mem, .grid = { 1, 1, 1 }, .block = { 64, 1, 1 }, .threads = 64, .ctas = 1 };
    s->L.observers = &s->all;
    s->W.L = &s->L;
    s->W.c = (cta){ .shared = shared, .shared_size = sizeof shared, .warps = s->warps, .nwarps = 2 };
    for (u32 i = 0; i < 2; i++)
        s->warps[i] = (warp){ .regs = registers, .index = i, .lanes = ~0u, .live = ~0u };
    softgpuClearReports();
    ok(observers_begin(&s->L) && watch_worker(&s->W), "the check begins");
    TELL(&s->W, cta_begin, &s->W.c);
}

static size_t end(scene *s)
{
    unwatch_worker(&s->W);
    observers_end(&s->L);
    free(s->all.device[0]);
    return softgpuReportCount();
}

/* Thread 0 copies a word to shared address 16. */
static void copy(scene *s, u32 group, u64 signals)
{
    async_event e = { .to_space = SP_SHARED, .to = 16, .bytes = 4, .read = 4, .group = group, .signals = signals };
    TELL(&s->W, async_copy, &s->warps[0], &code[COPY], &e);
}

static void access_word(scene *s, u32 warp_index, int opcode)
{
    u64 addr[WARP] = { 16 };
    access_event e = { opcode == LOAD ? ACCESS_LOAD : ACCESS_STORE, SP_SHARED, 1, addr, registers };
    TELL(&s->W, access, &s->warps[warp_index], &code[opcode], &e);
}

static void wait_groups(scene *s, u32 complete)
{
    u32 all[WARP];
    for (u32 i = 0; i < WARP; i++)
        all[i] = complete;
    TELL(&s->W, async_wait, &s->warps[0], &code[COPY], ~0u, all);
}

static void meet(scene *s)
{
    static ins bar = { .kind = K_BAR, .arg = BAR_SYNC };
    for (u32 i = 0; i < 2; i++)
        TELL(&s->W, barrier, &s->warps[i], &bar, registers, ~0u);
    TELL(&s->W, barrier_release, &s->W.c, 1);
}

static void arrive(scene *s, u32 warp_index)
{
    u64 addr[WARP] = { 128 };
    TELL(&s->W, mbarrier_arrive, &s->warps[warp_index], &code[COPY], 1, addr, SCOPE_CTA);
}

static void see(scene *s, u32 warp_index)
{
    u64 addr[WARP] = { 128 };
    TELL(&s->W, mbarrier_wait, &s->warps[warp_index], &code[COPY], 1, addr, SCOPE_CTA);
}

static void test_groups(void)
{
    scene s;
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    access_word(&s, 0, LOAD);
    ok(end(&s) == 1, "a thread that reads what it copies, before it waits, races with its own copy");
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    wait_groups(&s, 1);
    access_word(&s, 0, LOAD);
    ok(end(&s) == 0, "after it has waited it does not");
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    copy(&s, 1, NO_MBARRIER);
    wait_groups(&s, 1);
    access_word(&s, 0, LOAD);
    ok(end(&s) == 2, "one group too few: the second copy races, with the first one and with the reader");
    begin(&s);
    access_word(&s, 0, STORE);
    copy(&s, 0, NO_MBARRIER);
    ok(end(&s) == 0, "a copy comes after what its thread did before");
}

static void test_barriers(void)
{
    scene s;
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    wait_groups(&s, 1);
    meet(&s);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 0, "wait, then a barrier: another warp may read");
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    meet(&s);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 1, "a barrier alone does not wait for copies");
    begin(&s);
    copy(&s, 0, NO_MBARRIER);
    wait_groups(&s, 1);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 1, "and a wait tells only the thread that waited");
}

static void test_mbarriers(void)
{
    scene s;
    begin(&s);
    copy(&s, 0, 128);
    see(&s, 1);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 0, "a copy that signals an mbarrier is known to those who see it complete");
    begin(&s);
    copy(&s, 0, 128);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 1, "and to nobody else");
    begin(&s);
    access_word(&s, 0, STORE);
    arrive(&s, 0);
    see(&s, 1);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 0, "who arrives hands on what it did before");
    begin(&s);
    arrive(&s, 0);
    access_word(&s, 0, STORE);
    see(&s, 1);
    access_word(&s, 1, LOAD);
    ok(end(&s) == 1, "and not what it does afterwards");
}

int main(void)
{
    plan(NO_PLAN);
    test_groups();
    test_barriers();
    test_mbarriers();
    return done_testing();
}
