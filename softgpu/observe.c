/* The observers' switchboard. */
#include "observe.h"
#include "counters.h"
#include "init_regs.h"
#include "lanes.h"
#include "mem.h"
#include "racecheck.h"
#include "report.h"

static bool on(const worker *W, u32 check) { return (W->L->checks & check) != 0; }

bool observer_start(worker *W)
{
    static u32 clock = 1;
    u32 n = W->L->k->ncode;
    if (on(W, SOFTGPU_COUNTERS)) {
        W->ins_warps = calloc(n, sizeof(u64));
        W->ins_threads = calloc(n, sizeof(u64));
        if (!W->ins_warps || !W->ins_threads) return false;
    }
    if (on(W, SOFTGPU_RACECHECK)) {
        W->L->start_time = W->clock = ++clock;
        W->clock_home = &clock;
        W->c.race = race_new(W->c.shared_size);
        if (W->L->ctas < 1 << 24) W->cta_release = calloc((size_t)W->L->ctas, sizeof(u32));
        if (!W->c.race) return false;
    }
    return !on(W, SOFTGPU_INITCHECK) || init_start(W);
}

void observer_end(worker *W)
{
    if (W->ins_warps && W->ins_threads) counters_end(W);
    if (W->clock_home) *W->clock_home = W->clock + 1;
    free(W->ins_warps);
    free(W->ins_threads);
    free(W->cta_release);
    race_free(W->c.race);
    if (on(W, SOFTGPU_INITCHECK)) init_end(W);
}

void observe_cta(worker *W)
{
    for (u32 i = 0; i < W->c.nwarps; i++) W->c.warps[i].epoch = 0;
    if (on(W, SOFTGPU_RACECHECK)) race_cta(W);
    if (on(W, SOFTGPU_INITCHECK)) init_cta(W);
}

void observe_instruction(worker *W, warp *w, const ins *k, u32 m)
{
    (void)w;
    if (on(W, SOFTGPU_COUNTERS) && k->first) {
        u32 i = (u32)(k - W->L->k->code);
        W->ins_warps[i]++;
        W->ins_threads[i] += (u32)__builtin_popcount(m);
    }
    if (k->kind == K_NOP && k->cls == CL_BARRIER && on(W, SOFTGPU_RACECHECK)) race_fence(W, k);
}

void observe_alu(worker *W, warp *w, const ins *k, const u8 *R, u32 m)
{
    if (on(W, SOFTGPU_INITCHECK)) init_alu(W, w, k, R, m);
}

static int space_of(const ins *k, u64 a)
{
    if (k->space == SP_CONST) return SP_GLOBAL;
    if (k->space != SP_GENERIC) return k->space;
    u64 at = a - SHARED_WINDOW;
    return at >= 3 * WINDOW_SIZE ? SP_GLOBAL : at < WINDOW_SIZE ? SP_SHARED : at < 2 * WINDOW_SIZE ? SP_LOCAL : SP_PARAM;
}

/* The lanes of m whose addresses lie in the first one's space. */
static u32 lanes_of_space(const ins *k, u32 m, const u64 *addr, int space)
{
    u32 same = m;
    if (k->space != SP_GENERIC) return m;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        if (space_of(k, addr[__builtin_ctz(lanes)]) != space) same &= ~(lanes & -lanes);
    return same;
}

static void observe_space(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what, int space)
{
    if (on(W, SOFTGPU_COUNTERS) && k->space != SP_CONST) count_access(W, k, m, addr, what, space);
    if (on(W, SOFTGPU_INITCHECK)) init_access(W, w, k, m, addr, what, space);
    if (on(W, SOFTGPU_RACECHECK)) race_access(W, w, k, R, m, addr, what, space);
}

/* Generic addresses of one access may lie in several spaces. */
void observe_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what)
{
    for (u32 rest = m, lanes; rest; rest &= ~lanes) {
        int space = space_of(k, addr[__builtin_ctz(rest)]);
        lanes = lanes_of_space(k, rest, addr, space);
        observe_space(W, w, k, R, lanes, addr, what, space);
    }
}

void observe_branch(worker *W, warp *w, const ins *k, const u8 *R, u32 active, u32 taken)
{
    (void)R;
    if (k->guard) {
        W->counts.branches++;
        W->counts.divergent_branches += taken && taken != active;
    }
    if (on(W, SOFTGPU_INITCHECK)) init_branch(W, w, k, active);
}

void observe_barrier(worker *W, warp *w, const ins *k, const u8 *R, u32 m)
{
    u32 lane = (u32)__builtin_ctz(m), expected = ((const L32 *)(const void *)(R + k->b))[lane];
    const char *opcode = W->L->k->funcs[k->func].src->code[k->pins].opcode;
    bool aligned = k->flags & F_ALIGNED || !strncmp(opcode, "bar.", 4);
    W->counts.barriers++;
    if (!on(W, SOFTGPU_SYNCCHECK)) return;
    if (aligned && m != w->live)
        report_at(W, w, k, lane, SOFTGPU_SYNCCHECK, 0, NULL, "divergent barrier: lanes 0x%08x of 0x%08x are there", m, w->live);
    if (expected % WARP)
        report_at(W, w, k, lane, SOFTGPU_SYNCCHECK, 0, NULL, "barrier for %u threads, which is no multiple of 32", expected);
}

void observe_spin(worker *W, warp *w, const ins *k)
{
    u32 m = w->current >= 0 ? w->nodes[w->current].mask : w->live;
    if (on(W, SOFTGPU_SYNCCHECK) && m)
        report_at(W, w, k, (u32)__builtin_ctz(m), SOFTGPU_SYNCCHECK, 0, NULL, "a loop waits for lanes of its own warp; other paths were let go on");
}

void observe_call(worker *W, warp *w, const ins *k, u32 m)
{
    if (on(W, SOFTGPU_INITCHECK)) init_call(W, w, k, m);
}

void observe_return(worker *W, warp *w, const call *c, u32 m)
{
    if (on(W, SOFTGPU_INITCHECK)) init_return(W, w, c, m);
}

void observe_collective(worker *W, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    const u8 *R = w->regs + W->L->k->funcs[k->func].frame;
    if (on(W, SOFTGPU_INITCHECK)) init_collective(W, w, k, R, m, poisoned);
    if (k->kind == K_WARPSYNC) w->epoch++;
    if (!on(W, SOFTGPU_SYNCCHECK)) return;
    u32 missing = named & w->live & ~m, strangers = m & ~named;
    if (poisoned)
        report_at(W, w, k, (u32)__builtin_ctz(poisoned), SOFTGPU_SYNCCHECK, 0, NULL, "shuffle from a lane that is not there: lanes 0x%08x get no value", poisoned);
    else if (missing)
        report_at(W, w, k, (u32)__builtin_ctz(m), SOFTGPU_SYNCCHECK, 0, NULL, "lanes 0x%08x are named but never come", missing);
    if (strangers)
        report_at(W, w, k, (u32)__builtin_ctz(strangers), SOFTGPU_SYNCCHECK, 0, NULL, "lanes 0x%08x run a warp operation that does not name them", strangers);
}
