/* Racecheck by happens-before. Two accesses of different threads race where one writes, they are not both atomics whose
 * scopes hold each other, and nothing orders them (race_order.h). Launches are always ordered: a record older than the
 * launch is void, and nothing needs clearing. Values only lower the severity of a report, they never hide one. */
#include "findings.h"
#include "race_cells.h"
#include "softgpu/lanes/lanes.h"

typedef struct race_device {
    race_clock clock; /* of the last launch's last access */
    u32 generation;   /* how often time began anew */
} race_device;

typedef struct race_worker {
    race_map *shared;
    u32 shared_start; /* older records of shared memory belong to earlier blocks */
    gate gates[GATES];
} race_worker;

/* --- where it is --- */
static void not_watched(const alloc *a)
{
    report_plain(SOFTGPU_RACECHECK, a->base,
                 "allocation %u of %llu bytes is not watched: the host has no memory for its shadow", a->id,
                 (unsigned long long)a->size);
}

static race_map *global_map(const visit *v, alloc *a)
{
    race_map *m = alloc_state(v->o, a);
    if (!m) {
        a->observed[v->o->slot] = m = race_new(a->size);
        if (!m)
            not_watched(a);
    }
    if (m && m->generation != v->launch->generation) {
        memset(m->cells, 0, (size_t)((m->bytes >> m->shift) + 1) * sizeof(cell));
        m->generation = v->launch->generation;
    }
    return m;
}

static race_map *map_of(visit *v, int space, u64 *offset)
{
    race_worker *mine = v->o->worker;
    if (space == SP_SHARED) {
        *offset = v->address >= SHARED_WINDOW ? v->address - SHARED_WINDOW : v->address;
        v->start = mine->shared_start;
        return mine->shared;
    }
    if (!v->a || v->address - v->a->base >= v->a->size)
        v->a = memory_find(v->o->W->L->mem, v->address);
    if (!v->a || v->a->is_const)
        return NULL;
    *offset = v->address - v->a->base;
    v->start = v->launch->start;
    return global_map(v, v->a);
}

static const u8 *host_at(const visit *v, int space, u64 offset)
{
    return (space == SP_SHARED ? v->o->W->c.shared : v->a->host) + offset;
}

/* Does the store leave the bytes as they are? */
static bool is_silent(const visit *v, const u8 *host)
{
    const ins *k = v->k;
    for (u32 j = 0; j < k->n; j++) {
        u64 value = stored_value(v, j, v->lane);
        if (memcmp(host + j * k->size, &value, k->size))
            return false;
    }
    return true;
}

/* Atomics of earlier lanes of the instruction that met the same address. */
typedef struct exchange {
    u64 address[WARP], value[WARP];
    u32 n;
} exchange;

static u64 operand_of(const visit *v, u32 slot)
{
    const u8 *at = v->R + slot;
    u64 value = v->k->size == 8 ? ((const L64 *)(const void *)at)[v->lane] : ((const L32 *)(const void *)at)[v->lane];
    return v->k->size == 2 ? value & 0xffffu : value;
}

/* Does a compare-and-swap swap? One that fails only reads. */
static bool swaps(const visit *v, exchange *x, const u8 *host)
{
    u64 old = 0;
    memcpy(&old, host, v->k->size);
    for (u32 i = 0; i < x->n; i++)
        if (x->address[i] == v->address)
            old = x->value[i];
    bool equal = old == operand_of(v, v->k->b);
    x->address[x->n] = v->address;
    x->value[x->n++] = equal ? operand_of(v, v->k->c) : old;
    return equal;
}

/* Words of shared memory are the block's; the address may be generic. */
static u64 shared_key(u64 block, u64 address)
{
    return (u64)1 << 63 | block << 20 | (address >= SHARED_WINDOW ? address - SHARED_WINDOW : address);
}

static u64 word_key(const visit *v, int space)
{
    return space == SP_SHARED ? shared_key(v->me.cta, v->address) : v->address;
}

/* A reduction learns nothing of what it adds to. */
static bool reads_word(const visit *v) { return v->kind == ACCESS_LOAD || v->k->kind == K_ATOM; }

static bool synchronise(const visit *v, ordering how, u64 key)
{
    race_warp *s = warp_state(v->o, v->w);
    bool any = false;
    for (u32 lanes = v->me.lanes; lanes; lanes &= lanes - 1) {
        u32 lane = (u32)__builtin_ctz(lanes);
        strong_access a = { .lane = &s->lanes[lane],
                            .cta = v->me.cta,
                            .cluster = v->me.cta,
                            .thread = v->w->index * WARP + lane,
                            .time = v->me.time,
                            .how = how,
                            .reads = reads_word(v),
                            .writes = v->writes,
                            .keeps = v->kind == ACCESS_ATOMIC };
        any |= order_strong(&v->launch->words, key, &a);
    }
    s->mixed |= v->launch->words.used != 0;
    return any;
}

/* A weak store where threads synchronised ends what was released there. */
static bool ends_release(const visit *v, const cell *c)
{
    return v->writes && !v->me.strength && (c->atomic.time >= v->start || c->stored.strength == VOLATILE);
}

static u64 cell_key(const visit *v, int space, u64 from_address)
{
    u64 at = v->address + from_address;
    if (space != SP_SHARED)
        return at;
    return CLOCK_SHARED | (u64)v->me.cta << 20 | (at >= SHARED_WINDOW ? at - SHARED_WINDOW : at);
}

static void observe_lanes(const visit *v)
{
    race_warp *s = warp_state(v->o, v->w);
    s->mixed = true;
    for (u32 lanes = v->me.lanes; lanes; lanes &= lanes - 1)
        observe_cell(v, &s->lanes[__builtin_ctz(lanes)]);
}

static bool visit_lanes(visit *v, int space, ordering how, exchange *x)
{
    u64 offset, bytes = (u64)v->k->size * v->k->n;
    race_map *m = map_of(v, space, &offset);
    u8 shift = v->k->size >= 4 ? 2 : v->k->size >= 2 ? 1 : 0;
    if (!m || offset + bytes > m->bytes || (shift < m->shift && !race_refine(m, shift)))
        return false;
    const u8 *host = host_at(v, space, offset);
    v->writes = v->kind != ACCESS_LOAD;
    if (v->kind == ACCESS_ATOMIC && (v->k->arg & 255) == AT_CAS)
        v->writes = swaps(v, x, host);
    v->me.silent = v->k->kind == K_ST && is_silent(v, host);
    if (ends_release(v, &m->cells[offset >> m->shift]))
        order_forget(&v->launch->words, word_key(v, space));
    for (u64 i = offset >> m->shift; i <= (offset + bytes - 1) >> m->shift; i++) {
        if (how.strength || m->cells[i].atomic.time >= v->start)
            v->word = cell_key(v, space, (i << m->shift) - offset);
        if (how.strength && reads_word(v))
            observe_lanes(v);
        visit_cell(v, &m->cells[i]);
    }
    return (how.strength || how.order) && synchronise(v, how, word_key(v, space));
}

static bool same_address(const access_event *e)
{
    u64 first = e->addr[__builtin_ctz(e->m)], differs = 0;
    for (u32 i = 0; i < WARP; i++)
        differs |= e->m >> i & 1 ? e->addr[i] ^ first : 0;
    return !differs;
}

/* Lanes that are visited together know the same, unless the warp is mixed. */
static inline void know_times(visit *v, bool together)
{
    const known *now = &v->s->lanes[v->lane].now;
    bool alike = !together || !v->s->mixed;
    v->block_time = alike ? now->block : 0;
    v->warp_time = alike ? now->warp : 0;
}

static void race_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    race_launch *mine = o->launch;
    exchange x = { .n = 0 };
    u32 pc = (u32)(k - o->W->L->k->code);
    ordering how = mine->orders[pc];
    visit v = { .o = o, .launch = mine, .w = w, .s = warp_state(o, w), .k = k, .kind = e->kind, .R = e->R };
    if ((e->space != SP_GLOBAL && e->space != SP_SHARED) || is_copy(k))
        return;
    v.me = (record){ .cta = (u32)o->W->c.linear,
                     .time = mine->clock.now,
                     .pc = pc < MOST_PC ? pc : MOST_PC,
                     .size = (u32)__builtin_ctz(k->size) & 3,
                     .warp = w->index & 31,
                     .strength = how.strength & 7 };
    bool together = e->kind == ACCESS_LOAD && same_address(e), handed_on = false;
    bool ticks = how.strength && (e->kind == ACCESS_LOAD || k->kind == K_ATOM);
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1) {
        v.lane = (u32)__builtin_ctz(lanes);
        v.me.lanes = together ? e->m : 1u << v.lane;
        v.address = e->addr[v.lane];
        know_times(&v, together);
        if (ticks) /* each of these lanes comes after the one before it */
            tick(&mine->clock);
        v.me.time = mine->clock.now;
        handed_on |= visit_lanes(&v, e->space, how, &x);
        if (together)
            break;
    }
    if (handed_on)
        tick(&mine->clock);
}

/* --- asynchronous copies and mbarriers --- */
static void visit_range(visit *v, enum access_kind kind, int space, u64 address, u64 bytes)
{
    u64 offset = 0;
    v->kind = kind;
    v->writes = kind == ACCESS_STORE;
    v->address = address;
    if (space != SP_GLOBAL && space != SP_SHARED)
        return;
    race_map *m = map_of(v, space, &offset);
    u8 shift = (offset | bytes) % 4 == 0 ? 2 : 0;
    if (!m || offset + bytes > m->bytes || (shift < m->shift && !race_refine(m, shift)))
        return;
    for (u64 i = offset >> m->shift; bytes && i <= (offset + bytes - 1) >> m->shift; i++)
        visit_cell(v, &m->cells[i]);
}

static void race_copy(watch *o, warp *w, const ins *k, const async_event *e)
{
    race_launch *mine = o->launch;
    race_warp *s = warp_state(o, w);
    u32 pc = (u32)(k - o->W->L->k->code), thread = w->index * WARP + e->lane;
    visit v = { .o = o, .launch = mine, .w = w, .s = s, .k = k, .lane = e->lane };
    v.me = (record){ .cta = (u32)o->W->c.linear,
                     .time = tick(&mine->clock) + 1,
                     .lanes = 1u << e->lane,
                     .pc = pc < MOST_PC ? pc : MOST_PC,
                     .warp = w->index & 31,
                     .is_async = 1 };
    s->mixed = true;
    visit_range(&v, ACCESS_LOAD, e->from_space, e->from, e->read);
    visit_range(&v, ACCESS_STORE, e->to_space, e->to, e->bytes);
    if (e->signals == NO_MBARRIER)
        s->lanes[e->lane].copied[e->group % GROUPS] = v.me.time;
    else
        order_signal(&mine->words, shared_key(v.me.cta, e->signals), v.me.cta, thread, v.me.time);
    tick(&mine->clock);
}

static void race_wait(watch *o, warp *w, const ins *k, u32 m, const u32 *complete)
{
    race_warp *s = warp_state(o, w);
    (void)k;
    s->mixed = true;
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        order_copied(&s->lanes[i], o->W->c.linear, w->index * WARP + i, complete[i]);
    }
}

/* A relaxed operation orders nothing without a fence. */
static ordering mbarrier_order(const watch *o, const ins *k, enum sync_scope scope)
{
    bool relaxed = strstr(opcode_of(o->W->L->k, k), ".relaxed") != NULL;
    return (ordering){ (u8)(CTA_SCOPE + (u32)scope), relaxed ? 0 : ORDER_ACQUIRE | ORDER_RELEASE };
}

/* What was released at an mbarrier stays, phase after phase: an order too many, never one too few. */
static void at_mbarrier(watch *o, const warp *w, u32 m, const u64 *addr, ordering how, bool arrives)
{
    race_launch *mine = o->launch;
    race_warp *s = warp_state(o, w);
    u64 block = o->W->c.linear;
    s->mixed = true;
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        strong_access a = { .lane = &s->lanes[i],
                            .cta = block,
                            .cluster = block,
                            .thread = w->index * WARP + i,
                            .time = mine->clock.now,
                            .how = how,
                            .reads = !arrives,
                            .writes = arrives,
                            .keeps = true };
        order_strong(&mine->words, shared_key(block, addr[i]), &a);
    }
    tick(&mine->clock);
}

static void race_arrive(watch *o, warp *w, const ins *k, u32 m, const u64 *addr, enum sync_scope scope)
{
    at_mbarrier(o, w, m, addr, mbarrier_order(o, k, scope), true);
}

static void race_see(watch *o, warp *w, const ins *k, u32 m, const u64 *addr, enum sync_scope scope)
{
    at_mbarrier(o, w, m, addr, mbarrier_order(o, k, scope), false);
}

static void race_fence(watch *o, warp *w, const ins *k, u32 m)
{
    race_launch *mine = o->launch;
    ordering how = mine->orders[k - o->W->L->k->code];
    if (how.order & ORDER_FENCE)
        order_fence(warp_state(o, w), &mine->clock, m, how);
}

static void race_barrier(watch *o, warp *w, const ins *k, const u8 *R, u32 m)
{
    u32 id = k->arg == BAR_CLUSTER ? GATES - 1 : ((const L32 *)(const void *)(R + k->a))[__builtin_ctz(m)] & 15;
    gate_enter(&((race_worker *)o->worker)->gates[id], warp_state(o, w), &((race_launch *)o->launch)->clock, &o->W->c,
               w->index, m, k->arg != BAR_ARRIVE);
}

static void race_release(watch *o, const cta *c, u32 ids)
{
    for (; ids; ids &= ids - 1)
        gate_open(&((race_worker *)o->worker)->gates[__builtin_ctz(ids)], &((race_launch *)o->launch)->clock, c,
                  (race_warp *)(void *)o->warps);
}

/* Of the warp's operations only its barrier orders memory: shuffles, votes and matches do not. */
static void race_collective(watch *o, warp *w, const ins *k, u32 m, u32 named, u32 poisoned)
{
    (void)poisoned;
    if (k->kind == K_WARPSYNC && m & named)
        order_warp(warp_state(o, w), &((race_launch *)o->launch)->clock, &o->W->c, w, m & named);
}

static void reset_warps(watch *o)
{
    race_warp *warps = (race_warp *)(void *)o->warps;
    for (u32 i = 0; i < o->W->c.nwarps; i++) {
        for (u32 j = 0; j < WARP; j++)
            if (warps[i].mixed)
                lane_reset(&warps[i].lanes[j]);
            else
                warps[i].lanes[j].now = (known){ 0 };
        warps[i].mixed = false;
    }
    for (u32 i = 0; i < GATES; i++)
        gate_clear(&((race_worker *)o->worker)->gates[i]);
}

static void race_cta(watch *o, const cta *c)
{
    race_launch *mine = o->launch;
    (void)c;
    reset_warps(o);
    tick(&mine->clock);
    ((race_worker *)o->worker)->shared_start = mine->clock.now;
}

static bool race_begin(launch *L, void *device_state, void *launch_state)
{
    race_device *device = device_state;
    race_launch *mine = launch_state;
    if (device->clock.now > 0xf0000000u) { /* time begins anew, and every map with it */
        device->clock.now = 0;
        device->generation++;
    }
    device->clock.now += 2; /* never 0, which is the time of an empty record */
    mine->clock = device->clock;
    mine->start = mine->clock.now;
    mine->generation = device->generation;
    mine->orders = calloc(L->k->ncode + 1, sizeof *mine->orders);
    for (u32 i = 0; mine->orders && i < L->k->ncode; i++) {
        const ins *k = &L->k->code[i];
        if (k->kind == K_MBARRIER) /* its hooks say what it orders */
            mine->orders[i] = (ordering){ k->cls == CL_STORE ? WEAK : CTA_SCOPE, 0 };
        else if (k->cls == CL_LOAD || k->cls == CL_STORE || k->cls == CL_ATOMIC || k->cls == CL_BARRIER)
            mine->orders[i] = ordering_of(opcode_of(L->k, k));
    }
    return mine->orders != NULL;
}

static void race_end(launch *L, void *device_state, void *launch_state)
{
    race_launch *mine = launch_state;
    (void)L;
    if (mine->sets.full || mine->clock.full)
        report_plain(SOFTGPU_RACECHECK, 0, "racecheck lost track of %s: a later race of the launch may be missing",
                     mine->sets.full ? "readers, of which there are too many" : "time");
    if (mine->clock.now)
        ((race_device *)device_state)->clock.now = mine->clock.now;
    sync_table_free(&mine->words);
    sets_free(&mine->sets);
    free(mine->orders);
}

static bool race_worker_begin(watch *o)
{
    race_worker *mine = o->worker;
    mine->shared = race_new(o->W->c.shared_size);
    return mine->shared != NULL;
}

static void race_worker_end(watch *o)
{
    reset_warps(o);
    race_free(((race_worker *)o->worker)->shared);
}

const observer racecheck = {
    .device_size = sizeof(race_device),
    .launch_size = sizeof(race_launch),
    .worker_size = sizeof(race_worker),
    .warp_size = sizeof(race_warp),
    .launch_begin = race_begin,
    .launch_end = race_end,
    .worker_begin = race_worker_begin,
    .worker_end = race_worker_end,
    .cta_begin = race_cta,
    .access = race_access,
    .fence = race_fence,
    .barrier = race_barrier,
    .barrier_release = race_release,
    .collective = race_collective,
    .async_copy = race_copy,
    .async_wait = race_wait,
    .mbarrier_arrive = race_arrive,
    .mbarrier_wait = race_see,
    .released = race_free,
};
