/* Every slot has a mask of lanes that are wholly defined; only for the others the defined bytes of the lane are looked at. While all
   is defined, an instruction costs three ANDs. */
#include "init_regs.h"
#include "lanes.h"
#include "mem.h"
#include "report.h"

static u32 slot_of(const warp *w, const u8 *R, u32 offset) { return (u32)((R - w->regs) + offset) / SLOT; }

bool init_start(worker *W)
{
    const kernel *k = W->L->k;
    u32 slots = k->regs_size / SLOT + 4;
    W->c.init = calloc(W->c.shared_size / 64 + 2, sizeof(u64));
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        w->defined = malloc(slots * sizeof *w->defined);
        w->bytes = calloc(slots, WARP);
        w->local_init = calloc((size_t)W->L->local_stride * WARP / 64 + 2, sizeof(u64));
        if (!w->defined || !w->bytes || !w->local_init) return false;
        memset(w->defined, 0xff, slots * sizeof *w->defined);
    }
    return W->c.init != NULL;
}

void init_end(worker *W)
{
    free(W->c.init);
    for (u32 i = 0; W->c.warps && i < W->c.nwarps; i++) {
        free(W->c.warps[i].defined);
        free(W->c.warps[i].bytes);
        free(W->c.warps[i].local_init);
    }
}

/* Registers that some path reads before it writes them begin undefined; all others are written first. */
static void enter_function(const worker *W, warp *w, u32 fi, u32 m)
{
    const kfunc *f = &W->L->k->funcs[fi];
    for (int i = 0; i < f->nuninit; i++) {
        u32 s = (f->frame + f->uninit[i]) / SLOT;
        w->defined[s] &= ~m;
        for (u32 l = 0; l < WARP; l++)
            if (m >> l & 1) w->bytes[s * WARP + l] = 0;
    }
}

void init_cta(worker *W)
{
    memset(W->c.init, 0, (W->c.shared_size / 64 + 2) * sizeof(u64));
    for (u32 i = 0; i < W->c.nwarps; i++) {
        warp *w = &W->c.warps[i];
        memset(w->local_init, 0, ((size_t)W->L->local_stride * WARP / 64 + 2) * sizeof(u64));
        enter_function(W, w, (u32)W->L->k->nfuncs - 1, ~0u);
    }
}

static u8 lane_bytes(const warp *w, u32 slot, u32 lane) { return w->defined[slot] >> lane & 1 ? 0xff : w->bytes[slot * WARP + lane]; }

static void set_lane(warp *w, u32 slot, u32 lane, u8 bytes, u8 all)
{
    bool whole = (bytes & all) == all;
    w->defined[slot] = (w->defined[slot] & ~(1u << lane)) | (u32)whole << lane;
    w->bytes[slot * WARP + lane] = bytes;
}

/* Bytes that are defined in the result of a & b: both are, or one is and is zero; likewise ones for |. */
static u8 through_and(u64 va, u64 vb, u8 a, u8 b, u8 absorbs)
{
    u8 r = a & b;
    for (int i = 0; i < 8; i++) {
        bool za = a >> i & 1 && (u8)(va >> 8 * i) == absorbs, zb = b >> i & 1 && (u8)(vb >> 8 * i) == absorbs;
        if (za || zb) r |= (u8)(1 << i);
    }
    return r;
}

static u8 upward(u8 both)
{
    u8 missing = (u8)~both;
    return missing ? (u8)((missing & -missing) - 1) : 0xff;
}

static u64 lane_value(const ins *k, const u8 *R, u32 offset, u32 lane)
{
    return k->dsize == 8 ? ((const L64 *)(const void *)(R + offset))[lane] : ((const L32 *)(const void *)(R + offset))[lane];
}

static u8 shifted(const ins *k, const u8 *R, u8 a, u8 b, u32 lane, bool left)
{
    u32 n = ((const L32 *)(const void *)(R + k->b))[lane];
    if (b != 0xff) return 0;
    if (n % 8) return left ? upward(a) << n / 8 : a == 0xff ? 0xff : 0;
    u32 by = n / 8 > 8 ? 8 : n / 8, in = (1u << by) - 1;
    return left ? (u8)(a << by | in) : (u8)(a >> by | (u8)(in << ((k->dsize == 8 ? 8 : 4) - (by > 4 && k->dsize != 8 ? 4 : by))));
}

static u8 result_bytes(const warp *w, const ins *k, const u8 *R, u32 lane)
{
    u8 a = lane_bytes(w, slot_of(w, R, k->a), lane), b = lane_bytes(w, slot_of(w, R, k->b), lane);
    u8 c = lane_bytes(w, slot_of(w, R, k->c), lane), e = lane_bytes(w, slot_of(w, R, k->e), lane);
    u32 p = *(const L32 *)(const void *)(R + k->c) >> lane & 1;
    switch (k->rule) {
    case INIT_MOVE: return a;
    case INIT_NARROW: return a | 0xf0;
    case INIT_BITWISE: return a & b & c;
    case INIT_AND: return through_and(lane_value(k, R, k->a, lane), lane_value(k, R, k->b, lane), a, b, 0);
    case INIT_OR: return through_and(lane_value(k, R, k->a, lane), lane_value(k, R, k->b, lane), a, b, 0xff);
    case INIT_UPWARD: return upward(a & b & c & e);
    case INIT_SELECT: return c & 1 ? (p ? a : b) : 0;
    case INIT_SHL: return shifted(k, R, a, b, lane, true);
    case INIT_SHR: return shifted(k, R, a, b, lane, false);
    case INIT_LOW: return a | 0xf0;
    case INIT_HIGH: return (u8)(a >> 4 | 0xf0);
    case INIT_HIGH16: return (u8)(a >> 2 | 0xfc);
    case INIT_EXTRACT: return (u8)(a >> k->arg | 0xfc);
    case INIT_PACK8: return (u8)((a & 1) | (b & 1) << 1 | 0xfc);
    case INIT_PACK16: return (u8)((a & 3) | (b & 3) << 2 | 0xf0);
    case INIT_PACK32: return (u8)((a & 15) | b << 4);
    default: return 0;
    }
}

static u8 whole(u8 dsize) { return dsize == 8 ? 0xff : dsize == 1 ? 1 : 0x0f; }

void init_alu(worker *W, warp *w, const ins *k, const u8 *R, u32 m)
{
    u32 d = slot_of(w, R, k->d);
    u32 all = w->defined[slot_of(w, R, k->a)] & w->defined[slot_of(w, R, k->b)] & w->defined[slot_of(w, R, k->c)] & w->defined[slot_of(w, R, k->e)];
    u32 bad = m & ~all;
    (void)W;
    for (u32 lanes = bad; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        set_lane(w, d, i, result_bytes(w, k, R, i), whole(k->dsize));
    }
    w->defined[d] |= m & all;
    if (k->regs[0]) w->defined[slot_of(w, R, k->regs[0])] = (w->defined[slot_of(w, R, k->regs[0])] & ~bad) | (m & all);
    if (k->flags & F_CC) w->defined[slot_of(w, R, SLOT_CC)] = (w->defined[slot_of(w, R, SLOT_CC)] & ~bad) | (m & all);
}

static void report_use(worker *W, warp *w, const ins *k, u32 lanes, u64 address, const char *what)
{
    if (lanes) report_at(W, w, k, (u32)__builtin_ctz(lanes), SOFTGPU_INITCHECK, address, NULL, "%s depends on a value that nobody wrote", what);
}

void init_branch(worker *W, warp *w, const ins *k, u32 active)
{
    u32 s = (W->L->k->funcs[k->func].frame + k->guard) / SLOT;
    if (!k->guard) return;
    report_use(W, w, k, active & ~w->defined[s], 0, "a branch");
    w->defined[s] |= active;                                   /* once is enough */
}

/* The bits of memory behind an access; NULL where they are not watched. */
static u64 *bits_of(worker *W, warp *w, u32 lane, u64 address, int space, u64 *offset)
{
    alloc *a;
    switch (space) {
    case SP_SHARED: *offset = address >= SHARED_WINDOW ? address - SHARED_WINDOW : address; return W->c.init;
    case SP_LOCAL: *offset = (u64)lane * W->L->local_stride + (address >= LOCAL_WINDOW ? address - LOCAL_WINDOW : address); return w->local_init;
    case SP_GLOBAL: case SP_CONST:
        a = memory_find(W->L->mem, address);
        *offset = a ? address - a->base : 0;
        return a ? a->init : NULL;
    default: return NULL;
    }
}

static u8 get_bits(const u64 *bits, u64 at, u32 n) { return bits ? (u8)(bits[at / 64] >> at % 64 & ((1u << n) - 1)) : (u8)((1u << n) - 1); }

static void put_bits(u64 *bits, u64 at, u32 n, u8 value)
{
    u64 mask = (u64)((1u << n) - 1) << at % 64;
    if (bits) bits[at / 64] = (bits[at / 64] & ~mask) | ((u64)value << at % 64 & mask);
}

/* Sign or zero extension: the bytes above those loaded follow the top one of them. */
static u8 extend(u8 bytes, const ins *k)
{
    u8 above = (u8)~((1u << k->size) - 1);
    return k->is_signed && !(bytes >> (k->size - 1) & 1) ? bytes : bytes | above;
}

static void load_lane(worker *W, warp *w, const ins *k, u32 lane, u64 address, int space, const u32 *slots)
{
    u64 at = 0;
    const u64 *bits = bits_of(W, w, lane, address, space, &at);
    for (u32 j = 0; j < k->n; j++)
        set_lane(w, slots[j], lane, extend(get_bits(bits, at + j * k->size, k->size), k), whole(k->sizes >> j & 1 ? 8 : 4));
}

/* Whole undefined elements are reported where they enter global memory; partly defined ones (padding) travel on. */
static void store_lane(worker *W, warp *w, const ins *k, u32 lane, u64 address, int space, const u32 *slots)
{
    u64 at = 0;
    u64 *bits = bits_of(W, w, lane, address, space, &at);
    for (u32 j = 0; j < k->n; j++) {
        u8 defined = lane_bytes(w, slots[j], lane), mask = (u8)((1u << k->size) - 1);
        put_bits(bits, at + j * k->size, k->size, defined & mask);
        if (!(defined & mask) && space == SP_GLOBAL) report_use(W, w, k, 1u << lane, address, "a stored value");
    }
}

void init_access(worker *W, warp *w, const ins *k, u32 m, const u64 *addr, enum observed_access what, int space)
{
    const u8 *R = w->regs + W->L->k->funcs[k->func].frame;
    u32 slots[8], base = slot_of(w, R, k->a);
    report_use(W, w, k, m & ~w->defined[base], addr[__builtin_ctz(m)], "an address");
    w->defined[base] |= m;
    for (u32 j = 0; j < 8; j++) slots[j] = slot_of(w, R, k->regs[j]);
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        if (what == OBSERVE_LOAD) load_lane(W, w, k, i, addr[i], space, slots);
        else if (what == OBSERVE_STORE) store_lane(W, w, k, i, addr[i], space, slots);
        else {
            u64 at = 0;
            u64 *bits = bits_of(W, w, i, addr[i], space, &at);
            u8 old = get_bits(bits, at, k->size), full = (u8)((1u << k->size) - 1);
            bool exchanges = (k->arg & 255) == AT_EXCH;
            if (old != full && !exchanges) report_use(W, w, k, 1u << i, addr[i], "an atomic's memory");
            put_bits(bits, at, k->size, full);
            if (k->dsize) set_lane(w, slot_of(w, R, k->d), i, old == full ? 0xff : 0, whole(k->dsize));
        }
    }
}

/* Warp operations: a result is defined where every value that went in is; a shuffle from a lane that is not there never is. */
void init_collective(worker *W, warp *w, const ins *k, const u8 *R, u32 m, u32 poisoned)
{
    u32 in = w->defined[slot_of(w, R, k->a)] & m;
    u32 good = k->kind == K_SHFL ? (in == m ? m & ~poisoned : 0) : in == m ? m : 0;
    (void)W;
    if (!k->dsize) return;
    u32 d = slot_of(w, R, k->d);
    for (u32 i = 0; i < WARP; i++)
        if (m >> i & 1) set_lane(w, d, i, good >> i & 1 ? 0xff : 0, whole(k->dsize));
    if (k->regs[0]) w->defined[slot_of(w, R, k->regs[0])] |= m;
}

static void copy_bits(u64 *bits, u64 to, u64 from, u64 n)
{
    for (u64 i = 0; i < n; i++) put_bits(bits, to + i, 1, get_bits(bits, from + i, 1));
}

static void copy_params(worker *W, warp *w, const param_copy *c, int n, u32 m)
{
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u64 base = (u64)(u32)__builtin_ctz(lanes) * W->L->local_stride;
        for (int i = 0; i < n; i++) copy_bits(w->local_init, base + c[i].to, base + c[i].from, c[i].size);
    }
}

void init_call(worker *W, warp *w, const ins *k, u32 m)
{
    copy_params(W, w, k->call->in, k->call->nin, m);
    enter_function(W, w, k->call->callee, m);
}

void init_return(worker *W, warp *w, const call *c, u32 m) { copy_params(W, w, c->out, c->nout, m); }
