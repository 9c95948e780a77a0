/* Initcheck in kernels: undefined bytes travel through registers and memory until a branch, an address or a store to
 * global memory depends on them. Every slot of registers has a mask of lanes that are wholly defined; only for the
 * others the defined bytes of the lane are looked at. While all is defined, an instruction costs three ANDs. */
#include "checkers.h"
#include "findings.h"
#include "init_memory.h"
#include "softgpu/lanes/lanes.h"

static u32 slot_of(const warp *w, const u8 *R, u32 offset) { return (u32)((R - w->regs) + offset) / SLOT; }

/* What is defined in a warp. */
typedef struct init_warp {
    u32 *defined; /* per slot of registers the lanes that are wholly defined, */
    u8 *bytes;    /* and the defined bytes of the 32 lanes of each slot */
    u64 *local;   /* a bit per byte of local memory */
} init_warp;

typedef struct init_worker {
    u64 *shared; /* a bit per byte of shared memory */
} init_worker;

static size_t shared_words(const worker *W) { return W->c.shared_size / 64 + 2; }
static size_t local_words(const worker *W) { return (size_t)W->L->local_stride * WARP / 64 + 2; }

static bool init_start(watch *o)
{
    const worker *W = o->W;
    init_worker *mine = o->worker;
    u32 slots = W->L->k->regs_size / SLOT + 4;
    mine->shared = calloc(shared_words(W), sizeof *mine->shared);
    for (u32 i = 0; i < W->c.nwarps; i++) {
        init_warp *s = warp_state(o, &W->c.warps[i]);
        s->defined = malloc(slots * sizeof *s->defined);
        s->bytes = calloc(slots, WARP);
        s->local = calloc(local_words(W), sizeof *s->local);
        if (!s->defined || !s->bytes || !s->local)
            return false;
        memset(s->defined, 0xff, slots * sizeof *s->defined);
    }
    return mine->shared != NULL;
}

static void init_end(watch *o)
{
    free(((init_worker *)o->worker)->shared);
    for (u32 i = 0; i < o->W->c.nwarps; i++) {
        init_warp *s = warp_state(o, &o->W->c.warps[i]);
        free(s->defined);
        free(s->bytes);
        free(s->local);
    }
}

/* Registers that some path reads before it writes them begin undefined; all others are written first. */
static void enter_function(const watch *o, init_warp *s, u32 fi, u32 m)
{
    const kfunc *f = &o->W->L->k->funcs[fi];
    for (int i = 0; i < f->nuninit; i++) {
        u32 slot = (f->frame + f->uninit[i]) / SLOT;
        s->defined[slot] &= ~m;
        for (u32 l = 0; l < WARP; l++)
            if (m >> l & 1)
                s->bytes[slot * WARP + l] = 0;
    }
}

static void init_cta(watch *o, const cta *c)
{
    memset(((init_worker *)o->worker)->shared, 0, shared_words(o->W) * sizeof(u64));
    for (u32 i = 0; i < c->nwarps; i++) {
        init_warp *s = warp_state(o, &c->warps[i]);
        memset(s->local, 0, local_words(o->W) * sizeof *s->local);
        enter_function(o, s, (u32)o->W->L->k->nfuncs - 1, ~0u);
    }
}

static u8 lane_bytes(const init_warp *s, u32 slot, u32 lane)
{
    return s->defined[slot] >> lane & 1 ? 0xff : s->bytes[slot * WARP + lane];
}

static void set_lane(init_warp *s, u32 slot, u32 lane, u8 bytes, u8 all)
{
    bool whole = (bytes & all) == all;
    s->defined[slot] = (s->defined[slot] & ~(1u << lane)) | (u32)whole << lane;
    s->bytes[slot * WARP + lane] = bytes;
}

/* Bytes that are defined in the result of a & b: both are, or one is and is zero; likewise ones for |. */
static u8 through_and(u64 va, u64 vb, u8 a, u8 b, u8 absorbs)
{
    u8 r = a & b;
    for (int i = 0; i < 8; i++) {
        bool za = a >> i & 1 && (u8)(va >> 8 * i) == absorbs, zb = b >> i & 1 && (u8)(vb >> 8 * i) == absorbs;
        if (za || zb)
            r |= (u8)(1 << i);
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
    return k->dsize == 8 ? ((const L64 *)(const void *)(R + offset))[lane]
                         : ((const L32 *)(const void *)(R + offset))[lane];
}

/* A byte of the result comes from one byte of the operand, or, unless whole bytes are shifted, from two neighbours;
 * what is shifted in is defined. */
static u8 shifted(const ins *k, const u8 *R, u8 a, u8 b, u32 lane, bool left)
{
    u32 n = ((const L32 *)(const void *)(R + k->b))[lane], size = k->dsize == 8 ? 8 : 4, all = (1u << size) - 1;
    if (b != 0xff)
        return 0;
    u32 by = n / 8 > size ? size : n / 8, in = a & all;
    if (left) {
        u32 bytes = in << by | ((1u << by) - 1);
        return (u8)(n % 8 ? bytes & (bytes << 1 | 1) : bytes);
    }
    u32 bytes = in >> by | (all & ~(all >> by));
    return (u8)((n % 8 ? bytes & (bytes >> 1 | 1u << (size - 1)) : bytes) | ~all);
}

static u8 result_bytes(const init_warp *s, const warp *w, const ins *k, const u8 *R, u32 lane)
{
    u8 a = lane_bytes(s, slot_of(w, R, k->a), lane), b = lane_bytes(s, slot_of(w, R, k->b), lane);
    u8 c = lane_bytes(s, slot_of(w, R, k->c), lane), e = lane_bytes(s, slot_of(w, R, k->e), lane);
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

static void init_alu(watch *o, warp *w, const ins *k, const u8 *R, u32 m)
{
    init_warp *s = warp_state(o, w);
    u32 d = slot_of(w, R, k->d);
    u32 all = s->defined[slot_of(w, R, k->a)] & s->defined[slot_of(w, R, k->b)] & s->defined[slot_of(w, R, k->c)]
              & s->defined[slot_of(w, R, k->e)];
    u32 bad = m & ~all;
    for (u32 lanes = bad; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        set_lane(s, d, i, result_bytes(s, w, k, R, i), whole(k->dsize));
    }
    s->defined[d] |= m & all;
    if (k->regs[0])
        s->defined[slot_of(w, R, k->regs[0])] = (s->defined[slot_of(w, R, k->regs[0])] & ~bad) | (m & all);
    if (k->flags & F_CC)
        s->defined[slot_of(w, R, SLOT_CC)] = (s->defined[slot_of(w, R, SLOT_CC)] & ~bad) | (m & all);
}

static void init_register(watch *o, warp *w, const ins *k, const u8 *R, u32 slot, u32 m)
{
    (void)k;
    ((init_warp *)warp_state(o, w))->defined[slot_of(w, R, slot)] |= m;
}

static void report_use(const watch *o, const warp *w, const ins *k, u32 lanes, u64 address, const char *what)
{
    if (lanes)
        report_at(o->W, w, k, (u32)__builtin_ctz(lanes), SOFTGPU_INITCHECK, address, NULL,
                  "%s depends on a value that nobody wrote", what);
}

static void init_branch(watch *o, warp *w, const ins *k, u32 active, u32 taken)
{
    init_warp *s = warp_state(o, w);
    u32 slot = (o->W->L->k->funcs[k->func].frame + k->guard) / SLOT;
    (void)taken;
    if (!k->guard)
        return;
    report_use(o, w, k, active & ~s->defined[slot], 0, "a branch");
    s->defined[slot] |= active; /* once is enough */
}

/* The bits of memory behind an access; NULL where they are not watched. */
static u64 *bits_of(const watch *o, const warp *w, u32 lane, u64 address, int space, u64 *offset)
{
    alloc *a;
    switch (space) {
    case SP_SHARED:
        *offset = address >= SHARED_WINDOW ? address - SHARED_WINDOW : address;
        return ((init_worker *)o->worker)->shared;
    case SP_LOCAL:
        *offset = (u64)lane * o->W->L->local_stride + (address >= LOCAL_WINDOW ? address - LOCAL_WINDOW : address);
        return ((init_warp *)warp_state(o, w))->local;
    case SP_GLOBAL:
    case SP_CONST:
        a = memory_find(o->W->L->mem, address);
        *offset = a ? address - a->base : 0;
        return a ? alloc_state(o, a) : NULL;
    default: return NULL;
    }
}

static u8 get_bits(const u64 *bits, u64 at, u32 n)
{
    return bits ? (u8)(bits[at / 64] >> at % 64 & ((1u << n) - 1)) : (u8)((1u << n) - 1);
}

static void put_bits(u64 *bits, u64 at, u32 n, u8 value)
{
    u64 mask = (u64)((1u << n) - 1) << at % 64;
    if (bits)
        bits[at / 64] = (bits[at / 64] & ~mask) | ((u64)value << at % 64 & mask);
}

/* Sign or zero extension: the bytes above those loaded follow the top one of them. */
static u8 extend(u8 bytes, const ins *k)
{
    u8 above = (u8) ~((1u << k->size) - 1);
    return k->is_signed && !(bytes >> (k->size - 1) & 1) ? bytes : bytes | above;
}

static void load_lane(const watch *o, const warp *w, const ins *k, u32 lane, u64 address, int space, const u32 *slots)
{
    u64 at = 0;
    init_warp *s = warp_state(o, w);
    const u64 *bits = bits_of(o, w, lane, address, space, &at);
    for (u32 j = 0; j < k->n; j++)
        set_lane(s, slots[j], lane, extend(get_bits(bits, at + j * k->size, k->size), k),
                 whole(k->sizes >> j & 1 ? 8 : 4));
}

/* Whole undefined elements are reported where they enter global memory; partly defined ones (padding) travel on. */
static void store_lane(const watch *o, const warp *w, const ins *k, u32 lane, u64 address, int space, const u32 *slots)
{
    u64 at = 0;
    const init_warp *s = warp_state(o, w);
    u64 *bits = bits_of(o, w, lane, address, space, &at);
    for (u32 j = 0; j < k->n; j++) {
        u8 defined = lane_bytes(s, slots[j], lane), mask = (u8)((1u << k->size) - 1);
        put_bits(bits, at + j * k->size, k->size, defined & mask);
        if (!(defined & mask) && space == SP_GLOBAL)
            report_use(o, w, k, 1u << lane, address, "a stored value");
    }
}

static void atomic_lane(const watch *o, const warp *w, const ins *k, u32 lane, u64 address, int space, u32 slot)
{
    u64 at = 0;
    u64 *bits = bits_of(o, w, lane, address, space, &at);
    u8 old = get_bits(bits, at, k->size), full = (u8)((1u << k->size) - 1);
    bool exchanges = (k->arg & 255) == AT_EXCH;
    if (old != full && !exchanges)
        report_use(o, w, k, 1u << lane, address, "an atomic's memory");
    put_bits(bits, at, k->size, full);
    if (k->dsize)
        set_lane(warp_state(o, w), slot, lane, old == full ? 0xff : 0, whole(k->dsize));
}

static void init_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    init_warp *s = warp_state(o, w);
    u32 slots[8], base = slot_of(w, e->R, k->a), d = slot_of(w, e->R, k->d);
    report_use(o, w, k, e->m & ~s->defined[base], e->addr[__builtin_ctz(e->m)], "an address");
    s->defined[base] |= e->m;
    if (is_copy(k))
        return;
    for (u32 j = 0; j < 8; j++)
        slots[j] = slot_of(w, e->R, k->regs[j]);
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        switch (e->kind) {
        case ACCESS_LOAD: load_lane(o, w, k, i, e->addr[i], e->space, slots); break;
        case ACCESS_STORE: store_lane(o, w, k, i, e->addr[i], e->space, slots); break;
        case ACCESS_ATOMIC: atomic_lane(o, w, k, i, e->addr[i], e->space, d); break;
        }
    }
}

/* Warp operations: a result is defined where every value that went in is; a shuffle from a lane that is not there never
 * is. */
static void init_collective(watch *o, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    init_warp *s = warp_state(o, w);
    const u8 *R = w->regs + o->W->L->k->funcs[k->func].frame;
    u32 in = s->defined[slot_of(w, R, k->a)] & m;
    u32 good = in == m ? m & ~poisoned : 0;
    (void)named;
    if (!k->dsize)
        return;
    u32 d = slot_of(w, R, k->d);
    for (u32 i = 0; i < WARP; i++)
        if (m >> i & 1)
            set_lane(s, d, i, good >> i & 1 ? 0xff : 0, whole(k->dsize));
    if (k->regs[0])
        s->defined[slot_of(w, R, k->regs[0])] |= m;
}

static void init_local(watch *o, warp *w, u32 lane, u32 offset, u32 size)
{
    const init_warp *s = warp_state(o, w);
    for (u32 i = 0; i < size; i++)
        put_bits(s->local, (u64)lane * o->W->L->local_stride + offset + i, 1, 1);
}

static void copy_bits(u64 *bits, u64 to, u64 from, u64 n)
{
    for (u64 i = 0; i < n; i++)
        put_bits(bits, to + i, 1, get_bits(bits, from + i, 1));
}

static void copy_params(const watch *o, const warp *w, const call_event *e, const param_copy *c, int n)
{
    init_warp *s = warp_state(o, w);
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1) {
        u32 lane = (u32)__builtin_ctz(lanes);
        u64 base = (u64)lane * o->W->L->local_stride;
        for (int i = 0; i < n; i++)
            copy_bits(s->local, base + e->to[lane] + c[i].to, base + e->from[lane] + c[i].from, c[i].size);
    }
}

static void init_call(watch *o, warp *w, const ins *k, const call_event *e)
{
    (void)k;
    copy_params(o, w, e, e->c->in, e->c->nin);
    enter_function(o, warp_state(o, w), e->c->callee, e->m);
}

/* What is known of registers that come back is not kept: they count as written. */
static void init_return(watch *o, warp *w, const call_event *e)
{
    const kfunc *f = &o->W->L->k->funcs[e->c->callee];
    init_warp *s = warp_state(o, w);
    copy_params(o, w, e, e->c->out, e->c->nout);
    for (u32 slot = f->frame / SLOT; e->restored && slot < (f->frame + f->frame_size) / SLOT; slot++)
        s->defined[slot] |= e->restored;
}

/* Bytes that a copy fills with zeros are defined. */
static void init_copy(watch *o, warp *w, const ins *k, const async_event *e)
{
    u64 from = 0, to = 0;
    const u64 *source = e->from_space ? bits_of(o, w, e->lane, e->from, e->from_space, &from) : NULL;
    u64 *bits = e->to_space ? bits_of(o, w, e->lane, e->to, e->to_space, &to) : NULL;
    (void)k;
    for (u64 i = 0; bits && i < e->bytes; i++)
        put_bits(bits, to + i, 1, i < e->read ? get_bits(source, from + i, 1) : 1);
}

const observer initcheck = {
    .worker_size = sizeof(init_worker),
    .warp_size = sizeof(init_warp),
    .worker_begin = init_start,
    .worker_end = init_end,
    .cta_begin = init_cta,
    .alu = init_alu,
    .register_written = init_register,
    .access = init_access,
    .branch = init_branch,
    .collective = init_collective,
    .async_copy = init_copy,
    .local_written = init_local,
    .call = init_call,
    .call_return = init_return,
    .allocated = init_allocated,
    .released = free,
    .written = init_written,
    .copied = init_copied,
    .read_back = init_read_back,
};
