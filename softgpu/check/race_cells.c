/* Cells of racecheck: each remembers its last weak store, and who read it and who wrote it by atomics since. */
#include "race_cells.h"
#include "findings.h"
#include "softgpu/lanes/lanes.h"

race_map *race_new(u64 bytes)
{
    race_map *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    *m = (race_map){ calloc((size_t)(bytes / 4 + 1), sizeof(cell)), bytes, 0, 2 };
    if (m->cells)
        return m;
    free(m);
    return NULL;
}

void race_free(void *map)
{
    race_map *m = map;
    if (m)
        free(m->cells);
    free(m);
}

/* Smaller cells from now on; each takes over what was known of the larger one. */
bool race_refine(race_map *m, u8 shift)
{
    u64 n = (m->bytes >> shift) + 1;
    cell *cells = malloc((size_t)n * sizeof *cells);
    if (!cells)
        return false;
    for (u64 i = 0; i < n; i++)
        cells[i] = m->cells[i >> (m->shift - shift)];
    free(m->cells);
    m->cells = cells;
    m->shift = shift;
    return true;
}

/* --- are they ordered? --- */
static bool knows_threads(const clocks *c, const record *p, u32 lanes)
{
    enum clock_of of = p->is_async ? CLOCK_ASYNC : CLOCK_THREAD;
    for (; lanes; lanes &= lanes - 1)
        if (clocks_at(c, clock_key(p->cta, of, p->warp * WARP + (u32)__builtin_ctz(lanes))) < p->time)
            return false;
    return true;
}

static bool lane_knows(const known *k, const visit *v, const record *p, u32 lane)
{
    bool here = p->cta == v->me.cta, warp_too = here && p->warp == v->me.warp && !p->whole_block;
    if (p->is_async)
        return knows_threads(k->rest, p, p->lanes);
    if ((here && p->time <= k->block) || (warp_too && p->time <= k->warp))
        return true;
    u32 others = p->lanes & ~(warp_too ? 1u << lane : 0);
    if (!p->whole_block && !others)
        return true;
    if (!k->rest)
        return false;
    if (clocks_at(k->rest, clock_key(p->cta, CLOCK_BLOCK, 0)) >= p->time)
        return true;
    if (p->whole_block)
        return false;
    return clocks_at(k->rest, clock_key(p->cta, CLOCK_WARP, p->warp)) >= p->time || knows_threads(k->rest, p, others);
}

/* The usual cases: an access of an earlier launch, of before a barrier, or of the same thread. */
static inline bool plainly_ordered(const visit *v, const record *p)
{
    if (p->time < v->start)
        return true;
    if (p->cta != v->me.cta || p->is_set || p->is_async)
        return false;
    if (p->time <= v->block_time)
        return true;
    bool same_thread = p->lanes == v->me.lanes && !(p->lanes & (p->lanes - 1));
    return p->warp == v->me.warp && !p->whole_block && (p->time <= v->warp_time || same_thread);
}

/* Did the earlier access happen before this one? */
static bool ordered(const visit *v, const record *p)
{
    if (plainly_ordered(v, p))
        return true;
    for (u32 lanes = v->me.lanes; lanes; lanes &= lanes - 1) {
        u32 lane = (u32)__builtin_ctz(lanes);
        if (!lane_knows(&v->s->lanes[lane].now, v, p, lane))
            return false;
    }
    return true;
}

/* Who reads by a strong access what a strong store or an atomic left comes after it, and hands that on with all else
 * that it knows: so far as this word goes there is no need of a fence. */
static bool lane_observed(const visit *v, const record *p, const clocks *rest)
{
    return (p->strength == GPU_SCOPE && clocks_at(rest, CLOCK_WORD | v->word) >= p->time)
           || (p->cta == v->me.cta && clocks_at(rest, CLOCK_WORD | CLOCK_WORD_OF_BLOCK | v->word) >= p->time);
}

static bool observed(const visit *v, const record *p)
{
    for (u32 lanes = v->me.lanes; lanes; lanes &= lanes - 1)
        if (!lane_observed(v, p, v->s->lanes[__builtin_ctz(lanes)].now.rest))
            return false;
    return p->strength >= CTA_SCOPE;
}

void observe_cell(const visit *v, race_lane *l)
{
    clocks_set(&l->now.rest, CLOCK_WORD | CLOCK_WORD_OF_BLOCK | v->word, v->me.time - 1);
    if (v->me.strength == GPU_SCOPE || v->me.strength == VOLATILE)
        clocks_set(&l->now.rest, CLOCK_WORD | v->word, v->me.time - 1);
}

/* --- may they meet without an order? --- */
static bool holds(u8 strength, const record *a, const record *b)
{
    return a->cta == b->cta || strength == VOLATILE || strength == GPU_SCOPE;
}

/* Accesses of two sizes overlap in part, and the memory model counts neither as atomic for the other. */
static bool both_strong(const record *a, const record *b)
{
    if (a->size != b->size || !a->strength || !b->strength || (a->strength == VOLATILE && b->strength == VOLATILE))
        return false;
    return holds(a->strength, a, b) && holds(b->strength, a, b);
}

u64 stored_value(const visit *v, u32 j, u32 lane)
{
    const u8 *slot = v->R + v->k->regs[j];
    return v->k->sizes >> j & 1 ? ((const L64 *)(const void *)slot)[lane] : ((const L32 *)(const void *)slot)[lane];
}

/* Lanes of one store that write the same value to the same place. */
static bool same_store(const visit *v, const record *p)
{
    u32 other = (u32)__builtin_ctz(p->lanes);
    if (v->k->kind != K_ST || v->me.is_async || p->cta != v->me.cta || p->pc != v->me.pc || p->warp != v->me.warp
        || p->time != v->me.time)
        return false;
    for (u32 j = 0; j < v->k->n; j++)
        if (stored_value(v, j, v->lane) != stored_value(v, j, other))
            return false;
    return true;
}

/* Equal stores are a note; a reader whom this run's values do not let see the difference, a warning. */
static int severity_of(const visit *v, const record *p, bool other_reads)
{
    if (v->kind == ACCESS_STORE && !other_reads)
        return v->me.silent || same_store(v, p) ? SOFTGPU_NOTE : SOFTGPU_ERROR;
    if ((other_reads && v->me.silent) || (v->kind == ACCESS_LOAD && p->silent))
        return SOFTGPU_WARNING;
    return SOFTGPU_ERROR;
}

static const char *reason_of(const visit *v, const record *p, int severity)
{
    bool atomics = v->me.strength >= CTA_SCOPE && p->strength >= CTA_SCOPE;
    if (severity == SOFTGPU_NOTE)
        return " (both store the same value)";
    if (severity == SOFTGPU_WARNING)
        return " (the store left the value as it was)";
    if (atomics && v->me.size != p->size)
        return " (atomics of different sizes overlap in part)";
    if (atomics)
        return " (the scope of these atomics does not hold both threads)";
    if (v->me.strength == VOLATILE && p->strength == VOLATILE)
        return " (volatile is not atomic)";
    return "";
}

/* Of lanes that load together the first that does not come after the other access. */
static u32 racing_lane(const visit *v, const record *p)
{
    for (u32 lanes = v->me.lanes; lanes; lanes &= lanes - 1) {
        u32 lane = (u32)__builtin_ctz(lanes);
        if (!lane_knows(&v->s->lanes[lane].now, v, p, lane))
            return lane;
    }
    return v->lane;
}

static void race(const visit *v, const record *p, bool other_reads)
{
    static const char *const verbs[] = { "load", "store", "atomic" };
    u32 lane = racing_lane(v, p);
    u32 others = p->lanes & ~(p->cta == v->me.cta && p->warp == v->me.warp ? 1u << lane : 0);
    const char *verb = p->strength >= CTA_SCOPE ? "atomic" : other_reads ? "load" : "store";
    party other = { p->cta, p->warp * WARP + (u32)__builtin_ctz(others ? others : p->lanes), p->pc, verb };
    int severity = severity_of(v, p, other_reads);
    report_as(severity, v->o->W, v->w, v->k, lane, SOFTGPU_RACECHECK, v->address, &other, "race: %s at 0x%llx%s",
              verbs[v->kind], (unsigned long long)v->address, reason_of(v, p, severity));
}

static void meet_one(const visit *v, const record *p, bool other_reads)
{
    if (!both_strong(&v->me, p) && !ordered(v, p) && (other_reads || !observed(v, p)))
        race(v, p, other_reads);
}

static inline void meet(const visit *v, const record *p, bool other_reads)
{
    if (plainly_ordered(v, p))
        return;
    if (!p->is_set) {
        meet_one(v, p, other_reads);
        return;
    }
    for (u32 i = p->lanes; i; i = set_at(&v->launch->sets, i)->prev)
        meet_one(v, &set_at(&v->launch->sets, i)->r, other_reads);
}

/* --- what is remembered --- */
/* Whoever races with the earlier access, and comes after this one, races with this one as well. */
static bool stands_for(const visit *v, const record *p, bool writes)
{
    return v->me.strength <= p->strength && (v->me.size == p->size || !v->me.strength)
           && (v->me.cta == p->cta || !v->me.strength) && !p->is_async && (ordered(v, p) || (writes && observed(v, p)));
}

static void remember(const visit *v, record *p, bool writes)
{
    race_sets *sets = &v->launch->sets;
    u32 set = 0;
    if (!v->me.strength && plainly_ordered(v, p)) {
        *p = v->me;
        return;
    }
    if (p->time >= v->start && !p->is_set && !stands_for(v, p, writes))
        set = set_push(sets, 0, p);
    else if (p->time >= v->start && p->is_set)
        for (set = p->lanes; set && stands_for(v, &set_at(sets, set)->r, writes);)
            set = set_at(sets, set)->prev;
    *p = v->me;
    if (!set)
        return;
    set = set_push(sets, set, &v->me);
    if (!set)
        return;
    p->is_set = 1;
    p->lanes = set;
}

void visit_cell(const visit *v, cell *c)
{
    meet(v, &c->stored, false);
    meet(v, &c->atomic, false);
    if (!v->writes) {
        remember(v, &c->read, false);
        return;
    }
    meet(v, &c->read, true);
    if (v->me.strength >= CTA_SCOPE) {
        remember(v, &c->atomic, true);
        return;
    }
    *c = (cell){ .stored = v->me };
}
