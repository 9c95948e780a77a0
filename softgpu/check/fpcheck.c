/* Fpcheck: the instruction, the line and the lane where a NaN, an infinity or a subnormal first came to be, and the
 * store to global memory and the branch that it reached. A result is an origin where no operand is of its kind; else it
 * has the operand's origin. Origins travel through registers, moves, shuffles, calls and memory. */
#include "fp_origins.h"
#include "softgpu/lanes/lanes.h"

enum { MOST_SOURCES = 3 };

/* The types of an instruction that has floats: letters of its form's signature, with h for halves in pairs and k for
 * pairs of bf16; 0 where there is none. */
typedef struct fp_types {
    char result, source[MOST_SOURCES];
} fp_types;

typedef struct fp_launch {
    fp_types *types;
    fp_origin *origins;
    fp_memory memory;
} fp_launch;

typedef struct fp_warp {
    u32 *tagged;  /* per slot of registers the lanes that have a tag */
    fp_tag *tags; /* of the 32 lanes of each slot */
} fp_warp;

static u32 slot_of(const warp *w, const u8 *R, u32 offset) { return (u32)((R - w->regs) + offset) / SLOT; }

/* --- classes of values --- */
static enum fp_class class_of(u64 bits, u32 exponent_bits, u32 fraction_bits)
{
    u64 fraction = bits & (((u64)1 << fraction_bits) - 1), all = ((u64)1 << exponent_bits) - 1;
    u64 exponent = bits >> fraction_bits & all;
    if (exponent == all)
        return fraction ? FP_NOT_A_NUMBER : FP_INFINITE;
    return !exponent && fraction ? FP_SUBNORMAL : FP_ORDINARY;
}

static enum fp_class worse(enum fp_class a, enum fp_class b) { return a > b ? a : b; }

static enum fp_class classify(char letter, const void *values, u32 lane)
{
    u32 word = letter == 'd' ? 0 : ((const L32 *)values)[lane];
    switch (letter) {
    case 'f': return class_of(word, 8, 23);
    case 'd': return class_of(((const L64 *)values)[lane], 11, 52);
    case 'e': return class_of(word & 0xffffu, 5, 10);
    case 'g': return class_of(word & 0xffffu, 8, 7);
    case 'h': return worse(class_of(word & 0xffffu, 5, 10), class_of(word >> 16, 5, 10));
    case 'k': return worse(class_of(word & 0xffffu, 8, 7), class_of(word >> 16, 8, 7));
    default: return FP_ORDINARY;
    }
}

/* --- what each instruction works on --- */
static char type_of(char letter, const char *opcode)
{
    if (letter == 'x')
        return strstr(opcode, "bf16x2") ? 'k' : strstr(opcode, "f16x2") ? 'h' : 0;
    return strchr("fdeg", letter) && letter ? letter : 0;
}

static fp_types types_of(const ins *k, const char *opcode)
{
    fp_types t = { 0 };
    const form *f = sg_match(sg_forms(), opcode).form;
    const char *equals = f ? strchr(f->sig, '=') : NULL;
    if (!equals || !k->fn || (k->fn != f->fn && k->fn != f->flagged) || k->cls == CL_MOVE)
        return t;
    t.result = type_of(f->sig[0], opcode);
    for (u32 i = 0; i < MOST_SOURCES && equals[1 + i]; i++)
        t.source[i] = type_of(equals[1 + i], opcode);
    return t;
}

static bool fp_begin(launch *L, void *device_state, void *launch_state)
{
    fp_launch *mine = launch_state;
    (void)device_state;
    mine->types = calloc(L->k->ncode + 1, sizeof *mine->types);
    mine->origins = calloc((size_t)(L->k->ncode + 1) * FP_CLASSES, sizeof *mine->origins);
    for (u32 i = 0; mine->types && i < L->k->ncode; i++) {
        const ins *k = &L->k->code[i];
        if (k->kind <= K_SET)
            mine->types[i] = types_of(k, opcode_of(L->k, k));
    }
    return mine->types && mine->origins;
}

static void fp_end(launch *L, void *device_state, void *launch_state)
{
    fp_launch *mine = launch_state;
    (void)device_state;
    if (mine->origins)
        fp_report(L, mine->origins);
    free(mine->types);
    free(mine->origins);
    free(mine->memory.entries);
}

static bool fp_start(watch *o)
{
    u32 slots = o->W->L->k->regs_size / SLOT + 4;
    for (u32 i = 0; i < o->W->c.nwarps; i++) {
        fp_warp *s = warp_state(o, &o->W->c.warps[i]);
        s->tagged = calloc(slots, sizeof *s->tagged);
        s->tags = calloc((size_t)slots * WARP, sizeof *s->tags);
        if (!s->tagged || !s->tags)
            return false;
    }
    return true;
}

static void fp_stop(watch *o)
{
    for (u32 i = 0; i < o->W->c.nwarps; i++) {
        fp_warp *s = warp_state(o, &o->W->c.warps[i]);
        free(s->tagged);
        free(s->tags);
    }
}

static void fp_cta(watch *o, const cta *c)
{
    u32 slots = o->W->L->k->regs_size / SLOT + 4;
    for (u32 i = 0; i < c->nwarps; i++)
        memset(((fp_warp *)warp_state(o, &c->warps[i]))->tagged, 0, slots * sizeof(u32));
}

/* --- tags --- */
static fp_tag tag_at(const fp_warp *s, u32 slot, u32 lane)
{
    return s->tagged[slot] >> lane & 1 ? s->tags[slot * WARP + lane] : 0;
}

static void set_tag(fp_warp *s, u32 slot, u32 lane, fp_tag tag)
{
    s->tagged[slot] = (s->tagged[slot] & ~(1u << lane)) | (u32)(tag != 0) << lane;
    if (tag)
        s->tags[slot * WARP + lane] = tag;
}

static fp_tag begin_origin(const watch *o, const warp *w, u32 pc, enum fp_class c, u32 lane, bool loaded)
{
    fp_tag tag = fp_tag_of(pc, c);
    fp_origin *origin = &((fp_launch *)o->launch)->origins[tag];
    if (!origin->count++) {
        memcpy(origin->block, o->W->c.id, sizeof origin->block);
        thread_of(o->W->L, w->index * WARP + lane, origin->thread);
        origin->loaded = loaded;
    }
    return tag;
}

/* The origin of a special result or operand: that of an operand of its kind; where no operand is, this instruction. */
static fp_tag trace(const watch *o, const warp *w, const ins *k, const u8 *R, u32 lane, enum fp_class c, bool compares)
{
    const fp_warp *s = warp_state(o, w);
    const u32 at[MOST_SOURCES] = { k->a, k->b, k->c };
    u32 pc = (u32)(k - o->W->L->k->code);
    const fp_types *t = &((fp_launch *)o->launch)->types[pc];
    for (u32 i = 0; i < MOST_SOURCES; i++) {
        if (!t->source[i] || classify(t->source[i], R + at[i], lane) != c)
            continue;
        fp_tag tag = tag_at(s, slot_of(w, R, at[i]), lane);
        if (tag & FP_LOADED)
            return begin_origin(o, w, tag & ~FP_LOADED, c, lane, true);
        if (tag)
            return tag;
    }
    return compares ? 0 : begin_origin(o, w, pc, c, lane, false);
}

static void trace_result(const watch *o, const warp *w, const ins *k, const u8 *R, u32 m, char letter)
{
    u64 result[3 * WARP];
    fp_warp *s = warp_state(o, w);
    u32 d = slot_of(w, R, k->d);
    k->fn(result, R, k);
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        enum fp_class c = classify(letter, result, i);
        set_tag(s, d, i, c ? trace(o, w, k, R, i, c, false) : 0);
    }
}

/* A predicate has the origin of the worst number that was compared. */
static void trace_comparison(const watch *o, const warp *w, const ins *k, const u8 *R, u32 m, const fp_types *t)
{
    fp_warp *s = warp_state(o, w);
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        enum fp_class c = worse(classify(t->source[0], R + k->a, i), classify(t->source[1], R + k->b, i));
        fp_tag tag = c >= FP_INFINITE ? trace(o, w, k, R, i, c, true) : 0;
        set_tag(s, slot_of(w, R, k->d), i, tag);
        if (k->regs[0])
            set_tag(s, slot_of(w, R, k->regs[0]), i, tag);
    }
}

static bool moves(const ins *k)
{
    return k->rule == INIT_MOVE || k->rule == INIT_SELECT || k->rule == INIT_NARROW || k->rule == INIT_LOW
           || k->rule == INIT_PACK16 || k->rule == INIT_PACK32 || k->rule == INIT_HIGH;
}

static void trace_move(const warp *w, fp_warp *s, const ins *k, const u8 *R, u32 m)
{
    u32 d = slot_of(w, R, k->d), a = slot_of(w, R, k->a), b = slot_of(w, R, k->b);
    u32 picks = k->rule == INIT_SELECT ? *(const L32 *)(const void *)(R + k->c) : ~0u;
    if (!((s->tagged[d] | s->tagged[a] | s->tagged[b]) & m))
        return;
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        set_tag(s, d, i, tag_at(s, picks >> i & 1 ? a : b, i));
    }
}

static void fp_alu(watch *o, warp *w, const ins *k, const u8 *R, u32 m)
{
    fp_warp *s = warp_state(o, w);
    const fp_types *t = &((fp_launch *)o->launch)->types[k - o->W->L->k->code];
    if (t->result && k->kind == K_ALU)
        trace_result(o, w, k, R, m, t->result);
    else if (t->source[0])
        trace_comparison(o, w, k, R, m, t);
    else if (moves(k))
        trace_move(w, s, k, R, m);
    else
        s->tagged[slot_of(w, R, k->d)] &= ~m;
}

/* --- memory --- */
static u64 memory_key(const watch *o, const warp *w, int space, u32 lane, u64 address)
{
    if (space == SP_SHARED)
        return (u64)1 << 62 | o->W->c.linear << 20 | (address >= SHARED_WINDOW ? address - SHARED_WINDOW : address);
    if (space == SP_LOCAL)
        return (u64)1 << 63 | (u64)(w->index * WARP + lane) << 32
               | (address >= LOCAL_WINDOW ? address - LOCAL_WINDOW : address);
    return address;
}

static void reach(const watch *o, fp_tag tag, u32 pc, bool is_branch)
{
    fp_origin *origin = tag && !(tag & FP_LOADED) ? &((fp_launch *)o->launch)->origins[tag] : NULL;
    u32 *target = origin ? (is_branch ? &origin->branch : &origin->store) : NULL;
    if (target && !*target)
        *target = pc + 1;
}

static void store_lane(const watch *o, const warp *w, const ins *k, const access_event *e, u32 lane, u32 j)
{
    fp_launch *mine = o->launch;
    u32 slot = slot_of(w, e->R, e->kind == ACCESS_ATOMIC ? k->b : k->regs[j]);
    fp_tag tag = tag_at(warp_state(o, w), slot, lane);
    if (e->space == SP_GLOBAL)
        reach(o, tag, (u32)(k - o->W->L->k->code), false);
    fp_store(&mine->memory, memory_key(o, w, e->space, lane, e->addr[lane] + j * k->size), tag & FP_LOADED ? 0 : tag);
}

static void load_lane(const watch *o, const warp *w, const ins *k, const access_event *e, u32 lane, u32 j)
{
    const fp_launch *mine = o->launch;
    fp_tag tag = fp_recall(&mine->memory, memory_key(o, w, e->space, lane, e->addr[lane] + j * k->size));
    set_tag(warp_state(o, w), slot_of(w, e->R, k->regs[j]), lane, tag ? tag : FP_LOADED | (u32)(k - o->W->L->k->code));
}

/* Where numbers begin that come out of matrices is not followed: they count as loaded there. */
static void fp_written(watch *o, warp *w, const ins *k, const u8 *R, u32 slot, u32 m)
{
    for (; m; m &= m - 1)
        set_tag(warp_state(o, w), slot_of(w, R, slot), (u32)__builtin_ctz(m), FP_LOADED | (u32)(k - o->W->L->k->code));
}

static void forget_words(const watch *o, const warp *w, const ins *k, const access_event *e)
{
    for (u32 m = e->m; m; m &= m - 1)
        for (u32 at = 0; at < (u32)k->size * k->n; at += 4)
            fp_store(&((fp_launch *)o->launch)->memory,
                     memory_key(o, w, e->space, (u32)__builtin_ctz(m), e->addr[__builtin_ctz(m)] + at), 0);
}

static void fp_copy(watch *o, warp *w, const ins *k, const async_event *e)
{
    fp_memory *kept = &((fp_launch *)o->launch)->memory;
    (void)k;
    for (u32 at = 0; kept->used && at < e->bytes; at += 4) {
        fp_tag tag = at < e->read ? fp_recall(kept, memory_key(o, w, e->from_space, e->lane, e->from + at)) : 0;
        fp_store(kept, memory_key(o, w, e->to_space, e->lane, e->to + at), tag);
    }
}

static void fp_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    if (k->kind != K_LD && k->kind != K_ST && k->kind != K_ATOM && k->kind != K_RED) {
        if (e->kind == ACCESS_STORE && !is_copy(k))
            forget_words(o, w, k, e);
        return;
    }
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1)
        for (u32 j = 0; j < k->n; j++) {
            if (e->kind == ACCESS_LOAD)
                load_lane(o, w, k, e, (u32)__builtin_ctz(lanes), j);
            else
                store_lane(o, w, k, e, (u32)__builtin_ctz(lanes), j);
        }
    if (e->kind == ACCESS_ATOMIC && k->dsize)
        ((fp_warp *)warp_state(o, w))->tagged[slot_of(w, e->R, k->d)] &= ~e->m;
}

static void fp_branch(watch *o, warp *w, const ins *k, u32 active, u32 taken)
{
    const fp_warp *s = warp_state(o, w);
    u32 slot = (o->W->L->k->funcs[k->func].frame + k->guard) / SLOT;
    (void)taken;
    for (u32 lanes = k->guard ? active & s->tagged[slot] : 0; lanes; lanes &= lanes - 1)
        reach(o, s->tags[slot * WARP + (u32)__builtin_ctz(lanes)], (u32)(k - o->W->L->k->code), true);
}

/* A shuffle is done already: a lane whose number is of the kind of a tagged lane's has got it from there. */
static void fp_collective(watch *o, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    fp_warp *s = warp_state(o, w);
    const u8 *R = w->regs + o->W->L->k->funcs[k->func].frame;
    u32 a = slot_of(w, R, k->a), d = slot_of(w, R, k->d), from = k->kind == K_SHFL ? s->tagged[a] & m : 0;
    fp_tag tags[FP_CLASSES] = { 0 };
    (void)named;
    (void)poisoned;
    for (; from; from &= from - 1) {
        fp_tag tag = s->tags[a * WARP + (u32)__builtin_ctz(from)];
        if (!(tag & FP_LOADED))
            tags[tag % FP_CLASSES] = tag;
    }
    for (; k->dsize && m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        set_tag(s, d, i, k->dsize == 4 ? tags[classify('f', R + k->d, i)] : 0);
    }
}

static void copy_params(watch *o, const warp *w, const call_event *e, const param_copy *c, int n)
{
    fp_memory *kept = &((fp_launch *)o->launch)->memory;
    for (u32 m = kept->used ? e->m : 0; m; m &= m - 1) {
        u32 lane = (u32)__builtin_ctz(m);
        for (int i = 0; i < n; i++)
            for (u32 at = 0; at < c[i].size; at += 4)
                fp_store(kept, memory_key(o, w, SP_LOCAL, lane, e->to[lane] + c[i].to + at),
                         fp_recall(kept, memory_key(o, w, SP_LOCAL, lane, e->from[lane] + c[i].from + at)));
    }
}

static void fp_call(watch *o, warp *w, const ins *k, const call_event *e)
{
    (void)k;
    copy_params(o, w, e, e->c->in, e->c->nin);
}

/* Of registers that come back the tags are not kept. */
static void fp_return(watch *o, warp *w, const call_event *e)
{
    const kfunc *f = &o->W->L->k->funcs[e->c->callee];
    fp_warp *s = warp_state(o, w);
    copy_params(o, w, e, e->c->out, e->c->nout);
    for (u32 slot = f->frame / SLOT; e->restored && slot < (f->frame + f->frame_size) / SLOT; slot++)
        s->tagged[slot] &= ~e->restored;
}

const observer fpcheck = {
    .launch_size = sizeof(fp_launch),
    .warp_size = sizeof(fp_warp),
    .launch_begin = fp_begin,
    .launch_end = fp_end,
    .worker_begin = fp_start,
    .worker_end = fp_stop,
    .cta_begin = fp_cta,
    .alu = fp_alu,
    .register_written = fp_written,
    .async_copy = fp_copy,
    .access = fp_access,
    .branch = fp_branch,
    .collective = fp_collective,
    .call = fp_call,
    .call_return = fp_return,
};
