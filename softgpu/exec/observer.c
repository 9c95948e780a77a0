/* Who watches a launch: the state of observers, and lists of them by hook. */
#include "observer.h"

#define HOOK(name, parameters) || o->name
static bool watches_launches(const observer *o)
{
    return o->launch_begin
#include "hooks.def"
        ;
}
#undef HOOK

static bool is_on(const observers *all, u32 slot) { return all->on >> slot & 1 && watches_launches(all->all[slot]); }

bool observed_launch(const observers *all)
{
    for (u32 slot = 0; slot < all->count; slot++)
        if (is_on(all, slot))
            return true;
    return false;
}

bool parallel_launch(const observers *all)
{
    for (u32 slot = 0; slot < all->count; slot++)
        if (is_on(all, slot) && !all->all[slot]->parallel)
            return false;
    return true;
}

/* State that nobody needs takes one byte, so that NULL always means no memory. */
static void *fresh_state(size_t size) { return calloc(1, size ? size : 1); }

static bool begin_one(launch *L, u32 slot)
{
    observers *all = L->observers;
    const observer *o = all->all[slot];
    if (!all->device[slot])
        all->device[slot] = fresh_state(o->device_size);
    L->observed[slot] = fresh_state(o->launch_size);
    if (!all->device[slot] || !L->observed[slot])
        return false;
    return !o->launch_begin || o->launch_begin(L, all->device[slot], L->observed[slot]);
}

bool observers_begin(launch *L)
{
    bool good = true;
    for (u32 slot = 0; slot < L->observers->count; slot++)
        if (is_on(L->observers, slot))
            good &= begin_one(L, slot);
    return good;
}

void observers_end(launch *L)
{
    observers *all = L->observers;
    for (u32 slot = 0; slot < all->count; slot++) {
        if (L->observed[slot] && all->device[slot] && all->all[slot]->launch_end)
            all->all[slot]->launch_end(L, all->device[slot], L->observed[slot]);
        free(L->observed[slot]);
        L->observed[slot] = NULL;
    }
}

static void append(watch **list, watch *o)
{
    while (*list)
        list++;
    *list = o;
}

#define HOOK(name, parameters) \
    if (o->by->name) \
        append(s->of[HOOK_##name], o);
static void list_hooks(struct watchers *s, watch *o)
{
#include "hooks.def"
}
#undef HOOK

static bool watch_by(worker *W, u32 slot)
{
    struct watchers *s = W->watchers;
    const observers *all = W->L->observers;
    watch *o = &s->watches[s->count];
    *o = (watch){ all->all[slot], slot, W, all->device[slot], W->L->observed[slot], NULL, NULL };
    o->worker = fresh_state(o->by->worker_size);
    o->warps = fresh_state(o->by->warp_size * W->c.nwarps);
    s->count++;
    if (!o->worker || !o->warps)
        return false;
    list_hooks(s, o);
    return !o->by->worker_begin || o->by->worker_begin(o);
}

bool watch_worker(worker *W)
{
    W->watchers = calloc(1, sizeof *W->watchers);
    if (!W->watchers)
        return false;
    for (u32 slot = 0; slot < W->L->observers->count; slot++)
        if (is_on(W->L->observers, slot) && !watch_by(W, slot))
            return false;
    return true;
}

void unwatch_worker(worker *W)
{
    for (u32 i = 0; W->watchers && i < W->watchers->count; i++) {
        watch *o = &W->watchers->watches[i];
        if (o->worker && o->warps && o->by->worker_end)
            o->by->worker_end(o);
        free(o->worker);
        free(o->warps);
    }
    free(W->watchers);
}

static int space_of(const ins *k, u64 address)
{
    if (k->space == SP_CONST)
        return SP_GLOBAL;
    return k->space == SP_GENERIC ? generic_space(address) : k->space;
}

/* The lanes of m whose addresses lie in this space. */
static u32 lanes_of_space(const ins *k, u32 m, const u64 *addr, int space)
{
    u32 same = m;
    if (k->space != SP_GENERIC)
        return m;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        if (generic_space(addr[__builtin_ctz(lanes)]) != space)
            same &= ~(lanes & -lanes);
    return same;
}

void tell_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum access_kind kind)
{
    for (u32 rest = m, lanes; rest; rest &= ~lanes) {
        int space = space_of(k, addr[__builtin_ctz(rest)]);
        lanes = lanes_of_space(k, rest, addr, space);
        access_event e = { kind, space, lanes, addr, R };
        TELL(W, access, w, k, &e);
    }
}
