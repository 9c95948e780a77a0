/* How knowledge spreads among threads: fences, barriers of blocks and warps, and words that strong accesses share. */
#include "race_order.h"

static const struct {
    const char *word;
    u8 strength, order;
} words[] = {
    { "relaxed", 0, 0 },
    { "acquire", 0, ORDER_ACQUIRE },
    { "release", 0, ORDER_RELEASE },
    { "acq_rel", 0, ORDER_ACQUIRE | ORDER_RELEASE },
    { "sc", 0, ORDER_ACQUIRE | ORDER_RELEASE },
    { "volatile", VOLATILE, 0 },
    { "mmio", GPU_SCOPE, 0 },
    { "cta", CTA_SCOPE, 0 },
    { "cluster", CLUSTER_SCOPE, 0 },
    { "gpu", GPU_SCOPE, 0 },
    { "gl", GPU_SCOPE, 0 },
    { "sys", GPU_SCOPE, 0 },
};

static void take_word(ordering *o, const char *word, size_t n)
{
    for (size_t i = 0; i < COUNT(words); i++) {
        if (strlen(words[i].word) != n || memcmp(words[i].word, word, n))
            continue;
        o->strength = words[i].strength ? words[i].strength : o->strength;
        o->order |= words[i].order;
    }
}

static bool begins(const char *opcode, const char *word)
{
    size_t n = strlen(word);
    return !strncmp(opcode, word, n) && (opcode[n] == '.' || !opcode[n]);
}

/* An atomic without a scope is the device's. A fence of another proxy orders nothing that is looked at here. */
ordering ordering_of(const char *opcode)
{
    ordering o = { WEAK, 0 };
    bool fence = begins(opcode, "fence") || begins(opcode, "membar");
    if (begins(opcode, "bar") || begins(opcode, "barrier") || strstr(opcode, "proxy"))
        return o;
    for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.'))
        take_word(&o, at + 1, strcspn(at + 1, "."));
    if (!o.strength && (begins(opcode, "atom") || begins(opcode, "red") || fence))
        o.strength = GPU_SCOPE;
    if (fence)
        o.order = (o.order ? o.order : ORDER_ACQUIRE | ORDER_RELEASE) | ORDER_FENCE;
    return o;
}

static u32 level_of(u8 strength) { return strength >= CTA_SCOPE ? (u32)strength - CTA_SCOPE : LEVELS - 1; }
static u32 later(u32 a, u32 b) { return a > b ? a : b; }

static void forget_released(released *r)
{
    clocks_drop(r->k.rest);
    *r = (released){ 0 };
}

void lane_reset(race_lane *l)
{
    for (u32 i = 0; i < LEVELS; i++) {
        forget_released(&l->fences[i]);
        clocks_clear(&l->seen[i]);
    }
    clocks_drop(l->now.rest);
    l->now = (known){ 0 };
    memset(l->copied, 0, sizeof l->copied);
}

/* What strong accesses read takes effect, up to a level. */
static void acquire_seen(race_lane *l, u32 level)
{
    for (u32 i = 0; i <= level; i++) {
        clocks_add(&l->now.rest, l->seen[i]);
        clocks_clear(&l->seen[i]);
    }
}

void order_fence(race_warp *s, race_clock *clock, u32 m, ordering how)
{
    u32 time = tick(clock), level = level_of(how.strength);
    s->mixed = true;
    for (; m; m &= m - 1) {
        race_lane *l = &s->lanes[__builtin_ctz(m)];
        if (how.order & ORDER_ACQUIRE)
            acquire_seen(l, level);
        for (u32 i = 0; i <= level && how.order & ORDER_RELEASE; i++) {
            forget_released(&l->fences[i]);
            l->fences[i] = (released){ time, l->now };
            clocks_keep(l->now.rest);
        }
    }
}

/* *to knows what the thread released. */
static void add_released(clocks **to, const released *r, u64 block, u32 thread)
{
    clocks_add(to, r->k.rest);
    clocks_set(to, clock_key(block, CLOCK_BLOCK, 0), r->k.block);
    clocks_set(to, clock_key(block, CLOCK_WARP, thread / WARP), r->k.warp);
    clocks_set(to, clock_key(block, CLOCK_THREAD, thread), r->time);
}

/* A barrier is taken as a fence of what its threads have read, and what they have fenced is fenced for all. */
static void enter_lane(gate *g, race_lane *l, u64 block, u32 thread)
{
    acquire_seen(l, LEVELS - 1);
    g->block = later(g->block, l->now.block);
    clocks_add(&g->known, l->now.rest);
    for (u32 i = 0; i < LEVELS; i++)
        if (l->fences[i].time || l->fences[i].k.rest)
            add_released(&g->fences[i], &l->fences[i], block, thread);
}

/* Threads that do not wait hand on what they did before now; the others stand still. */
static void add_arrivals(gate *g, u32 time, const cta *c, u32 warp_index, u32 m)
{
    g->arrivals = true;
    for (; m; m &= m - 1)
        clocks_set(&g->known, clock_key(c->linear, CLOCK_THREAD, warp_index * WARP + (u32)__builtin_ctz(m)), time);
}

void gate_enter(gate *g, race_warp *s, race_clock *clock, const cta *c, u32 warp_index, u32 m, bool waits)
{
    if (waits)
        g->waiting[warp_index] |= m;
    else
        add_arrivals(g, tick(clock), c, warp_index, m);
    if (!s->mixed) {
        g->block = later(g->block, s->lanes[__builtin_ctz(m)].now.block);
        return;
    }
    for (; m; m &= m - 1) {
        u32 i = (u32)__builtin_ctz(m);
        enter_lane(g, &s->lanes[i], c->linear, warp_index * WARP + i);
    }
}

static void leave_lane(const gate *g, race_lane *l)
{
    l->now.block = later(l->now.block, g->block);
    clocks_add(&l->now.rest, g->known);
    for (u32 i = 0; i < LEVELS; i++)
        clocks_add(&l->fences[i].k.rest, g->fences[i]);
}

static void leave(const gate *g, race_warp *s, u32 m, u32 warp_time)
{
    bool simple = !s->mixed && !g->known && !g->fences[0] && !g->fences[1] && !g->fences[2];
    s->mixed = !simple;
    for (; m; m &= m - 1) {
        race_lane *l = &s->lanes[__builtin_ctz(m)];
        l->now.warp = later(l->now.warp, warp_time);
        if (simple)
            l->now.block = g->block;
        else
            leave_lane(g, l);
    }
}

static bool everybody_waits(const gate *g, const cta *c)
{
    for (u32 i = 0; i < c->nwarps; i++)
        if (c->warps[i].live & ~g->waiting[i])
            return false;
    return !g->arrivals;
}

/* A warp that waits whole has one time; of a part of it every thread has its own. */
static void add_waiting(gate *g, u32 time, const cta *c, u32 i)
{
    u32 m = g->waiting[i];
    if (m && !(c->warps[i].live & ~m)) {
        clocks_set(&g->known, clock_key(c->linear, CLOCK_WARP, i), time);
        return;
    }
    for (; m; m &= m - 1)
        clocks_set(&g->known, clock_key(c->linear, CLOCK_THREAD, i * WARP + (u32)__builtin_ctz(m)), time);
}

/* Threads that have exited count as if they were there. */
void gate_open(gate *g, race_clock *clock, const cta *c, race_warp *warps)
{
    u32 time = tick(clock);
    if (everybody_waits(g, c))
        g->block = time;
    else
        for (u32 i = 0; i < c->nwarps; i++)
            add_waiting(g, time, c, i);
    for (u32 i = 0; i < c->nwarps; i++)
        if (g->waiting[i])
            leave(g, &warps[i], g->waiting[i], c->warps[i].live & ~g->waiting[i] ? 0 : time);
    gate_clear(g);
}

void gate_clear(gate *g)
{
    clocks_clear(&g->known);
    for (u32 i = 0; i < LEVELS; i++)
        clocks_clear(&g->fences[i]);
    *g = (gate){ 0 };
}

void order_warp(race_warp *s, race_clock *clock, const cta *c, const warp *w, u32 m)
{
    gate g = { 0 };
    u32 time = tick(clock);
    bool whole = !(w->live & ~m);
    gate_enter(&g, s, clock, c, w->index, m, true);
    for (u32 lanes = whole ? 0 : m; lanes; lanes &= lanes - 1)
        clocks_set(&g.known, clock_key(c->linear, CLOCK_THREAD, w->index * WARP + (u32)__builtin_ctz(lanes)), time);
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        g.block = later(g.block, s->lanes[__builtin_ctz(lanes)].now.block);
    leave(&g, s, m, whole ? time : 0);
    gate_clear(&g);
}

/* --- words through which threads synchronise --- */
static size_t place_in(const sync_table *t, u64 key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (t->room - 1);
    while (t->words[at].key && t->words[at].key != key)
        at = (at + 1) & (t->room - 1);
    return at;
}

static sync_word *find_word(const sync_table *t, u64 key)
{
    if (!t->used)
        return NULL;
    sync_word *w = &t->words[place_in(t, key)];
    return w->key ? w : NULL;
}

static bool grow(sync_table *t)
{
    sync_table more = { NULL, t->room ? 2 * t->room : 64, t->used };
    more.words = calloc(more.room, sizeof *more.words);
    if (!more.words)
        return false;
    for (size_t i = 0; i < t->room; i++)
        if (t->words[i].key)
            more.words[place_in(&more, t->words[i].key)] = t->words[i];
    free(t->words);
    *t = more;
    return true;
}

static sync_word *new_word(sync_table *t, u64 key)
{
    if (2 * (t->used + 1) > t->room && !grow(t))
        return NULL;
    sync_word *w = &t->words[place_in(t, key)];
    t->used += !w->key;
    w->key = key;
    return w;
}

static void forget_word(sync_word *w)
{
    for (u32 i = 0; w && i < LEVELS; i++)
        clocks_clear(&w->levels[i]);
}

void order_forget(sync_table *t, u64 key) { forget_word(find_word(t, key)); }

void sync_table_free(sync_table *t)
{
    for (size_t i = 0; i < t->room; i++)
        forget_word(&t->words[i]);
    free(t->words);
    *t = (sync_table){ 0 };
}

static u64 owner_at(const strong_access *a, u32 level) { return level == 0 ? a->cta : level == 1 ? a->cluster : 0; }

static void read_word(const sync_word *w, const strong_access *a)
{
    u32 level = level_of(a->how.strength);
    for (u32 i = 0; w && i <= level; i++)
        if (w->levels[i] && w->owner[i] == owner_at(a, i))
            clocks_add(&a->lane->seen[i], w->levels[i]);
    if (a->how.order & ORDER_ACQUIRE)
        acquire_seen(a->lane, level);
}

static bool releases(const strong_access *a, u32 level)
{
    const released *r = &a->lane->fences[level];
    return a->how.order & ORDER_RELEASE || r->time || r->k.rest;
}

static void write_level(sync_word *w, const strong_access *a, u32 i)
{
    released here = { a->time, a->lane->now };
    if (w->owner[i] != owner_at(a, i))
        clocks_clear(&w->levels[i]);
    w->owner[i] = owner_at(a, i);
    add_released(&w->levels[i], a->how.order & ORDER_RELEASE ? &here : &a->lane->fences[i], a->cta, a->thread);
}

/* A store begins anew what is released at the word; an atomic that also reads goes on with it. */
bool order_strong(sync_table *t, u64 key, const strong_access *a)
{
    u32 level = level_of(a->how.strength);
    sync_word *w = find_word(t, key);
    bool any = false;
    if (a->reads)
        read_word(w, a);
    if (!a->writes)
        return false;
    if (!a->keeps)
        forget_word(w);
    for (u32 i = 0; i <= level; i++) {
        if (!releases(a, i))
            continue;
        w = w ? w : new_word(t, key);
        if (w)
            write_level(w, a, i);
        any = true;
    }
    return any;
}

void order_signal(sync_table *t, u64 key, u64 block, u32 thread, u32 time)
{
    sync_word *w = new_word(t, key);
    for (u32 i = 0; w && i < LEVELS - 1; i++) {
        w->owner[i] = block;
        clocks_set(&w->levels[i], clock_key(block, CLOCK_ASYNC, thread), time);
    }
}

/* Groups complete in their order. */
void order_copied(race_lane *l, u64 block, u32 thread, u32 complete)
{
    u32 recent = complete > GROUPS ? complete - GROUPS : 0, time = 0;
    for (u32 i = recent; i < complete; i++)
        time = later(time, l->copied[i % GROUPS]);
    clocks_set(&l->now.rest, clock_key(block, CLOCK_ASYNC, thread), time);
}
