/* Basic blocks and immediate post-dominators: where diverged paths reconverge. */
#include "kernel.h"

static bool ends_block(const match *m)
{
    return m->form->kind == K_BRA || m->form->kind == K_RET || m->form->kind == K_EXIT || m->form->kind == K_TRAP;
}

static int branch_target(const pins *i) { return i->ops[0].u.label->target; }

static int mark_leaders(decoder *d, u8 *leader)
{
    func *f = d->f;
    int n = 0;
    leader[0] = 1;
    for (int i = 0; i < f->ncode; i++) {
        if (d->matches[i].form->kind == K_BRA)
            leader[branch_target(&f->code[i])] = 1;
        if (ends_block(&d->matches[i]))
            leader[i + 1] = 1;
    }
    for (int i = 0; i < f->ncode; i++)
        n += leader[i];
    return n;
}

static void add_successor(cfg *g, basic_block *b, int statement, int ncode)
{
    if (statement >= ncode) {
        b->to_exit = true;
        return;
    }
    int to = g->block_of[statement];
    if (b->nsucc && b->succ[0] == to)
        return;
    b->succ[b->nsucc++] = to;
}

static void link_block(decoder *d, basic_block *b)
{
    const pins *last = &d->f->code[b->last];
    int kind = d->matches[b->last].form->kind;
    bool jumps = ends_block(&d->matches[b->last]);
    if (kind == K_BRA)
        add_successor(&d->flow, b, branch_target(last), d->f->ncode);
    else if (jumps)
        b->to_exit = true;
    if (!jumps || last->guard >= 0)
        add_successor(&d->flow, b, b->last + 1, d->f->ncode);
}

/* Predecessors of each block in one array; those of the exit (number nblocks) as well. */
typedef struct reversed {
    int *first, *pred;
} reversed;

static reversed reverse(decoder *d)
{
    cfg *g = &d->flow;
    int n = g->nblocks;
    reversed r = { sg_alloc(&d->m->scratch, (size_t)(n + 2) * sizeof(int)),
                   sg_alloc(&d->m->scratch, (size_t)(3 * n + 1) * sizeof(int)) };
    for (int b = 0; b < n; b++) {
        for (int s = 0; s < g->blocks[b].nsucc; s++)
            r.first[g->blocks[b].succ[s] + 1]++;
        if (g->blocks[b].to_exit)
            r.first[n + 1]++;
    }
    for (int b = 0; b <= n; b++)
        r.first[b + 1] += r.first[b];
    int *fill = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof(int));
    memcpy(fill, r.first, (size_t)(n + 1) * sizeof(int));
    for (int b = 0; b < n; b++) {
        for (int s = 0; s < g->blocks[b].nsucc; s++)
            r.pred[fill[g->blocks[b].succ[s]]++] = b;
        if (g->blocks[b].to_exit)
            r.pred[fill[n]++] = b;
    }
    return r;
}

/* Postorder of the reversed graph from the exit. Returns how many blocks it reaches; number[] gives each its place. */
static int postorder(decoder *d, const reversed *r, int *order, int *number)
{
    int n = d->flow.nblocks, count = 0, depth = 0;
    int *stack = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *stack),
        *next = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *next);
    for (int b = 0; b <= n; b++) {
        next[b] = r->first[b];
        number[b] = -1;
    }
    stack[depth++] = n;
    number[n] = -2;
    while (depth) {
        int b = stack[depth - 1];
        if (next[b] < r->first[b + 1]) {
            int p = r->pred[next[b]++];
            if (number[p] == -1) {
                number[p] = -2;
                stack[depth++] = p;
            }
        } else {
            number[b] = count;
            order[count++] = b;
            depth--;
        }
    }
    return count;
}

static int intersect(const cfg *g, const int *number, int a, int b)
{
    while (a != b) {
        while (number[a] < number[b])
            a = g->blocks[a].ipdom;
        while (number[b] < number[a])
            b = g->blocks[b].ipdom;
    }
    return a;
}

static bool update(cfg *g, const int *number, int b)
{
    basic_block *k = &g->blocks[b];
    int dom = k->to_exit ? g->nblocks : -1;
    for (int s = 0; s < k->nsucc; s++) {
        int t = k->succ[s];
        if (number[t] < 0 || g->blocks[t].ipdom < 0)
            continue;
        dom = dom < 0 ? t : intersect(g, number, dom, t);
    }
    if (dom == k->ipdom)
        return false;
    k->ipdom = dom;
    return true;
}

/* Cooper, Harvey and Kennedy's iteration on the reversed graph. A block that never reaches the exit gets the exit. */
static void post_dominators(decoder *d)
{
    cfg *g = &d->flow;
    int n = g->nblocks;
    reversed r = reverse(d);
    int *order = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *order),
        *number = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *number);
    int reached = postorder(d, &r, order, number);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = reached - 2; i >= 0; i--)
            changed |= update(g, number, order[i]);
    }
    for (int b = 0; b < n; b++)
        if (g->blocks[b].ipdom < 0)
            g->blocks[b].ipdom = n;
}

void build_flow(decoder *d)
{
    cfg *g = &d->flow;
    int n = d->f->ncode, b = -1;
    u8 *leader = sg_alloc(&d->m->scratch, (size_t)n + 1);
    g->nblocks = mark_leaders(d, leader);
    g->blocks = sg_alloc(&d->m->scratch, (size_t)(g->nblocks + 1) * sizeof *g->blocks);
    g->block_of = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *g->block_of);
    for (int i = 0; i < n; i++) {
        if (leader[i])
            g->blocks[++b] = (basic_block){ .first = i, .ipdom = -1 };
        g->blocks[b].last = i;
        g->block_of[i] = b;
    }
    for (b = 0; b < g->nblocks; b++)
        link_block(d, &g->blocks[b]);
    post_dominators(d);
}
