/* Counters. Each worker counts for itself; sums of integers do not depend on the order of workers. */
#include "checkers.h"
#include "profile.h"
#include <pthread.h>

typedef struct line_count {
    const char *kernel;
    int line;
    u64 warps, threads;
} line_count;
typedef struct launch_record {
    const char *kernel;
    softgpuCounters c;
} launch_record;

typedef struct count_worker {
    softgpuCounters c;
    u64 *ins_warps, *ins_threads; /* per instruction */
} count_worker;

static launch_record *launches;
static size_t nlaunches;
static line_count *lines;
static size_t nlines;
static bool lost; /* there was no memory for a record */
static pthread_mutex_t counter_lock = PTHREAD_MUTEX_INITIALIZER;

/* Distinct 32-byte sectors that the lanes touch; an aligned access lies in one. */
u32 touched_sectors(const u64 *addr, u32 m)
{
    u64 seen[WARP];
    u32 n = 0;
    for (u32 lanes = m; lanes; lanes &= lanes - 1) {
        u64 s = addr[__builtin_ctz(lanes)] / 32;
        u32 j = n;
        while (j && seen[j - 1] != s)
            j--;
        if (!j)
            seen[n++] = s;
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
            while (j < depth[bank] && seen[bank][j] != word)
                j++;
            if (j < depth[bank])
                continue;
            seen[bank][depth[bank]++] = word;
            if (depth[bank] > most)
                most = depth[bank];
        }
    return most;
}

/* Wide accesses go in halves or quarters of a warp, each of which should need one pass. */
u32 bank_conflicts(const u64 *addr, u32 m, u32 bytes)
{
    u32 groups = bytes > 8 ? 4 : bytes > 4 ? 2 : 1, lanes = WARP / groups, conflicts = 0;
    for (u32 g = 0; g < groups; g++) {
        u32 part = m & (groups == 1 ? ~0u : ((1u << lanes) - 1) << g * lanes);
        u32 passes = part ? bank_passes(addr, part, bytes < 4 ? 1 : bytes / 4) : 0;
        conflicts += passes > 1 ? passes - 1 : 0;
    }
    return conflicts;
}

static void count_global(softgpuCounters *c, u32 m, const u64 *addr, u32 bytes, enum access_kind kind)
{
    u32 n = touched_sectors(addr, m), ideal = ((u32)__builtin_popcount(m) * bytes + 31) / 32;
    if (kind == ACCESS_ATOMIC) {
        c->global_atomics++;
        return;
    }
    if (kind == ACCESS_LOAD) {
        c->global_load_requests++;
        c->global_load_sectors += n;
        c->global_load_ideal_sectors += ideal;
    } else {
        c->global_store_requests++;
        c->global_store_sectors += n;
        c->global_store_ideal_sectors += ideal;
    }
}

static void count_shared(softgpuCounters *c, u32 m, const u64 *addr, u32 bytes, enum access_kind kind)
{
    if (kind == ACCESS_ATOMIC) {
        c->shared_atomics++;
        return;
    }
    u32 conflicts = bank_conflicts(addr, m, bytes);
    if (kind == ACCESS_LOAD) {
        c->shared_load_requests++;
        c->shared_load_conflicts += conflicts;
    } else {
        c->shared_store_requests++;
        c->shared_store_conflicts += conflicts;
    }
}

static void count_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    softgpuCounters *c = &((count_worker *)o->worker)->c;
    u32 bytes = (u32)k->size * k->n;
    (void)w;
    if (k->space == SP_CONST || k->kind == K_BULK) /* a bulk copy's lines do not go by the lanes' way */
        return;
    if (e->space == SP_GLOBAL)
        count_global(c, e->m, e->addr, bytes, e->kind);
    else if (e->space == SP_SHARED)
        count_shared(c, e->m, e->addr, bytes, e->kind);
    else if (e->space == SP_LOCAL)
        *(e->kind == ACCESS_LOAD ? &c->local_load_requests : &c->local_store_requests) += 1;
}

static void count_instruction(watch *o, warp *w, const ins *k, u32 m)
{
    count_worker *mine = o->worker;
    u32 i = (u32)(k - o->W->L->k->code);
    (void)w;
    if (!k->first)
        return;
    mine->ins_warps[i]++;
    mine->ins_threads[i] += (u32)__builtin_popcount(m);
}

static void count_branch(watch *o, warp *w, const ins *k, u32 active, u32 taken)
{
    softgpuCounters *c = &((count_worker *)o->worker)->c;
    (void)w;
    if (!k->guard)
        return;
    c->branches++;
    c->divergent_branches += taken && taken != active;
}

/* One lane and one contiguous range. What is filled with zeros is written and not read. */
static void count_copy(watch *o, warp *w, const ins *k, const async_event *e)
{
    softgpuCounters *c = &((count_worker *)o->worker)->c;
    (void)w;
    (void)k;
    c->async_copies++;
    c->async_bytes_read += e->from_space ? e->read : 0;
    c->async_bytes_written += e->to_space ? e->bytes : 0;
}

static void count_barrier(watch *o, warp *w, const ins *k, const u8 *R, u32 m)
{
    (void)w;
    (void)k;
    (void)R;
    (void)m;
    ((count_worker *)o->worker)->c.barriers++;
}

/* A record for the launch. */
static bool count_launch(launch *L, void *device_state, void *launch_state)
{
    u32 warps = (L->threads + WARP - 1) / WARP;
    softgpuCounters *c = launch_state;
    (void)device_state;
    *c = (softgpuCounters){ .launches = 1, .ctas = L->ctas, .warps = L->ctas * warps, .threads = L->ctas * L->threads };
    return true;
}

static void add_counters(softgpuCounters *to, const softgpuCounters *from)
{
    u64 *t = (u64 *)to;
    const u64 *f = (const u64 *)from;
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++)
        t[i] += f[i];
}

/* Names of kernels are kept for ever, so that one that was handed out stays good while others reset the counters. */
typedef struct kept_name {
    struct kept_name *next;
    char text[];
} kept_name;
static kept_name *names;

static const char *keep_name(const char *name)
{
    for (const kept_name *n = names; n; n = n->next)
        if (!strcmp(n->text, name))
            return n->text;
    kept_name *n = malloc(sizeof *n + strlen(name) + 1);
    lost |= !n;
    if (!n)
        return "?";
    strcpy(n->text, name);
    n->next = names;
    names = n;
    return n->text;
}

static line_count *line_record(const char *name, int line)
{
    for (size_t i = nlines; i > 0; i--)
        if (lines[i - 1].line == line && !strcmp(lines[i - 1].kernel, name))
            return &lines[i - 1];
    line_count *grown = realloc(lines, (nlines + 1) * sizeof *grown);
    lost |= !grown;
    if (!grown)
        return NULL;
    lines = grown;
    lines[nlines] = (line_count){ keep_name(name), line, 0, 0 };
    return &lines[nlines++];
}

static void add_lines(const kernel *k, const count_worker *mine)
{
    for (u32 i = 0; i < k->ncode; i++) {
        line_count *l = mine->ins_warps[i] ? line_record(k->f->name, k->code[i].line) : NULL;
        if (!l)
            continue;
        l->warps += mine->ins_warps[i];
        l->threads += mine->ins_threads[i];
    }
}

static bool count_start(watch *o)
{
    count_worker *mine = o->worker;
    mine->ins_warps = calloc(o->W->L->k->ncode, sizeof *mine->ins_warps);
    mine->ins_threads = calloc(o->W->L->k->ncode, sizeof *mine->ins_threads);
    return mine->ins_warps && mine->ins_threads;
}

/* The type of the factors; -1 of what multiplies no matrices. A sum's type may be named too, but never without theirs
 * before it in this list; where only a sum is named, they are f16. */
static int matrix_type(const char *opcode)
{
    static const struct {
        const char *word;
        int type;
    } types[] = { { ".bf16", 1 }, { ".tf32", 2 }, { ".f64", 3 }, { ".e4m3", 4 }, { ".e5m2", 4 },
                  { ".s8", 5 },   { ".u8", 5 },   { ".s4", 6 },  { ".u4", 6 },   { ".b1", 7 } };
    if (strncmp(opcode, "mma.", 4) && strncmp(opcode, "wmma.mma.", 9) && strncmp(opcode, "wgmma.mma_async.", 16))
        return -1;
    for (size_t i = 0; i < COUNT(types); i++)
        if (strstr(opcode, types[i].word))
            return types[i].type;
    return 0;
}

/* Counts per instruction, summed by class. */
static void sum_classes(const kernel *k, count_worker *mine)
{
    softgpuCounters *c = &mine->c;
    for (u32 i = 0; i < k->ncode; i++) {
        c->warp_instructions += mine->ins_warps[i];
        c->thread_instructions += mine->ins_threads[i];
        c->warp_by_class[k->code[i].cls] += mine->ins_warps[i];
        c->thread_by_class[k->code[i].cls] += mine->ins_threads[i];
        int factors = k->code[i].cls == CL_MATRIX ? matrix_type(opcode_of(k, &k->code[i])) : -1;
        if (factors >= 0)
            c->matrix[factors] += mine->ins_warps[i];
    }
}

static void count_end(watch *o)
{
    count_worker *mine = o->worker;
    if (mine->ins_warps && mine->ins_threads) {
        sum_classes(o->W->L->k, mine);
        add_counters(o->launch, &mine->c);
        pthread_mutex_lock(&counter_lock);
        add_lines(o->W->L->k, mine);
        pthread_mutex_unlock(&counter_lock);
    }
    free(mine->ins_warps);
    free(mine->ins_threads);
}

static void publish_launch(launch *L, void *device_state, void *launch_state)
{
    const softgpuCounters *c = launch_state;
    (void)device_state;
    pthread_mutex_lock(&counter_lock);
    launch_record *grown = realloc(launches, (nlaunches + 1) * sizeof *grown);
    lost |= !grown;
    if (grown) {
        launches = grown;
        launches[nlaunches++] = (launch_record){ keep_name(L->k->f->name), *c };
    }
    pthread_mutex_unlock(&counter_lock);
}

const observer counters = {
    .parallel = true,
    .launch_size = sizeof(softgpuCounters),
    .worker_size = sizeof(count_worker),
    .launch_begin = count_launch,
    .launch_end = publish_launch,
    .worker_begin = count_start,
    .worker_end = count_end,
    .instruction = count_instruction,
    .access = count_access,
    .branch = count_branch,
    .barrier = count_barrier,
    .async_copy = count_copy,
};

EXPORT void softgpuGetCounters(softgpuCounters *total)
{
    pthread_mutex_lock(&counter_lock);
    memset(total, 0, sizeof *total);
    for (size_t i = 0; i < nlaunches; i++)
        add_counters(total, &launches[i].c);
    pthread_mutex_unlock(&counter_lock);
}

bool counters_lost(void)
{
    pthread_mutex_lock(&counter_lock);
    bool now = lost;
    pthread_mutex_unlock(&counter_lock);
    return now;
}

EXPORT size_t softgpuLaunchCount(void)
{
    pthread_mutex_lock(&counter_lock);
    size_t n = nlaunches;
    pthread_mutex_unlock(&counter_lock);
    return n;
}

EXPORT int softgpuGetLaunch(size_t index, const char **name, softgpuCounters *c)
{
    pthread_mutex_lock(&counter_lock);
    bool there = index < nlaunches;
    if (there && name)
        *name = launches[index].kernel;
    if (there && c)
        *c = launches[index].c;
    pthread_mutex_unlock(&counter_lock);
    return there ? 0 : -1;
}

EXPORT void softgpuResetCounters(void)
{
    pthread_mutex_lock(&counter_lock);
    free(launches);
    free(lines);
    launches = NULL;
    lines = NULL;
    nlaunches = nlines = 0;
    lost = false;
    pthread_mutex_unlock(&counter_lock);
}

EXPORT size_t softgpuGetLines(const char *name, softgpuLine *out, size_t capacity)
{
    size_t n = 0;
    pthread_mutex_lock(&counter_lock);
    for (size_t i = 0; i < nlines; i++) {
        if (strcmp(lines[i].kernel, name))
            continue;
        if (n < capacity)
            out[n] = (softgpuLine){ lines[i].line, lines[i].warps, lines[i].threads };
        n++;
    }
    pthread_mutex_unlock(&counter_lock);
    return n;
}
