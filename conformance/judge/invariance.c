/* Runs the numbers of a trial in other arrangements of its lines, and compares every cell with where it was before. */
#include "invariance.h"
#include "court_run.h"
#include "walk.h"

#include <string.h>

/* Up to this many cells a case is arranged in every way; above it, in one way of each kind. A crowd has so many lines
 * more, as far as it stays below so many cells. */
enum { SMALL = 4096, CROWD = 37, CROWD_CELLS = 1 << 17 };

/* Which lines of the case make up another one: along every dimension so many cells from one on, around its end. */
typedef struct arrangement {
    int32_t from[COT_MAX_RANK], extent[COT_MAX_RANK];
    int32_t crowd; /* not 0: a further dimension before the first, along which everything is repeated */
    case_layout layout;
    reason why; /* where a cell is not what it was */
} arrangement;

static arrangement as_it_is(const test_case *c, reason why)
{
    arrangement a = { .layout = c->layout == LAYOUT_BROADCAST ? LAYOUT_CONTIG : c->layout, .why = why };
    memcpy(a.extent, c->desc.shape, sizeof a.extent);
    return a;
}

static test_case case_of(const arrangement *a, const test_case *c)
{
    test_case changed = *c;
    int lead = a->crowd != 0;
    changed.layout = a->layout;
    changed.alias = COT_NO_OPERAND;
    changed.desc.rank += lead;
    changed.desc.axis += cot_has_axis(cot_op_get(c->desc.op)) ? lead : 0;
    changed.desc.shape[0] = lead ? a->crowd : changed.desc.shape[0];
    memcpy(changed.desc.shape + lead, a->extent, (size_t)c->desc.rank * sizeof *a->extent);
    return changed;
}

/* Where the index-th cell of a view of the arrangement is in the same operand of the case. */
static int64_t origin(const arrangement *a, const cot_view *arranged, const cot_view *before, int64_t index)
{
    int64_t cell = 0, step = 1;
    for (int d = before->rank - 1, lead = a->crowd != 0; d >= 0; d--) {
        int64_t extent = arranged->shape[d + lead], at = index;
        if (at >= extent) {
            index = index <= UINT32_MAX ? (int64_t)((uint32_t)index / (uint32_t)extent) : index / extent;
            at -= index * extent;
        } else
            index = 0;
        at += a->from[d];
        if (before->shape[d] > 1)
            cell += (at < before->shape[d] ? at : at - before->shape[d]) * step;
        step *= before->shape[d];
    }
    return cell;
}

static void copy_numbers(const arrangement *a, const problem *p, problem *q)
{
    size_t size = cot_element_size(p->c.desc.element);
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *from = &p->tensors[o].view, *to = &q->tensors[o].view;
        for (int64_t i = 0, cells = q->tensors[o].memory ? cell_count(to) : 0; i < cells; i++)
            memcpy((char *)to->data + (size_t)cot_cell_offset(to, i) * size,
                   (char *)from->data + (size_t)cot_cell_offset(from, origin(a, to, from, i)) * size, size);
    }
}

static void compare(const arrangement *a, const trial *t, const trial *other, verdict *v)
{
    walk cells_of_t = walk_begin(t->p, v);
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory)
            continue;
        cot_view before = trial_view(t, (cot_operand)o), after = trial_view(other, (cot_operand)o);
        for (int64_t i = 0, cells = cell_count(&after); i < cells; i++) {
            int64_t place = origin(a, &after, &before, i);
            double want = cell_value(&before, place), got = cell_value(&after, i);
            if (!same_number(got, want))
                walk_fail(&cells_of_t, a->why,
                          a->why == REASON_VARIES_LAYOUT ? "INVARIANCE-LAYOUT" : "INVARIANCE-LINES", (cot_operand)o,
                          place, got, want);
        }
    }
    walk_end(&cells_of_t);
}

/* What the backend does not do is no failure here: a case of that shape or layout says so itself. */
static void try_arrangement(const court *seat, const trial *t, const arrangement *a, verdict *v)
{
    problem q = { 0 };
    trial other = { 0 };
    cot_error error = { 0 };
    test_case c = case_of(a, &t->p->c);
    if (problem_make(&q, &c)) {
        verdict_fail(v, REASON_JUDGE_MEMORY, NULL);
        return;
    }
    copy_numbers(a, t->p, &q);
    cot_status status = court_run(seat, seat->backend, &other, &q, first_fill, &error);
    error.code = status;
    if (!status)
        compare(a, t, &other, v);
    else if (status != COT_UNSUPPORTED)
        verdict_fail_call(v, REASON_FAILED_CALL, "ERROR-INTERNAL", &error, NULL);
    trial_free(&other);
    problem_free(&q);
}

/* ---- the arrangements ------------------------------------------------------------------------ */

/* A dimension that tells lines apart: the largest but for the axis. An elementwise op has none, and every one will do.
 * -1: there is one line. */
static int widest(const cot_desc *desc)
{
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : -1, best = -1;
    for (int d = 0; d < desc->rank; d++)
        if (d != axis && desc->shape[d] > 1 && (best < 0 || desc->shape[d] > desc->shape[best]))
            best = d;
    return best;
}

/* One line: at the start, at the end, or where the seed says. */
static void try_alone(const court *seat, const trial *t, unsigned which, verdict *v)
{
    const cot_desc *desc = &t->p->c.desc;
    arrangement a = as_it_is(&t->p->c, REASON_VARIES_ALONE);
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    for (int d = 0; d < desc->rank; d++) {
        if (d == axis)
            continue;
        a.from[d] = which == 0   ? 0
                    : which == 1 ? desc->shape[d] - 1
                                 : (int32_t)((t->p->c.seed * 2654435761u + 7) % (uint64_t)desc->shape[d]);
        a.extent[d] = 1;
    }
    try_arrangement(seat, t, &a, v);
}

static void try_parts(const court *seat, const trial *t, unsigned which, verdict *v)
{
    int d = widest(&t->p->c.desc);
    arrangement a = as_it_is(&t->p->c, REASON_VARIES_PART);
    if (d < 0)
        return;
    int32_t extent = a.extent[d], first = which ? extent / 3 + 1 : extent / 2;
    a.extent[d] = first;
    try_arrangement(seat, t, &a, v);
    a.from[d] = first;
    a.extent[d] = extent - first;
    if (a.extent[d] > 0)
        try_arrangement(seat, t, &a, v);
}

static void try_turned(const court *seat, const trial *t, unsigned which, verdict *v)
{
    int d = widest(&t->p->c.desc);
    arrangement a = as_it_is(&t->p->c, REASON_VARIES_PLACE);
    if (d < 0)
        return;
    a.from[d] = which ? a.extent[d] / 2 : 1;
    try_arrangement(seat, t, &a, v);
}

static void try_crowd(const court *seat, const trial *t, unsigned which, verdict *v)
{
    const cot_desc *desc = &t->p->c.desc;
    arrangement a = as_it_is(&t->p->c, REASON_VARIES_CROWD);
    int64_t cells = cot_cell_count(desc->rank, desc->shape), most = CROWD_CELLS / (cells ? cells : 1);
    if (desc->rank == COT_MAX_RANK || !cells || most < 2)
        return;
    a.crowd = most < CROWD ? (int32_t)most : which ? 2 : CROWD;
    try_arrangement(seat, t, &a, v);
}

static void try_layout(const court *seat, const trial *t, unsigned which, verdict *v)
{
    static const case_layout layouts[] = { LAYOUT_CONTIG, LAYOUT_TRANSPOSED, LAYOUT_SLICED, LAYOUT_OFFSET };
    arrangement a = as_it_is(&t->p->c, REASON_VARIES_LAYOUT);
    a.layout = layouts[which];
    if (a.layout != t->p->c.layout)
        try_arrangement(seat, t, &a, v);
}

/* How many ways there are of each. Lines are moved where all is contiguous: what is wrong with strides alone is another
 * clause's, and a strided case is compared with the contiguous one. */
static const struct {
    void (*try)(const court *seat, const trial *t, unsigned which, verdict *v);
    unsigned ways;
} kinds[] = { { try_alone, 3 }, { try_parts, 2 }, { try_turned, 2 }, { try_crowd, 2 }, { try_layout, 4 } };

void judge_invariance(const court *seat, const trial *t, verdict *v)
{
    const test_case *c = &t->p->c;
    int64_t cells = cot_cell_count(c->desc.rank, c->desc.shape);
    if (c->layout != LAYOUT_CONTIG) {
        try_layout(seat, t, 0, v);
        return;
    }
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds && cells; i++)
        for (unsigned which = 0; which < kinds[i].ways; which++)
            if (cells <= SMALL || which == (c->seed + (uint64_t)c->generator + i) % kinds[i].ways)
                kinds[i].try(seat, t, which, v);
}
