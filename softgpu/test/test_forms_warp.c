/* Forms of warps, barriers and control: a kernel each, with the result worked out by hand. */
#include "test_forms.h"

/* --- warp operations on a block of 40: a full warp and one of eight lanes --- */
static u64 up3(u32 t) { return t % 32 >= 3 ? t - 3 + 1000 : t; }
static u64 down3(u32 t)
{
    u32 l = t % 32;
    return l + 3 < 32 && (t < 32) ? t + 3 + 1000 : l + 3 < 8 && t >= 32 ? t + 3 + 1000 : t;
}
static u64 down_segment(u32 t) { return t % 8 + 3 < 8 ? t + 3 + 1000 : t; }
static u64 bfly5(u32 t) { return (t ^ 5) + 1000; }
static u64 idx2(u32 t) { return (t & ~7u) + 2 + 1000; }
static u64 ballot(u32 t) { return t < 32 ? 0x49249249 : 0x92; }
static u64 votes(u32 t) { return t < 32 ? 2 : 2 + 4 * 0; }
static u64 uniform(u32 t)
{
    (void)t;
    return 7;
}
static u64 match_any(u32 t)
{
    u32 lanes = t < 32 ? 32 : 8, m = 0;
    for (u32 i = 0; i < lanes; i++)
        if (i % 4 == t % 4)
            m |= 1u << i;
    return m;
}
static u64 match_all(u32 t) { return t < 32 ? 0xffffffffu : 0xff; }
static u64 zero(u32 t)
{
    (void)t;
    return 0;
}
static u64 sum_lanes(u32 t) { return t < 32 ? 496 : 32 + 33 + 34 + 35 + 36 + 37 + 38 + 39; }
static u64 min_lanes(u32 t) { return t < 32 ? 0 : 32; }
static u64 max_lanes(u32 t) { return t < 32 ? 31 : 39; }
static u64 or_lanes(u32 t) { return t < 32 ? 31 : 39; }
static u64 and_lanes(u32 t) { return t < 32 ? 0 : 32; }
static u64 xor_lanes(u32 t)
{
    (void)t;
    return 0;
}
/* The values are -1.0 * thread, and a NaN in lane 1. */
static u64 least_float(u32 t) { return f32_bits(t < 32 ? -31.0f : -39.0f); }
static u64 largest_float(u32 t) { return t < 32 ? 0x80000000u : f32_bits(-32.0f); }
static u64 farthest(u32 t) { return f32_bits(t < 32 ? 31.0f : 39.0f); }
static u64 not_a_number(u32 t) { return t < 32 ? 0x7fffffffu : f32_bits(-32.0f); }
static u64 active_odd(u32 t)
{
    u32 lanes = t < 32 ? ~0u : 0xffu;
    return t % 2 ? lanes & 0xaaaaaaaau : 0;
}
static u64 elected(u32 t) { return t % 32 == 0 ? 1 : 0; }
static u64 reversed(u32 t) { return 39 - t; }
static u64 bar_count(u32 t)
{
    (void)t;
    return 14 + 100;
}
static u64 arrival(u32 t) { return t < 32 ? 0 : t - 32 + 5; }
static u64 called(u32 t) { return t % 2 ? (u64)t * t + 1 : 3; }
static u64 fifty(u32 t)
{
    (void)t;
    return 50;
}

#define SHFL(mode, b, c) \
    "add.u32 %r5, %r0, 1000; activemask.b32 %r9; shfl.sync." mode ".b32 %r6|%p1, %r5, " b ", " c \
    ", %r9; selp.u32 %r6, %r6, %r0, %p1; st.global.u32 [%d3], %r6;"
#define WITH_MASK "activemask.b32 %r9; "

#define FLOAT_VALUES "cvt.rn.f32.u32 %r5, %r0; neg.f32 %r5, %r5; setp.eq.u32 %p1, %r0, 1; "
#define FLOATS(op) \
    WITH_MASK FLOAT_VALUES "selp.b32 %r5, 0x7fc00001, %r5, %p1; redux.sync." op \
                           " %r6, %r5, %r9; st.global.u32 [%d3], %r6;"

static const body_case warp_bodies[] = {
    { "shfl.sync.up", "shfl.sync.up.b32 activemask.b32", SHFL("up", "3", "0"), 40, up3 },
    { "shfl.sync.down", "shfl.sync.down.b32",
      "setp.ge.u32 %p2, %r0, 32; selp.u32 %r4, 7, 31, %p2; " SHFL("down", "3", "%r4"), 40, down3 },
    { "shfl.sync.down in segments of eight", "", SHFL("down", "3", "0x181f"), 40, down_segment },
    { "shfl.sync.bfly", "shfl.sync.bfly.b32", SHFL("bfly", "5", "0x1f"), 40, bfly5 },
    { "shfl.sync.idx", "shfl.sync.idx.b32", SHFL("idx", "2", "0x181f"), 40, idx2 },
    { "vote.sync.ballot", "vote.sync.ballot.b32",
      WITH_MASK
      "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; vote.sync.ballot.b32 %r6, %p1, %r9; st.global.u32 [%d3], %r6;",
      40, ballot },
    { "vote.sync: some", "vote.sync.all.pred vote.sync.any.pred vote.sync.uni.pred",
      WITH_MASK "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; vote.sync.all.pred %p2, %p1, %r9; vote.sync.any.pred "
                "%p3, %p1, %r9; vote.sync.uni.pred %p4, %p1, %r9; selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 2, 0, %p3; "
                "selp.u32 %r8, 4, 0, %p4; or.b32 %r6, %r6, %r7; or.b32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;",
      40, votes },
    { "vote.sync: all, with a negated predicate", "",
      WITH_MASK "setp.gt.u32 %p1, %r0, 100; vote.sync.all.pred %p2, !%p1, %r9; vote.sync.any.pred %p3, !%p1, %r9; "
                "vote.sync.uni.pred %p4, %p1, %r9; selp.u32 %r6, 1, 0, %p2; selp.u32 %r7, 2, 0, %p3; selp.u32 %r8, 4, "
                "0, %p4; or.b32 %r6, %r6, %r7; or.b32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;",
      40, uniform },
    { "match.any.sync.b32", "match.any.sync.b32",
      WITH_MASK "and.b32 %r5, %r0, 3; match.any.sync.b32 %r6, %r5, %r9; st.global.u32 [%d3], %r6;", 40, match_any },
    { "match.any.sync.b64", "match.any.sync.b64",
      WITH_MASK
      "and.b32 %r5, %r0, 3; mov.b64 %d5, {%r2,%r5}; match.any.sync.b64 %r6, %d5, %r9; st.global.u32 [%d3], %r6;",
      40, match_any },
    { "match.all.sync.b32", "match.all.sync.b32",
      WITH_MASK "mov.u32 %r5, 9; match.all.sync.b32 %r6|%p1, %r5, %r9; @%p1 st.global.u32 [%d3], %r6;", 40, match_all },
    { "match.all.sync.b64 that differ", "match.all.sync.b64",
      WITH_MASK "cvt.u64.u32 %d5, %r0; match.all.sync.b64 %r6|%p1, %d5, %r9; @!%p1 st.global.u32 [%d3], %r6;", 40,
      zero },
    { "redux.sync.add", "redux.sync.add.u32", WITH_MASK "redux.sync.add.s32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;",
      40, sum_lanes },
    { "redux.sync.min", "redux.sync.min.u32 redux.sync.min.s32",
      WITH_MASK "redux.sync.min.u32 %r6, %r0, %r9; redux.sync.min.s32 %r6, %r6, %r9; st.global.u32 [%d3], %r6;", 40,
      min_lanes },
    { "redux.sync.max", "redux.sync.max.u32 redux.sync.max.s32",
      WITH_MASK "redux.sync.max.u32 %r6, %r0, %r9; redux.sync.max.s32 %r6, %r6, %r9; st.global.u32 [%d3], %r6;", 40,
      max_lanes },
    { "redux.sync.min.f32", "redux.sync.min.f32", FLOATS("min.f32"), 40, least_float },
    { "redux.sync.max.f32: -0 is the largest, NaN is ignored", "redux.sync.max.f32", FLOATS("max.f32"), 40,
      largest_float },
    { "redux.sync.max.abs.f32", "", FLOATS("max.abs.f32"), 40, farthest },
    { "redux.sync.max.NaN.f32", "", FLOATS("max.NaN.f32"), 40, not_a_number },
    { "redux.sync.and", "redux.sync.and.b32", WITH_MASK "redux.sync.and.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;",
      40, and_lanes },
    { "redux.sync.or", "redux.sync.or.b32", WITH_MASK "redux.sync.or.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 40,
      or_lanes },
    { "redux.sync.xor", "redux.sync.xor.b32", WITH_MASK "redux.sync.xor.b32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;",
      40, xor_lanes },
    { "activemask in a branch", "",
      "and.b32 %r5, %r0, 1; setp.eq.u32 %p1, %r5, 0; @%p1 bra OUT; activemask.b32 %r6; st.global.u32 [%d3], "
      "%r6; OUT:",
      40, active_odd },
    { "elect.sync", "elect.sync",
      WITH_MASK "elect.sync %r6|%p1, %r9; selp.u32 %r7, 1, 0, %p1; st.global.u32 [%d3], %r7;", 40, elected },
    { "bar.sync and bar.warp.sync", "bar.sync bar.warp.sync barrier.sync",
      "bar.warp.sync -1; st.shared.u32 [%r1], %r0; bar.sync 0; sub.u32 %r5, 39, %r0; shl.b32 %r5, %r5, 4; "
      "add.u32 %r5, %r5, %r2; barrier.sync 1; ld.shared.u32 %r6, [%r5]; st.global.u32 [%d3], %r6;",
      40, reversed },
    { "bar.red", "bar.red.popc.u32 bar.red.and.pred bar.red.or.pred",
      "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; bar.red.popc.u32 %r6, 0, %p1; bar.red.and.pred %p2, 0, "
      "%p1; bar.red.or.pred %p3, 0, !%p1; selp.u32 %r7, 1000, 0, %p2; selp.u32 %r8, 100, 0, %p3; add.u32 %r6, "
      "%r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;",
      40, bar_count },
    { "barrier.red", "barrier.red.popc.u32 barrier.red.and.pred barrier.red.or.pred",
      "rem.u32 %r5, %r0, 3; setp.eq.u32 %p1, %r5, 0; barrier.red.popc.u32 %r6, 0, %p1; barrier.red.and.pred "
      "%p2, 0, %p1; barrier.red.or.pred %p3, 0, !%p1; selp.u32 %r7, 1000, 0, %p2; selp.u32 %r8, 100, 0, %p3; "
      "add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 [%d3], %r6;",
      40, bar_count },
    { "bar.arrive", "bar.arrive barrier.arrive",
      "setp.ge.u32 %p1, %r0, 32; @%p1 bra WAIT; add.u32 %r5, %r0, 5; st.shared.u32 [%r1], %r5; bar.arrive 3, 64; "
      "ret; WAIT: bar.sync 3, 64; sub.u32 %r5, %r1, 512; ld.shared.u32 %r6, [%r5]; st.global.u32 [%d3], %r6;",
      64, arrival },
    { "fences and hints",
      "membar.gl fence.sc.gpu prefetch.global.L1 prefetchu.L1 nanosleep.u32 fence.proxy.async "
      "fence.mbarrier_init.release.cluster "
      "applypriority.global.L2::evict_normal discard.global.L2 griddepcontrol.wait setmaxnreg.inc.sync.aligned.u32 "
      "pmevent",
      "membar.gl; fence.sc.gpu; prefetch.global.L1 [%d0]; prefetchu.L1 [%d0]; nanosleep.u32 20; fence.proxy.async; "
      "fence.mbarrier_init.release.cluster; applypriority.global.L2::evict_normal [%d0], 128; discard.global.L2 [%d0], "
      "128; "
      "griddepcontrol.wait; setmaxnreg.inc.sync.aligned.u32 96; pmevent 3; st.global.u32 [%d3], 7;",
      40, uniform },
    { "branches, loops and exits", "bra ret exit call trap brkpt alloca.u64 stacksave.u64 stackrestore.u64",
      "and.b32 %r5, %r0, 1; setp.eq.u32 %p1, %r5, 0; mov.u32 %r6, 1; @%p1 bra EVEN; mov.u32 %r7, 0; LOOP: "
      "add.u32 %r6, %r6, %r0; add.u32 %r7, %r7, 1; setp.lt.u32 %p2, %r7, %r0; @%p2 bra LOOP; st.global.u32 "
      "[%d3], %r6; exit; EVEN: mov.u32 %r6, 3; bra.uni END; trap; END: st.global.u32 [%d3], %r6;",
      40, called },
    { "a spin lock within a warp", "",
      "mov.u32 %r5, 0; st.shared.u32 [sh+8000], 0; st.shared.u32 [sh+8004], 0; bar.sync 0; SPIN: "
      "atom.shared.cas.b32 %r6, [sh+8000], %r5, 1; setp.ne.u32 %p1, %r6, 0; @%p1 bra SPIN; ld.shared.u32 %r7, "
      "[sh+8004]; add.u32 %r7, %r7, 1; st.shared.u32 [sh+8004], %r7; atom.shared.exch.b32 %r6, [sh+8000], 0; "
      "bar.sync 0; ld.shared.u32 %r7, [sh+8004]; st.global.u32 [%d3], %r7;",
      50, fifty },
};

/* --- masks that differ within a warp: tiles of eight lanes --- */
#define TILES "and.b32 %r4, %r0, 24; mov.u32 %r9, 0xff; shl.b32 %r9, %r9, %r4; add.u32 %r5, %r0, 1000; "
static u64 tile_first(u32 t) { return (t & ~7u) + 1000; }
static u64 tile_down(u32 t) { return t % 8 < 6 ? t + 2 + 1000 : t + 1000; }
static u64 tile_sum(u32 t) { return 8 * (t / 8 * 8) + 28; }
static u64 tile_ballot(u32 t) { return (u64)(t / 8 % 4 == 1 ? 0xff : 0x11) << (t & 24); }
static u64 tile_all(u32 t) { return t / 8 % 4 == 1 ? 7 : 2; }
static u64 tile_match(u32 t) { return (u64)(0x11u << t % 4) << (t & 24); }
static u64 tile_leader(u32 t) { return t % 8 == 0; }
static u64 tile_branches(u32 t) { return t % 32 < 8 ? (t & ~7u) + 1007 : (t & ~7u) + 1000; }
static u64 half_reduce(u32 t) { return t / 16 ? 16 * 16 + 120 : 120; }
static u64 met(u32 t) { return (t ^ 1) + 5; }

static u64 from_next(u32 t) { return (t + 32) % 128 + 5; }
static u64 phases(u32 t) { return t % 32 == 0 ? 0 : 1; }
static u64 counted(u32 t) { return (void)t, 0x16; }
static u64 dropped(u32 t) { return (void)t, 110; }
static u64 three(u32 t) { return (void)t, 3; }
static u64 flagged(u32 t) { return t < 32 ? 1234 : 0; }

/* Barriers in shared memory, and warps that wait for one another without a barrier. */
static const body_case waiting_bodies[] = {
    { "mbarrier: every thread arrives, and waits by state",
      "mbarrier.init.shared.b64 mbarrier.arrive.shared.b64 mbarrier.test_wait.shared.b64 mbarrier.inval.shared.b64",
      "setp.ne.u32 %p1, %r0, 0; mov.u32 %r4, sh; add.u32 %r4, %r4, 4096; @%p1 bra GO; mbarrier.init.shared.b64 [%r4], "
      "128; GO: "
      "bar.sync 0; add.u32 %r5, %r0, 5; st.shared.u32 [%r1], %r5; mbarrier.arrive.shared.b64 %d5, [%r4]; WAIT: "
      "mbarrier.test_wait.shared.b64 %p2, [%r4], %d5; @!%p2 bra WAIT; add.u32 %r6, %r0, 32; and.b32 %r6, %r6, 127; "
      "shl.b32 %r6, "
      "%r6, 4; add.u32 %r6, %r6, %r2; ld.shared.u32 %r7, [%r6]; st.global.u32 [%d3], %r7; bar.sync 0; @%p1 bra END; "
      "mbarrier.inval.shared.b64 [%r4]; END:",
      128, from_next },
    { "mbarrier: bytes that are awaited, by parity",
      "mbarrier.arrive.expect_tx.shared.b64 mbarrier.complete_tx.shared.b64 mbarrier.try_wait.parity.shared.b64 "
      "mbarrier.test_wait.parity.shared.b64 mbarrier.expect_tx.shared.b64 mbarrier.try_wait.shared.b64",
      "setp.ne.u32 %p1, %r0, 0; mov.u32 %r4, sh; add.u32 %r4, %r4, 4096; @%p1 bra GO; mbarrier.init.shared::cta.b64 "
      "[%r4], 1; "
      "mbarrier.arrive.expect_tx.release.cta.shared::cta.b64 %d5, [%r4], 96; "
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%r4], 32; "
      "mbarrier.try_wait.shared.b64 %p4, [%r4], %d5; GO: bar.sync 0; mbarrier.test_wait.parity.shared.b64 %p3, [%r4], "
      "0; bar.sync 0; "
      "and.b32 %r5, %r0, 31; setp.ne.u32 %p2, %r5, 0; @%p2 bra WAIT; "
      "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [%r4], "
      "32; WAIT: mbarrier.try_wait.parity.shared.b64 %p5, [%r4], 0, 1000; @!%p5 bra WAIT; selp.u32 %r6, 1, 0, %p2; "
      "selp.u32 %r7, 10, "
      "0, %p3; add.u32 %r6, %r6, %r7; st.global.u32 [%d3], %r6;",
      128, phases },
    { "mbarrier: drops, pending counts",
      "mbarrier.arrive_drop.shared.b64 mbarrier.arrive_drop.noComplete.shared.b64 "
      "mbarrier.arrive.noComplete.shared.b64 "
      "mbarrier.pending_count.b64",
      "mov.u32 %r4, %r1; mbarrier.init.shared.b64 [%r4], 7; mbarrier.arrive.noComplete.shared.b64 %d5, [%r4], 1; "
      "mbarrier.arrive_drop.noComplete.shared.b64 %d6, [%r4], 1; mbarrier.pending_count.b64 %r5, %d6; "
      "mbarrier.arrive_drop.shared.b64 "
      "%d6, [%r4]; mbarrier.arrive.shared.b64 _, [%r4], 4; mbarrier.arrive.shared.b64 %d7, [%r4], 1; "
      "mbarrier.pending_count.b64 %r6, "
      "%d7; mbarrier.test_wait.shared.b64 %p2, [%r4], %d5; selp.u32 %r7, 11, 0, %p2; add.u32 %r5, %r5, %r6; add.u32 "
      "%r5, %r5, %r7; "
      "st.global.u32 [%d3], %r5;",
      128, counted },
    { "mbarrier: a drop that expects bytes", "mbarrier.arrive_drop.expect_tx.shared.b64",
      "mov.u32 %r4, %r1; mbarrier.init.shared.b64 [%r4], 2; mbarrier.arrive_drop.expect_tx.shared.b64 %d5, [%r4], 16; "
      "mbarrier.arrive.shared.b64 %d6, [%r4]; mbarrier.test_wait.shared.b64 %p2, [%r4], %d5; "
      "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%r4], 16; mbarrier.test_wait.shared.b64 %p3, [%r4], %d5; "
      "mbarrier.arrive.shared.b64 %d7, [%r4]; mbarrier.test_wait.shared.b64 %p4, [%r4], %d7; "
      "selp.u32 %r5, 1, 0, %p2; selp.u32 %r6, 10, 0, %p3; selp.u32 %r7, 100, 0, %p4; add.u32 %r5, %r5, %r6; "
      "add.u32 %r5, %r5, %r7; st.global.u32 [%d3], %r5;",
      128, dropped },
    { "modifiers in other orders than the ISA's", "",
      WITH_MASK
      "setp.lt.u32 %p1, %r0, 5; vote.ballot.sync.b32 %r5, %p1, %r9; atom.add.acq_rel.gpu.global.u32 %r6, [%d3], 1; "
      "atom.global.gpu.acq_rel.add.u32 %r7, [%d3], 2; ld.global.gpu.acquire.u32 %r8, [%d3]; sub.ftz.rn.f32 %r6, %r6, "
      "%r6; "
      "st.global.u32 [%d3], %r8;",
      40, three },
    { "a warp that waits for a later warp's flag in shared memory", "",
      "setp.ge.u32 %p1, %r0, 32; st.shared.u32 [sh+8000], 0; bar.sync 0; @%p1 bra SET; SPIN: ld.volatile.shared.u32 "
      "%r5, [sh+8000]; "
      "setp.eq.u32 %p2, %r5, 0; @%p2 bra SPIN; st.global.u32 [%d3], %r5; ret; SET: st.volatile.shared.u32 [sh+8000], "
      "1234;",
      64, flagged },
    { "barrier.cluster in a cluster of one block", "barrier.cluster.arrive barrier.cluster.wait",
      "add.u32 %r5, %r0, 5; st.shared.u32 [%r1], %r5; barrier.cluster.arrive.release.aligned; "
      "barrier.cluster.wait.acquire.aligned; "
      "add.u32 %r6, %r0, 32; and.b32 %r6, %r6, 127; shl.b32 %r6, %r6, 4; add.u32 %r6, %r6, %r2; ld.shared.u32 %r7, "
      "[%r6]; "
      "st.global.u32 [%d3], %r7;",
      128, from_next },
};

static const body_case tile_bodies[] = {
    { "shfl.sync.idx in tiles", "", TILES "shfl.sync.idx.b32 %r6, %r5, 0, 0x181f, %r9; st.global.u32 [%d3], %r6;", 64,
      tile_first },
    { "shfl.sync.down in tiles", "", TILES "shfl.sync.down.b32 %r6, %r5, 2, 0x181f, %r9; st.global.u32 [%d3], %r6;", 64,
      tile_down },
    { "redux.sync in tiles", "", TILES "redux.sync.add.u32 %r6, %r0, %r9; st.global.u32 [%d3], %r6;", 64, tile_sum },
    { "vote.sync.ballot in tiles", "",
      TILES "and.b32 %r6, %r0, 3; setp.eq.u32 %p1, %r6, 0; setp.eq.or.u32 %p1, %r4, 8, %p1; vote.sync.ballot.b32 %r6, "
            "%p1, %r9; st.global.u32 [%d3], %r6;",
      64, tile_ballot },
    { "vote.sync.all, any, uni in tiles", "",
      TILES
      "and.b32 %r6, %r0, 3; setp.eq.u32 %p1, %r6, 0; setp.eq.or.u32 %p1, %r4, 8, %p1; vote.sync.all.pred %p2, %p1, "
      "%r9; vote.sync.any.pred %p3, %p1, %r9; vote.sync.uni.pred %p4, %p1, %r9; selp.u32 %r6, 1, 0, %p2; selp.u32 "
      "%r7, 2, 0, %p3; selp.u32 %r8, 4, 0, %p4; add.u32 %r6, %r6, %r7; add.u32 %r6, %r6, %r8; st.global.u32 "
      "[%d3], %r6;",
      64, tile_all },
    { "match.any.sync in tiles", "",
      TILES "and.b32 %r6, %r0, 3; match.any.sync.b32 %r6, %r6, %r9; st.global.u32 [%d3], %r6;", 64, tile_match },
    { "match.all.sync in tiles", "",
      TILES "match.all.sync.b32 %r6|%p1, %r4, %r9; shr.u32 %r6, %r6, %r4; selp.u32 %r6, %r6, 0, %p1; add.u32 %r6, %r6, "
            "745; and.b32 %r7, %r0, 0xfffffff8; add.u32 %r6, %r6, %r7; st.global.u32 [%d3], %r6;",
      64, tile_first },
    { "elect.sync in tiles", "", TILES "elect.sync _|%p1, %r9; selp.u32 %r6, 1, 0, %p1; st.global.u32 [%d3], %r6;", 64,
      tile_leader },
    { "tiles on both sides of a branch", "",
      TILES "setp.eq.u32 %p1, %r4, 0; @%p1 bra ZERO; shfl.sync.idx.b32 %r6, %r5, 0, 0x181f, %r9; bra JOIN; ZERO: "
            "shfl.sync.idx.b32 %r6, %r5, 7, 0x181f, %r9; JOIN: st.global.u32 [%d3], %r6;",
      64, tile_branches },
    { "a reduction by shuffles in halves", "",
      "and.b32 %r4, %r0, 16; mov.u32 %r9, 0xffff; shl.b32 %r9, %r9, %r4; mov.u32 %r5, %r0; shfl.sync.bfly.b32 %r6, "
      "%r5, "
      "8, 0x101f, %r9; add.u32 %r5, %r5, %r6; shfl.sync.bfly.b32 %r6, %r5, 4, 0x101f, %r9; add.u32 %r5, %r5, %r6; "
      "shfl.sync.bfly.b32 %r6, %r5, 2, 0x101f, %r9; add.u32 %r5, %r5, %r6; shfl.sync.bfly.b32 %r6, %r5, 1, 0x101f, "
      "%r9; "
      "add.u32 %r5, %r5, %r6; st.global.u32 [%d3], %r5;",
      32, half_reduce },
    { "bar.warp.sync that lanes reach at different statements", "",
      "add.u32 %r5, %r0, 5; and.b32 %r6, %r0, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra EVEN; st.shared.u32 [%r1], %r5; "
      "bar.warp.sync -1; ld.shared.u32 %r7, [%r1-16]; bra OUT; EVEN: st.shared.u32 [%r1], %r5; bar.warp.sync -1; "
      "ld.shared.u32 %r7, [%r1+16]; OUT: st.global.u32 [%d3], %r7;",
      32, met },
};

void test_warp_forms(void)
{
    for (size_t i = 0; i < COUNT(tile_bodies); i++)
        check_body(&tile_bodies[i]);
    for (size_t i = 0; i < COUNT(waiting_bodies); i++)
        check_body(&waiting_bodies[i]);
    for (size_t i = 0; i < COUNT(warp_bodies); i++)
        check_body(&warp_bodies[i]);
}
