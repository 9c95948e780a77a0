/* Puts together what is found of a backend, and names the order of its sums. */
#include "fingerprint.h"

#include <stdlib.h>

/* Takes out of the list what is another tree; how many are left. */
static int keep_equal(named_order *list, int count, const sum_tree *t)
{
    uint64_t digest = sum_tree_digest(t);
    int kept = 0;
    for (int i = 0; i < count; i++) {
        sum_tree named;
        if (!named_make(list[i], t->terms, &named) && sum_tree_digest(&named) == digest)
            list[kept++] = list[i];
        sum_tree_free(&named);
    }
    return kept;
}

static void give_name(op_order *o)
{
    named_order *list = calloc(NAMED_MOST, sizeof *list);
    int left = list ? named_list(list) : 0, seen = 0;
    for (int i = 0; i < o->extents && left; i++) {
        left = o->status[i] ? 0 : keep_equal(list, left, &o->found[i].tree);
        seen += o->terms[i] > 2;
    }
    o->named = left > 0 && seen;
    if (o->named)
        o->name = list[0];
    free(list);
}

void fingerprint_order(cot_backend *backend, const cot_op_info *op, cot_element element, const int *extents, int count,
                       op_order *o)
{
    *o = (op_order){ .op = op };
    for (int i = 0; i < count && i < FINGERPRINT_EXTENTS; i++) {
        if (extents[i] > reveal_most(op, element))
            continue;
        int at = o->extents++;
        o->terms[at] = extents[i];
        o->status[at] = reveal_order(backend, op, element, extents[i], &o->found[at]);
    }
    give_name(o);
}

void fingerprint_op(cot_backend *backend, cot_backend *reference, const cot_op_info *op, cot_element element,
                    const int *extents, int count, fingerprint *f)
{
    op_ways *w = &f->way[f->ways++];
    w->op = op;
    w->status = ways_find(backend, reference, op, element, &w->ways, &w->error);
    for (int c = 0; c < WAYS_CONVENTIONS && !w->status; c++)
        f->differ[c] += w->ways.differ[c];
    f->cells += w->status ? 0 : w->ways.cells;
    if (!w->status && reveal_most(op, element))
        fingerprint_order(backend, op, element, extents, count, &f->order[f->orders++]);
}

void fingerprint_arithmetic(cot_backend *backend, cot_element element, fingerprint *f)
{
    while (f->findings < FINGERPRINT_FINDINGS && finding_at(f->findings, backend, element, &f->finding[f->findings]))
        f->findings++;
}

void fingerprint_free(fingerprint *f)
{
    for (int i = 0; i < f->orders; i++)
        for (int e = 0; e < f->order[i].extents; e++)
            sum_tree_free(&f->order[i].found[e].tree);
}

int fingerprint_nearest(const fingerprint *f)
{
    int nearest = COT_CONVENTION_SPEC;
    for (int c = 0; c < WAYS_CONVENTIONS; c++)
        if (f->differ[c] < f->differ[nearest])
            nearest = c;
    return nearest;
}
