/* Registers to slots. PTX registers are many and short-lived; slots are given by liveness so that a warp's registers
 * stay in the first-level cache. Three pools (predicates, 32 bits, 64 bits) never share a slot, so a result can overlap
 * a source only lane by lane. */
#include "kernel.h"

typedef struct life {
    int start, end, next;
} life; /* positions 2i for reads, 2i+1 for writes of statement i */

typedef struct liveness {
    decoder *d;
    u64 *in, *out, *def, *use; /* bit sets per block */
    size_t words;
    life *lives;
} liveness;

static void set_bit(u64 *set, int bit) { set[bit / 64] |= (u64)1 << bit % 64; }
static bool has_bit(const u64 *set, int bit) { return set[bit / 64] >> bit % 64 & 1; }

static void touch(life *l, int at)
{
    if (l->end < 0 || at < l->start)
        l->start = at;
    if (at > l->end)
        l->end = at;
}

static bool scan_block(liveness *v, int b)
{
    const basic_block *k = &v->d->flow.blocks[b];
    u64 *def = v->def + (size_t)b * v->words, *use = v->use + (size_t)b * v->words;
    reg_refs r;
    for (int i = k->first; i <= k->last; i++) {
        if (!find_refs(v->d, i, &r))
            return false;
        for (int j = 0; j < r.nuse; j++) {
            touch(&v->lives[r.use[j]], 2 * i);
            v->d->used[r.use[j]] = 1;
            if (!has_bit(def, r.use[j]))
                set_bit(use, r.use[j]);
        }
        for (int j = 0; j < r.ndef; j++) {
            touch(&v->lives[r.def[j]], 2 * i + !r.early);
            touch(&v->lives[r.def[j]], 2 * i + 1);
            if (r.conditional && !has_bit(def, r.def[j]))
                set_bit(use, r.def[j]);
            set_bit(def, r.def[j]);
        }
    }
    return true;
}

static bool flow_back(liveness *v, int b)
{
    const basic_block *k = &v->d->flow.blocks[b];
    size_t at = (size_t)b * v->words;
    bool changed = false;
    for (size_t w = 0; w < v->words; w++) {
        u64 out = 0;
        for (int s = 0; s < k->nsucc; s++)
            out |= v->in[(size_t)k->succ[s] * v->words + w];
        u64 in = v->use[at + w] | (out & ~v->def[at + w]);
        changed |= in != v->in[at + w];
        v->out[at + w] = out;
        v->in[at + w] = in;
    }
    return changed;
}

static void extend(liveness *v, const u64 *set, int at)
{
    for (size_t w = 0; w < v->words; w++)
        for (u64 bits = set[w]; bits; bits &= bits - 1)
            touch(&v->lives[w * 64 + (size_t)__builtin_ctzll(bits)], at);
}

static void solve(liveness *v)
{
    int n = v->d->flow.nblocks;
    for (bool changed = true; changed;) {
        changed = false;
        for (int b = n - 1; b >= 0; b--)
            changed |= flow_back(v, b);
    }
    for (int b = 0; b < n; b++) {
        extend(v, v->in + (size_t)b * v->words, 2 * v->d->flow.blocks[b].first);
        extend(v, v->out + (size_t)b * v->words, 2 * v->d->flow.blocks[b].last + 1);
    }
}

/* A pool of slots of one size: numbers first, addresses when the pool's size is known. */
typedef struct pool {
    int *free;
    int nfree, count;
} pool;

static int pool_of(const type *t) { return t->kind == TK_PRED ? 0 : t->size == 8 ? 2 : 1; }

static int take_slot(pool *p) { return p->nfree ? p->free[--p->nfree] : p->count++; }

/* Walks the positions of the function: gives slots where lives start, takes them back where they end. */
static void scan_lives(liveness *v, pool pools[3], u32 *number)
{
    decoder *d = v->d;
    int n = 2 * d->f->ncode + 2, nregs = d->f->nregs;
    int *starts = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *starts),
        *ends = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *ends);
    int *next_end = sg_alloc(&d->m->scratch, (size_t)(nregs + 1) * sizeof *next_end);
    for (int r = 0; r < nregs; r++) {
        life *l = &v->lives[r];
        if (l->end < 0)
            continue;
        l->next = starts[l->start], starts[l->start] = r + 1;
        next_end[r] = ends[l->end + 1], ends[l->end + 1] = r + 1;
    }
    for (int at = 0; at < n; at++) {
        for (int r = ends[at]; r; r = next_end[r - 1]) {
            pool *p = &pools[pool_of(d->f->regs[r - 1].type)];
            p->free[p->nfree++] = (int)number[r - 1];
        }
        for (int r = starts[at]; r; r = v->lives[r - 1].next)
            number[r - 1] = (u32)take_slot(&pools[pool_of(d->f->regs[r - 1].type)]);
    }
}

static void list_uninitialised(liveness *v)
{
    decoder *d = v->d;
    kfunc *kf = d->kf;
    for (int r = 0; d->flow.nblocks && r < d->f->nregs; r++) {
        if (!has_bit(v->in, r))
            continue;
        kf->uninit = sg_grow(&d->m->mem, kf->uninit, (size_t)kf->nuninit, sizeof *kf->uninit);
        kf->uninit[kf->nuninit++] = d->slot[r];
    }
}

static void place(liveness *v, pool pools[3], const u32 *number)
{
    decoder *d = v->d;
    u32 base[3] = { SLOT_FIRST, 0, 0 };
    base[1] = base[0] + SLOT * (u32)pools[0].count;
    base[2] = base[1] + SLOT * (u32)pools[1].count;
    for (int r = 0; r < d->f->nregs; r++) {
        int p = pool_of(d->f->regs[r].type);
        d->slot[r] = base[p] + number[r] * (p == 2 ? 2 * SLOT : SLOT);
    }
    d->kf->fp_slot = base[2] + 2 * SLOT * (u32)pools[2].count;
    d->next_offset = d->kf->fp_slot + (d->kf->on_stack ? 2 * SLOT : 0);
    memcpy(d->kf->pools, base, sizeof base);
    d->kf->pools[3] = d->next_offset;
    d->kf->live32 = (u32)pools[1].count;
    d->kf->live64 = (u32)pools[2].count;
}

bool assign_slots(decoder *d)
{
    arena *mem = &d->m->scratch;
    size_t nregs = (size_t)d->f->nregs, blocks = (size_t)d->flow.nblocks + 1;
    liveness v = { .d = d, .words = nregs / 64 + 1, .lives = sg_alloc(mem, (nregs + 1) * sizeof(life)) };
    pool pools[3] = { { 0 } };
    if (v.words * blocks > (size_t)1 << 24) {
        decode_error(d, "function '%s' is too large", d->f->name);
        return false;
    }
    u64 *sets = sg_alloc(mem, 4 * blocks * v.words * sizeof(u64));
    v.in = sets, v.out = sets + blocks * v.words, v.def = sets + 2 * blocks * v.words,
    v.use = sets + 3 * blocks * v.words;
    d->used = sg_alloc(mem, nregs + 1);
    for (size_t r = 0; r < nregs; r++)
        v.lives[r].end = -1;
    for (int b = 0; b < d->flow.nblocks; b++)
        if (!scan_block(&v, b))
            return false;
    solve(&v);
    u32 *number = sg_alloc(mem, (nregs + 1) * sizeof *number);
    d->slot = sg_alloc(mem, (nregs + 1) * sizeof *d->slot);
    for (int p = 0; p < 3; p++)
        pools[p].free = sg_alloc(mem, (nregs + 1) * sizeof(int));
    scan_lives(&v, pools, number);
    place(&v, pools, number);
    list_uninitialised(&v);
    return true;
}
