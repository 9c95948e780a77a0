/* Profile: what every statement of a kernel cost, kept by PTX line for the page that profile_html.c writes. */
#include "checkers.h"
#include "profile.h"
#include "findings.h"
#include <pthread.h>

static profile *profiles;
static pthread_mutex_t profile_lock = PTHREAD_MUTEX_INITIALIZER;

typedef struct profile_worker {
    line_cost *costs; /* per instruction */
} profile_worker;

static bool profile_start(watch *o)
{
    profile_worker *mine = o->worker;
    mine->costs = calloc(o->W->L->k->ncode, sizeof *mine->costs);
    return mine->costs != NULL;
}

static line_cost *cost_of(const watch *o, const ins *k)
{
    return &((profile_worker *)o->worker)->costs[k - o->W->L->k->code];
}

static void profile_instruction(watch *o, warp *w, const ins *k, u32 m)
{
    line_cost *c = cost_of(o, k);
    (void)w;
    c->warps += k->first;
    c->threads += k->first ? (u32)__builtin_popcount(m) : 0;
}

static void profile_branch(watch *o, warp *w, const ins *k, u32 active, u32 taken)
{
    (void)w;
    cost_of(o, k)->divergent += taken && taken != active;
}

static void profile_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    line_cost *c = cost_of(o, k);
    u32 bytes = (u32)k->size * k->n;
    (void)w;
    if (k->space == SP_CONST)
        return;
    if (e->space == SP_GLOBAL) {
        c->sectors += touched_sectors(e->addr, e->m);
        c->ideal += ((u32)__builtin_popcount(e->m) * bytes + 31) / 32;
    } else if (e->space == SP_SHARED && e->kind != ACCESS_ATOMIC)
        c->conflicts += bank_conflicts(e->addr, e->m, bytes);
}

/* --- the profiles of all kernels --- */
static char *copy_of(const char *s)
{
    char *c = malloc(strlen(s) + 1);
    return c ? strcpy(c, s) : NULL;
}

/* Lines from the first to the last of the kernel's functions, and what they cost. */
static profile *make_profile(const kernel *k)
{
    profile *p = calloc(1, sizeof *p);
    int last = 0;
    for (u32 i = 0; i < k->ncode; i++)
        last = k->code[i].line > last ? k->code[i].line : last;
    if (p) {
        p->name = copy_of(k->f->name);
        p->text = copy_of(k->m->text ? k->m->text : "");
        p->nlines = last + 1;
        p->lines = calloc((size_t)last + 1, sizeof *p->lines);
    }
    if (!p || !p->name || !p->text || !p->lines)
        return NULL; /* at the end of the host's memory: the page lacks a kernel */
    p->next = profiles;
    return profiles = p;
}

static profile *profile_of(const kernel *k)
{
    for (profile *p = profiles; p; p = p->next)
        if (!strcmp(p->name, k->f->name) && !strcmp(p->text, k->m->text ? k->m->text : ""))
            return p;
    return make_profile(k);
}

static void add_costs(profile *p, const kernel *k, const line_cost *costs)
{
    for (u32 i = 0; i < k->ncode; i++) {
        profile_line *l = &p->lines[k->code[i].line];
        const char *file = NULL;
        l->is_code = true;
        l->cost.warps += costs[i].warps;
        l->cost.threads += costs[i].threads;
        l->cost.divergent += costs[i].divergent;
        l->cost.sectors += costs[i].sectors;
        l->cost.ideal += costs[i].ideal;
        l->cost.conflicts += costs[i].conflicts;
        set_source(k, &k->code[i], &file, &l->source_line);
        if (file && !l->file)
            l->file = copy_of(file);
    }
}

static void profile_end(watch *o)
{
    profile_worker *mine = o->worker;
    const kernel *k = o->W->L->k;
    pthread_mutex_lock(&profile_lock);
    profile *p = mine->costs ? profile_of(k) : NULL;
    if (p)
        add_costs(p, k, mine->costs);
    pthread_mutex_unlock(&profile_lock);
    free(mine->costs);
}

static void profile_launched(launch *L, void *device_state, void *launch_state)
{
    (void)device_state;
    (void)launch_state;
    pthread_mutex_lock(&profile_lock);
    profile *p = profile_of(L->k);
    if (p)
        p->launches++;
    pthread_mutex_unlock(&profile_lock);
}

const observer profiler = {
    .parallel = true,
    .worker_size = sizeof(profile_worker),
    .worker_begin = profile_start,
    .worker_end = profile_end,
    .launch_end = profile_launched,
    .instruction = profile_instruction,
    .branch = profile_branch,
    .access = profile_access,
};

size_t softgpuProfileHtml(char *out, size_t size)
{
    pthread_mutex_lock(&profile_lock);
    size_t n = profile_html(profiles, out, size);
    pthread_mutex_unlock(&profile_lock);
    return n;
}
