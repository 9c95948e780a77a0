/* Racecheck. Every cell of memory (a word; smaller where smaller accesses occur) remembers its last writer and its last reader:
   block, thread, statement, how many barriers the block had passed, and a clock. Two accesses of different threads race where
   one writes, they are not both atomic, and nothing orders them:
   - in a block, a barrier between them does (for the threads of a warp also a warp barrier);
   - between blocks of a launch, only a fence and an atomic of the first, followed by an atomic of the second, does; the clock
     ticks at every fence and atomic, so a comparison of times tells;
   - launches are always ordered: a record older than the launch is void, and nothing needs clearing.
   A store that leaves the bytes as they are is not reported against another store. */
#include "racecheck.h"
#include "lanes.h"
#include "mem.h"
#include "report.h"

typedef struct party_record { u32 cta, pc, time, epoch; u16 thread, warp_epoch; } party_record;
typedef struct cell { party_record w, r; } cell;
struct race_map { cell *cells; u64 bytes; u8 shift; };

#define ATOMIC_BIT 0x80000000u
#define MANY_BIT 0x40000000u   /* several warps, of which the last is named */
#define SEVERAL_BIT 0x20000000u /* several threads of the warp */
#define PC_BITS 0x1fffffffu

race_map *race_new(u64 bytes)
{
    race_map *m = calloc(1, sizeof *m);
    if (!m) return NULL;
    m->bytes = bytes;
    m->shift = 2;
    m->cells = calloc((size_t)(bytes / 4 + 1), sizeof *m->cells);
    if (!m->cells) { free(m); return NULL; }
    return m;
}

void race_free(race_map *m)
{
    if (m) free(m->cells);
    free(m);
}

/* Smaller cells from now on; each takes over what was known of the larger one. */
static bool refine(race_map *m, u8 shift)
{
    u64 n = (m->bytes >> shift) + 1;
    cell *cells = malloc((size_t)n * sizeof *cells);
    if (!cells) return false;
    for (u64 i = 0; i < n; i++) cells[i] = m->cells[i >> (m->shift - shift)];
    free(m->cells);
    m->cells = cells;
    m->shift = shift;
    return true;
}

typedef struct visit {
    worker *W;
    warp *w;
    const ins *k;
    u32 pc, lane, thread, cta, epoch;
    u16 warp_epoch;
    enum observed_access what;
    bool atomic, writes, silent;
    u64 address;
    const u8 *R;
} visit;

/* Is the earlier access ordered before this one? */
static bool ordered(const visit *v, const party_record *p)
{
    const worker *W = v->W;
    if (p->time < W->L->start_time) return true;
    if (p->cta == v->cta) {
        if (p->epoch != v->epoch) return true;                                   /* a barrier of the block */
        if (p->pc & MANY_BIT || p->thread / WARP != v->thread / WARP) return false;
        return p->warp_epoch != v->warp_epoch || (p->thread == v->thread && !(p->pc & SEVERAL_BIT));
    }
    u32 released = W->cta_release ? W->cta_release[p->cta] : 0;
    return released > p->time && W->acquired > released;
}

static void race(const visit *v, const party_record *p, const char *verb)
{
    static const char *const mine[] = { "load", "store", "atomic" };
    party other = { p->cta, p->thread, p->pc & PC_BITS, verb };
    report_at(v->W, v->w, v->k, v->lane, SOFTGPU_RACECHECK, v->address, &other, "race: %s at 0x%llx", mine[v->what], (unsigned long long)v->address);
}

static party_record record(const visit *v, u32 many)
{
    return (party_record){ v->cta, v->pc | many | (v->atomic ? ATOMIC_BIT : 0), v->W->clock, v->epoch, (u16)v->thread, v->warp_epoch };
}

static void remember(const visit *v, party_record *p)
{
    if (ordered(v, p)) { *p = record(v, 0); return; }
    bool same_warp = p->cta == v->cta && p->thread / WARP == v->thread / WARP;
    u32 many = (p->pc & (MANY_BIT | SEVERAL_BIT)) | (!same_warp ? MANY_BIT : p->thread != v->thread ? SEVERAL_BIT : 0);
    *p = record(v, many);
}

static u64 stored(const visit *v, u32 j, u32 lane)
{
    const u8 *slot = v->R + v->k->regs[j];
    return v->k->sizes >> j & 1 ? ((const L64 *)(const void *)slot)[lane] : ((const L32 *)(const void *)slot)[lane];
}

/* Lanes of one store that write the same value to the same place. */
static bool same_store(const visit *v, const party_record *p)
{
    u32 other = p->thread;
    if (v->what != OBSERVE_STORE || p->cta != v->cta || (p->pc & PC_BITS) != v->pc || other / WARP != v->thread / WARP) return false;
    for (u32 j = 0; j < v->k->n; j++)
        if (stored(v, j, v->lane) != stored(v, j, other % WARP)) return false;
    return true;
}

static inline void visit_cell(visit *v, cell *c)
{
    bool by_me = c->w.cta == v->cta && c->w.thread == v->thread && c->w.time >= v->W->L->start_time;
    if (!by_me && !ordered(v, &c->w) && !(v->atomic && c->w.pc & ATOMIC_BIT) && !(v->writes && (v->silent || same_store(v, &c->w))))
        race(v, &c->w, c->w.pc & ATOMIC_BIT ? "atomic" : "store");
    if (!v->writes) { remember(v, &c->r); return; }
    if (!ordered(v, &c->r) && !(v->atomic && c->r.pc & ATOMIC_BIT) && !v->silent) race(v, &c->r, "load");
    c->w = record(v, 0);
}

static race_map *map_of(worker *W, u64 address, int space, u64 *offset)
{
    if (space == SP_SHARED) {
        *offset = address >= SHARED_WINDOW ? address - SHARED_WINDOW : address;
        return W->c.race;
    }
    alloc *a = memory_find(W->L->mem, address);
    if (!a || a->is_const) return NULL;
    if (!a->race) a->race = race_new(a->size);
    *offset = address - a->base;
    return a->race;
}

/* Does the store leave the bytes as they are? */
static bool is_silent(const visit *v, u64 offset, int space)
{
    const ins *k = v->k;
    if (v->what != OBSERVE_STORE) return false;
    const alloc *a = space == SP_SHARED ? NULL : memory_find(v->W->L->mem, v->address);
    const u8 *host = a ? a->host : v->W->c.shared;
    for (u32 j = 0; j < k->n; j++) {
        u64 value = stored(v, j, v->lane);
        if (memcmp(host + offset + j * k->size, &value, k->size)) return false;
    }
    return true;
}

static void visit_lane(visit *v, int space)
{
    u64 offset, bytes = (u64)v->k->size * v->k->n;
    race_map *m = map_of(v->W, v->address, space, &offset);
    u8 shift = v->k->size >= 4 ? 2 : v->k->size >= 2 ? 1 : 0;
    if (!m || offset + bytes > m->bytes || (shift < m->shift && !refine(m, shift))) return;
    v->silent = v->writes && is_silent(v, offset, space);
    for (u64 i = offset >> m->shift; i <= (offset + bytes - 1) >> m->shift; i++) visit_cell(v, &m->cells[i]);
}

void race_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum observed_access what, int space)
{
    visit v = { .W = W, .w = w, .k = k, .pc = (u32)(k - W->L->k->code), .cta = (u32)W->c.linear, .what = what, .R = R, .epoch = W->c.epoch, .warp_epoch = (u16)w->epoch };
    if (space != SP_GLOBAL && space != SP_SHARED) return;
    v.writes = what != OBSERVE_LOAD;
    v.atomic = what == OBSERVE_ATOMIC || k->flags & F_VOLATILE;
    if (v.atomic && space == SP_GLOBAL) race_fence(W, k);
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        v.lane = (u32)__builtin_ctz(lanes);
        v.thread = w->index * WARP + v.lane;
        v.address = addr[v.lane];
        visit_lane(&v, space);
    }
}

/* A fence makes what the block wrote before visible through the atomics it does afterwards; an atomic or a strong load may have
   seen those of other blocks. Threads of the block are taken together: what one thread released, its barriers spread. */
void race_fence(worker *W, const ins *k)
{
    W->clock++;
    if (k->kind == K_NOP) { W->released = W->clock; return; }
    if (W->released && W->cta_release) W->cta_release[W->c.linear] = W->released;
    W->acquired = W->clock;
}

void race_cta(worker *W)
{
    W->released = W->acquired = 0;
    if (!W->c.race) return;
    memset(W->c.race->cells, 0, (size_t)((W->c.race->bytes >> W->c.race->shift) + 1) * sizeof(cell));
}
