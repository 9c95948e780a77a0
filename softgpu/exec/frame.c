/* Calls: local memory and registers of the functions that a thread may be in more than once. Such a function's local
 * memory is on the thread's stack. Its registers have one place, like every function's; where a lane is in it already,
 * they are put aside first, and come back when the call returns. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"

/* Bytes of one lane's registers in a frame: predicates and the carry take one each. */
static u32 lane_size(const kfunc *f)
{
    u32 predicates = (f->pools[1] - f->pools[0]) / SLOT + 1, words = (f->pools[2] - f->pools[1]) / SLOT;
    return predicates + 4 * words + 8 * ((f->pools[3] - f->pools[2]) / (2 * SLOT));
}

static void move_predicate(u8 *slot, u8 *aside, u32 lane, bool back)
{
    L32 *p = (L32 *)(void *)slot;
    if (back)
        *p = (*p & ~(1u << lane)) | (u32)*aside << lane;
    else
        *aside = *p >> lane & 1;
}

static void move_bytes(u8 *slot, u8 *aside, size_t size, bool back)
{
    if (back)
        memcpy(slot, aside, size);
    else
        memcpy(aside, slot, size);
}

/* A lane's registers of a frame to `aside`, or back from there. */
static void move_lane(u8 *R, const kfunc *f, u8 *aside, u32 lane, bool back)
{
    move_predicate(R + SLOT_CC, aside++, lane, back);
    for (u32 at = f->pools[0]; at < f->pools[1]; at += SLOT)
        move_predicate(R + at, aside++, lane, back);
    for (u32 at = f->pools[1]; at < f->pools[2]; at += SLOT, aside += 4)
        move_bytes(R + at + 4 * (size_t)lane, aside, 4, back);
    for (u32 at = f->pools[2]; at < f->pools[3]; at += 2 * SLOT, aside += 8)
        move_bytes(R + at + 8 * (size_t)lane, aside, 8, back);
}

static bool put_aside(warp *w, const kfunc *f, u32 lane)
{
    register_save *a = &w->stack->asides[lane];
    u32 need = a->used + lane_size(f);
    if (need > a->size) {
        u8 *grown = realloc(a->bytes, 2 * (size_t)need);
        if (!grown)
            return false;
        a->bytes = grown;
        a->size = 2 * need;
    }
    move_lane(w->regs + f->frame, f, a->bytes + a->used, lane, false);
    a->used = need;
    return true;
}

static void take_back(warp *w, const kfunc *f, u32 lane)
{
    register_save *a = &w->stack->asides[lane];
    a->used -= lane_size(f);
    move_lane(w->regs + f->frame, f, a->bytes + a->used, lane, true);
}

bool stack_start(warp *w, const kernel *k)
{
    if (!k->uses_stack)
        return true;
    w->stack = calloc(1, sizeof *w->stack);
    if (w->stack)
        w->stack->active = calloc((size_t)k->nfuncs, sizeof *w->stack->active);
    return w->stack && w->stack->active;
}

void stack_reset(warp *w, const kernel *k)
{
    if (!w->stack)
        return;
    memset(w->stack->active, 0, (size_t)k->nfuncs * sizeof *w->stack->active);
    for (u32 i = 0; i < WARP; i++) {
        w->stack->top[i] = (u32)round_up(k->local_size, 16);
        w->stack->asides[i].used = 0;
    }
}

void stack_end(warp *w)
{
    for (u32 i = 0; w->stack && i < WARP; i++)
        free(w->stack->asides[i].bytes);
    if (w->stack)
        free(w->stack->active);
    free(w->stack);
}

u32 frame_base(const kernel *k, const warp *w, u32 fi, u32 lane)
{
    const kfunc *f = &k->funcs[fi];
    return f->on_stack ? (u32)((const L64 *)(const void *)(w->regs + f->frame + f->fp_slot))[lane] : 0;
}

/* Gives the lanes a frame of the callee; base[] gets where it begins. *saved gets the lanes whose registers were put
 * aside. */
static bool enter_frame(worker *W, warp *w, const call *c, u32 m, u32 base[WARP], u32 *saved)
{
    const kfunc *f = &W->L->k->funcs[c->callee];
    u32 size = (u32)round_up(f->local_size + 1u, 16);
    *saved = w->stack->active[c->callee] & m;
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        base[i] = w->stack->top[i];
        if (size > W->L->local_size - base[i] || (*saved >> i & 1 && !put_aside(w, f, i)))
            return false;
        w->stack->top[i] += size;
    }
    w->stack->active[c->callee] |= m;
    return true;
}

static void copy_params(const worker *W, const warp *w, const call_event *e, const param_copy *p, int n)
{
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        u8 *local = w->local + (size_t)i * W->L->local_stride;
        for (int j = 0; j < n; j++)
            memcpy(local + e->to[i] + p[j].to, local + e->from[i] + p[j].from, p[j].size);
    }
}

bool enter_call(worker *W, warp *w, const ins *k, const call *c, u32 m, u32 *saved)
{
    const kfunc *f = &W->L->k->funcs[c->callee];
    u32 from[WARP] = { 0 }, to[WARP] = { 0 };
    call_event e = { c, from, to, m, 0 };
    *saved = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        from[__builtin_ctz(lanes)] = frame_base(W->L->k, w, c->caller, (u32)__builtin_ctz(lanes));
    if (f->on_stack && !enter_frame(W, w, c, m, to, saved))
        return false;
    copy_params(W, w, &e, c->in, c->nin);
    for (u32 lanes = f->on_stack ? m : 0; lanes; lanes &= lanes - 1)
        ((L64 *)(void *)(w->regs + f->frame + f->fp_slot))[__builtin_ctz(lanes)] = to[__builtin_ctz(lanes)];
    if (W->watchers)
        TELL(W, call, w, k, &e);
    return true;
}

void leave_call(worker *W, warp *w, const call *c, u32 m, u32 saved)
{
    const kfunc *f = &W->L->k->funcs[c->callee];
    u32 from[WARP] = { 0 }, to[WARP] = { 0 };
    call_event e = { c, from, to, m, saved & m };
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        from[i] = frame_base(W->L->k, w, c->callee, i);
        if (saved >> i & 1)
            take_back(w, f, i);
        if (f->on_stack)
            w->stack->top[i] = from[i];
        to[i] = frame_base(W->L->k, w, c->caller, i);
    }
    if (f->on_stack)
        w->stack->active[c->callee] &= ~(m & ~saved);
    copy_params(W, w, &e, c->out, c->nout);
    if (W->watchers)
        TELL(W, call_return, w, &e);
}

/* alloca, stacksave, stackrestore. False where the stack is full. */
bool exec_stack(const worker *W, warp *w, const ins *k, u8 *R, u32 m)
{
    L64 *d = (L64 *)(void *)(R + k->d);
    const L64 *a = (const L64 *)(const void *)(R + k->a);
    const L32 *align = (const L32 *)(const void *)(R + k->b);
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes), *top = &w->stack->top[i], size = W->L->local_size;
        u64 to = align[i] > 16 && align[i] <= 4096 && !(align[i] & (align[i] - 1)) ? align[i] : 16;
        u64 start = round_up(*top, to), bytes = a[i];
        if (k->arg == STACK_SAVE)
            d[i] = *top;
        else if (k->arg == STACK_RESTORE) {
            if (a[i] > *top)
                return false;
            *top = (u32)a[i];
        } else {
            if (start > size || bytes > size - start)
                return false;
            d[i] = start;
            *top = (u32)round_up(start + bytes, 16) < size ? (u32)round_up(start + bytes, 16) : size;
        }
    }
    return true;
}
