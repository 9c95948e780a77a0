/* One CTA: its warps run one after the other, each up to a barrier. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"
#include <stdarg.h>

void raise_fault(worker *W, enum fault f, const char *format, ...)
{
    va_list args;
    if (W->fault)
        return;
    W->fault = f;
    W->fault_cta = W->c.linear;
    va_start(args, format);
    vsnprintf(W->message, sizeof W->message, format, args);
    va_end(args);
}

void thread_of(const launch *L, u32 linear, u32 out[3])
{
    out[0] = linear % L->block[0];
    out[1] = linear / L->block[0] % L->block[1];
    out[2] = linear / L->block[0] / L->block[1];
}

void describe(const worker *W, const warp *w, const ins *k, u32 lane, char *text, size_t size)
{
    u32 t[3];
    const kernel *kn = W->L->k;
    int loc = kn->funcs[k->func].src->ncode ? kn->funcs[k->func].src->code[k->pins].loc : -1;
    char source[96] = "";
    thread_of(W->L, w->index * WARP + lane, t);
    if (loc >= 0) {
        const source_loc *s = &kn->m->locs[loc];
        const char *file = sg_file_name(kn->m, s->file), *base = strrchr(file, '/');
        snprintf(source, sizeof source, " (%.70s:%d)", base ? base + 1 : file, s->line);
    }
    snprintf(text, size, "in %.60s at PTX line %d%s, block (%u,%u,%u), thread (%u,%u,%u)", kn->f->name, k->line, source,
             W->c.id[0], W->c.id[1], W->c.id[2], t[0], t[1], t[2]);
}

static void fill32(u8 *slot, u32 v)
{
    for (int i = 0; i < WARP; i++)
        ((L32 *)(void *)slot)[i] = v;
}

static void fill_thread_ids(const worker *W, warp *w)
{
    for (u32 i = 0; i < WARP; i++) {
        u32 t[3];
        thread_of(W->L, w->index * WARP + i, t);
        for (u32 j = 0; j < 3; j++)
            ((L32 *)(void *)(w->specials + 256 * (SR_TID_X + j)))[i] = t[j];
        ((L32 *)(void *)(w->specials + 256 * SR_LANEID))[i] = i;
        ((L32 *)(void *)(w->specials + 256 * SR_LANEMASK_EQ))[i] = 1u << i;
        ((L32 *)(void *)(w->specials + 256 * SR_LANEMASK_LT))[i] = (1u << i) - 1;
        ((L32 *)(void *)(w->specials + 256 * SR_LANEMASK_LE))[i] = ((1u << i) - 1) | 1u << i;
        ((L32 *)(void *)(w->specials + 256 * SR_LANEMASK_GE))[i] = ~((1u << i) - 1);
        ((L32 *)(void *)(w->specials + 256 * SR_LANEMASK_GT))[i] = ~(((1u << i) - 1) | 1u << i);
    }
}

static void fill_constants(const worker *W, warp *w)
{
    const kernel *k = W->L->k;
    for (int f = 0; f < k->nfuncs; f++)
        for (int c = 0; c < k->funcs[f].nconsts; c++) {
            const const_slot *s = &k->funcs[f].consts[c];
            u8 *slot = w->regs + k->funcs[f].frame + s->offset;
            if (s->size == 8)
                for (int i = 0; i < WARP; i++)
                    ((L64 *)(void *)slot)[i] = s->bits;
            else if (s->size == 4)
                fill32(slot, (u32)s->bits);
            else
                *(L32 *)(void *)slot = (u32)s->bits;
        }
}

/* What stays the same for every CTA that this worker runs. */
static void prepare_warp(worker *W, u32 index)
{
    warp *w = &W->c.warps[index];
    const launch *L = W->L;
    w->index = index;
    fill_thread_ids(W, w);
    fill_constants(W, w);
    fill32(w->specials + 256 * SR_WARPID, index);
    fill32(w->specials + 256 * SR_NWARPID, W->c.nwarps);
    for (u32 j = 0; j < 3; j++) {
        fill32(w->specials + 256 * (SR_NTID_X + j), L->block[j]);
        fill32(w->specials + 256 * (SR_NCTAID_X + j), L->grid[j]);
    }
    fill32(w->specials + 256 * SR_ENVREG1, (u32)(L->workspace >> 32));
    fill32(w->specials + 256 * SR_ENVREG2, (u32)L->workspace);
    fill32(w->specials + 256 * SR_NSMID, 1);
    fill32(w->specials + 256 * SR_TOTAL_SMEM_SIZE, W->c.shared_size);
    fill32(w->specials + 256 * SR_DYNAMIC_SMEM_SIZE, L->dynamic_shared);
}

bool worker_start(worker *W, launch *L)
{
    const kernel *k = L->k;
    cta *c = &W->c;
    W->L = L;
    c->nwarps = (L->threads + WARP - 1) / WARP;
    c->shared_size = (u32)round_up(k->shared_size, k->dynamic_align ? k->dynamic_align : 1) + L->dynamic_shared;
    size_t regs = round_up(k->regs_size, 64), local = (size_t)L->local_stride * WARP, specials = 256 * SR_COUNT;
    size_t each = round_up(regs + local + specials, 64) + 64;
    c->warps = calloc(c->nwarps, sizeof *c->warps);
    W->block = calloc(1, each * c->nwarps + 64);
    c->shared = malloc(c->shared_size + 32);
    if (!c->warps || !W->block || !c->shared)
        return false;
    u8 *at = W->block + (64 - (uintptr_t)W->block % 64);
    for (u32 i = 0; i < c->nwarps; i++, at += each) {
        c->warps[i].regs = at;
        c->warps[i].specials = at + regs;
        c->warps[i].local = at + regs + specials;
        prepare_warp(W, i);
        if (!warp_reserve(&c->warps[i], 4) || !stack_start(&c->warps[i], k))
            return false;
    }
    return !L->is_observed || watch_worker(W);
}

void worker_end(worker *W)
{
    unwatch_worker(W);
    for (u32 i = 0; W->c.warps && i < W->c.nwarps; i++) {
        free(W->c.warps[i].nodes);
        stack_end(&W->c.warps[i]);
        free(W->c.warps[i].late.list);
    }
    free(W->c.warps);
    free(W->c.shared);
    free(W->block);
}

/* A permutation of 0..n-1 by the seed, without storing it: an affine map with a step prime to n. */
static u64 gcd(u64 a, u64 b)
{
    while (b) {
        u64 t = a % b;
        a = b;
        b = t;
    }
    return a;
}

u64 permuted(u64 i, u64 n, u64 seed)
{
    if (!seed || n < 2)
        return i;
    u64 step = (seed * 0x9e3779b97f4a7c15u >> 20) % n + 1;
    while (gcd(step, n) != 1)
        step++;
    return (u64)(((u128)i * step + seed % n) % n);
}

void start_cta(worker *W)
{
    const launch *L = W->L;
    cta *c = &W->c;
    const kfunc *entry = &L->k->funcs[L->k->nfuncs - 1];
    c->id[0] = (u32)(c->linear % L->grid[0]);
    c->id[1] = (u32)(c->linear / L->grid[0] % L->grid[1]);
    c->id[2] = (u32)(c->linear / L->grid[0] / L->grid[1]);
    memset(c->bars, 0, sizeof c->bars);
    memset(c->shared, 0xff, c->shared_size);
    for (u32 i = 0; i < c->nwarps; i++) {
        u32 left = L->threads - i * WARP, lanes = left >= WARP ? ~0u : (1u << left) - 1;
        warp_reset(&c->warps[i], lanes, entry->entry, (u32)L->k->nfuncs - 1);
        stack_reset(&c->warps[i], L->k);
        late_reset(&c->warps[i]);
        for (u32 j = 0; j < 3; j++)
            fill32(c->warps[i].specials + 256 * (SR_CTAID_X + j), c->id[j]);
    }
    if (W->watchers)
        TELL(W, cta_begin, c);
}

static bool has_runnable(warp *w) { return w->live && (w->current >= 0 || warp_pick(w)); }

enum step step_cta(worker *W)
{
    cta *c = &W->c;
    bool alive = false, yielded = false;
    for (u32 i = 0; i < c->nwarps; i++) {
        warp *w = &c->warps[permuted(i, c->nwarps, W->L->seed)];
        while (has_runnable(w)) {
            w->yielded = false;
            W->L->execute(W, w);
            if (W->fault)
                return STEP_FAULT;
            if (w->yielded)
                break;
        }
        yielded |= w->yielded && w->live;
        alive |= w->live != 0;
    }
    if (!alive)
        return STEP_DONE;
    if (!release_barriers(W) && !yielded) {
        barrier_deadlock(W);
        return STEP_FAULT;
    }
    for (u32 i = 0; i < c->nwarps; i++)
        warp_pick(&c->warps[i]);
    return STEP_ON;
}

bool run_cta(worker *W)
{
    enum step s = STEP_ON;
    start_cta(W);
    while (s == STEP_ON)
        s = step_cta(W);
    return s == STEP_DONE;
}
