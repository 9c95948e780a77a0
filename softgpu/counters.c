/* Counters. Each worker counts for itself; sums of integers do not depend on the order of workers. */
#include "counters.h"
#include "api.h"
#include <pthread.h>

typedef struct line_count { const char *kernel; int line; u64 warps, threads; } line_count;
typedef struct launch_record { char *kernel; softgpuCounters c; } launch_record;

static launch_record *launches;
static size_t nlaunches, ready_launches;
static line_count *lines;
static size_t nlines;
static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;

/* Distinct 32-byte sectors that the lanes touch; an aligned access lies in one. */
static u32 sectors(const u64 *addr, u32 m)
{
    u64 seen[WARP];
    u32 n = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u64 s = addr[__builtin_ctz(lanes)] / 32;
        u32 j = n;
        while (j && seen[j - 1] != s) j--;
        if (!j) seen[n++] = s;
    }
    return n;
}

/* Passes that shared memory needs for some lanes: the most distinct words that one of the 32 banks must give. */
static u32 bank_passes(const u64 *addr, u32 m, u32 words)
{
    u64 seen[WARP][WARP];
    u32 depth[WARP] = { 0 }, most = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1)
        for (u32 w = 0; w < words; w++) {
            u64 word = addr[__builtin_ctz(lanes)] / 4 + w;
            u32 bank = (u32)word % 32, j = 0;
            while (j < depth[bank] && seen[bank][j] != word) j++;
            if (j < depth[bank]) continue;
            seen[bank][depth[bank]++] = word;
            if (depth[bank] > most) most = depth[bank];
        }
    return most;
}

/* Wide accesses go in halves or quarters of a warp, each of which should need one pass. */
static u32 bank_conflicts(const u64 *addr, u32 m, u32 bytes)
{
    u32 groups = bytes > 8 ? 4 : bytes > 4 ? 2 : 1, lanes = WARP / groups, conflicts = 0;
    for (u32 g = 0; g < groups; g++) {
        u32 part = m & (groups == 1 ? ~0u : ((1u << lanes) - 1) << g * lanes);
        u32 passes = part ? bank_passes(addr, part, bytes < 4 ? 1 : bytes / 4) : 0;
        conflicts += passes > 1 ? passes - 1 : 0;
    }
    return conflicts;
}

static void count_global(softgpuCounters *c, u32 m, const u64 *addr, u32 bytes, enum observed_access what)
{
    u32 n = sectors(addr, m), ideal = ((u32)__builtin_popcount(m) * bytes + 31) / 32;
    if (what == OBSERVE_ATOMIC) { c->global_atomics++; return; }
    if (what == OBSERVE_LOAD) {
        c->global_load_requests++;
        c->global_load_sectors += n;
        c->global_load_ideal_sectors += ideal;
    } else {
        c->global_store_requests++;
        c->global_store_sectors += n;
        c->global_store_ideal_sectors += ideal;
    }
}

void count_access(worker *W, const ins *k, u32 m, const u64 *addr, enum observed_access what, int space)
{
    softgpuCounters *c = &W->counts;
    u32 bytes = (u32)k->size * k->n;
    if (space == SP_GLOBAL) count_global(c, m, addr, bytes, what);
    else if (space == SP_SHARED && what == OBSERVE_ATOMIC) c->shared_atomics++;
    else if (space == SP_SHARED) {
        u32 conflicts = bank_conflicts(addr, m, bytes);
        *(what == OBSERVE_LOAD ? &c->shared_load_requests : &c->shared_store_requests) += 1;
        *(what == OBSERVE_LOAD ? &c->shared_load_conflicts : &c->shared_store_conflicts) += conflicts;
    } else if (space == SP_LOCAL) *(what == OBSERVE_LOAD ? &c->local_load_requests : &c->local_store_requests) += 1;
}

void counters_begin(launch *L)
{
    pthread_mutex_lock(&counter_lock);
    launch_record *grown = realloc(launches, (nlaunches + 1) * sizeof *grown);
    if (grown) {
        launches = grown;
        launches[nlaunches] = (launch_record){ .kernel = malloc(strlen(L->k->f->name) + 1) };
        if (launches[nlaunches].kernel) strcpy(launches[nlaunches].kernel, L->k->f->name);
        softgpuCounters *c = &launches[nlaunches++].c;
        c->launches = 1;
        c->ctas = L->ctas;
        c->warps = L->ctas * ((L->threads + WARP - 1) / WARP);
        c->threads = L->ctas * L->threads;
        ready_launches = nlaunches;
    }
    pthread_mutex_unlock(&counter_lock);
}

static void add_counters(softgpuCounters *to, const softgpuCounters *from)
{
    u64 *t = (u64 *)to;
    const u64 *f = (const u64 *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++) t[i] += f[i];
}

static line_count *line_record(const char *name, int line)
{
    for (size_t i = nlines; i > 0; i--)
        if (lines[i - 1].line == line && !strcmp(lines[i - 1].kernel, name)) return &lines[i - 1];
    line_count *grown = realloc(lines, (nlines + 1) * sizeof *grown);
    char *copy = malloc(strlen(name) + 1);
    if (grown) lines = grown;
    if (!grown || !copy) { free(copy); return NULL; }
    strcpy(copy, name);
    lines[nlines] = (line_count){ copy, line, 0, 0 };
    return &lines[nlines++];
}

static void add_lines(const worker *W)
{
    const kernel *k = W->L->k;
    for (u32 i = 0; i < k->ncode; i++) {
        line_count *l = W->ins_warps[i] ? line_record(k->f->name, k->code[i].line) : NULL;
        if (!l) continue;
        l->warps += W->ins_warps[i];
        l->threads += W->ins_threads[i];
    }
}

/* Per instruction counts, summed by class and by line. */
void counters_end(worker *W)
{
    const kernel *k = W->L->k;
    softgpuCounters *c = &W->counts;
    for (u32 i = 0; i < k->ncode; i++) {
        c->warp_instructions += W->ins_warps[i];
        c->thread_instructions += W->ins_threads[i];
        c->warp_by_class[k->code[i].cls] += W->ins_warps[i];
        c->thread_by_class[k->code[i].cls] += W->ins_threads[i];
    }
    pthread_mutex_lock(&counter_lock);
    if (nlaunches) add_counters(&launches[nlaunches - 1].c, c);
    add_lines(W);
    pthread_mutex_unlock(&counter_lock);
}

CUDAAPI void softgpuGetCounters(softgpuCounters *total)
{
    pthread_mutex_lock(&counter_lock);
    memset(total, 0, sizeof *total);
    for (size_t i = 0; i < nlaunches; i++) add_counters(total, &launches[i].c);
    pthread_mutex_unlock(&counter_lock);
}

CUDAAPI size_t softgpuLaunchCount(void) { return ready_launches; }

CUDAAPI int softgpuGetLaunch(size_t index, const char **name, softgpuCounters *c)
{
    if (index >= nlaunches) return -1;
    if (name) *name = launches[index].kernel;
    if (c) *c = launches[index].c;
    return 0;
}

CUDAAPI void softgpuResetCounters(void)
{
    pthread_mutex_lock(&counter_lock);
    for (size_t i = 0; i < nlaunches; i++) free(launches[i].kernel);
    for (size_t i = 0; i < nlines; i++) free((void *)(uintptr_t)lines[i].kernel);
    free(launches);
    free(lines);
    launches = NULL;
    lines = NULL;
    nlaunches = ready_launches = nlines = 0;
    pthread_mutex_unlock(&counter_lock);
}

CUDAAPI size_t softgpuGetLines(const char *name, softgpuLine *out, size_t room)
{
    size_t n = 0;
    pthread_mutex_lock(&counter_lock);
    for (size_t i = 0; i < nlines; i++) {
        if (strcmp(lines[i].kernel, name)) continue;
        if (n < room) out[n] = (softgpuLine){ lines[i].line, lines[i].warps, lines[i].threads };
        n++;
    }
    pthread_mutex_unlock(&counter_lock);
    return n;
}
