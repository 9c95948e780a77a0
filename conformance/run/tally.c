/* Counts of a run, per op and type, per combination of generator and layout, and per kind of shape. */
#include "tally.h"
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"

#include <stdlib.h>
#include <string.h>

typedef seen square; /* a combination's counts */

struct tally {
    int ops, generators, layouts;
    row *rows;       /* [op][element] */
    square *squares; /* [op][element][generator][layout] */
    square *shapes;  /* [op][element][kind] */
};

/* ---- places ---------------------------------------------------------------------------------- */

static int op_index(cot_op op)
{
    int i = 0;
    while (cot_op_at((size_t)i)->op != op)
        i++;
    return i;
}

static row *row_at(const tally *t, int op, cot_element element)
{
    return &t->rows[op * ELEMENTS + (int)element - COT_F16];
}

static square *square_at(const tally *t, const combination *c)
{
    int place = (c->op * ELEMENTS + (int)c->element - COT_F16) * t->generators + c->generator;
    return &t->squares[place * t->layouts + (int)c->layout];
}

static square *square_of(const tally *t, const test_case *c)
{
    return square_at(t, &(combination){ op_index(c->desc.op), c->desc.element, c->generator, c->layout });
}

static square *shape_at(const tally *t, int op, cot_element element, int kind)
{
    return &t->shapes[(op * ELEMENTS + (int)element - COT_F16) * shape_kinds() + kind];
}

tally *tally_new(void)
{
    tally *t = calloc(1, sizeof *t);
    if (!t)
        return NULL;
    while (cot_op_at((size_t)t->ops))
        t->ops++;
    while (generator_at(t->generators))
        t->generators++;
    while (layout_name((case_layout)t->layouts))
        t->layouts++;
    size_t rows = (size_t)t->ops * ELEMENTS;
    t->rows = calloc(rows, sizeof *t->rows);
    t->squares = calloc(rows * (size_t)t->generators * (size_t)t->layouts, sizeof *t->squares);
    t->shapes = calloc(rows * (size_t)shape_kinds(), sizeof *t->shapes);
    if (!t->rows || !t->squares || !t->shapes) {
        tally_free(t);
        return NULL;
    }
    for (size_t i = 0; i < rows; i++)
        t->rows[i].reached = LEVELS;
    return t;
}

void tally_free(tally *t)
{
    if (t) {
        free(t->rows);
        free(t->squares);
        free(t->shapes);
    }
    free(t);
}

static void visit_squares(const tally *t, void (*visit)(void *self, const combination *c, square *s), void *self)
{
    for (int op = 0; op < t->ops; op++)
        for (int e = COT_F16; e < COT_F16 + ELEMENTS; e++)
            for (int g = 0; g < t->generators; g++)
                for (int l = 0; l < t->layouts; l++) {
                    combination c = { op, (cot_element)e, g, (case_layout)l };
                    visit(self, &c, square_at(t, &c));
                }
}

/* Every kind that an op and type can have. */
static void visit_shapes(const tally *t, void (*visit)(void *self, const shape_gap *g, square *s), void *self)
{
    for (int op = 0; op < t->ops; op++)
        for (int e = COT_F16; e < COT_F16 + ELEMENTS; e++)
            for (int k = 0; k < shape_kinds(); k++)
                visit(self, &(shape_gap){ op, (cot_element)e, k }, shape_at(t, op, (cot_element)e, k));
}

static void add_seen(square *s, square more)
{
    s->promised += more.promised;
    s->judged += more.judged;
    s->unsupported += more.unsupported;
}

/* Adds to the kinds that a case is of. One without cells, or that must be refused, is of none. */
static void count_shape(const tally *t, const test_case *c, square more)
{
    shape_kind shape = shape_of(&c->desc);
    int counts = !c->bad[0].row && cot_cell_count(c->desc.rank, c->desc.shape), op = op_index(c->desc.op);
    for (int k = 0; counts && k < shape_kinds(); k++)
        if (shape_kind_is(k, &shape))
            add_seen(shape_at(t, op, c->desc.element, k), more);
}

/* ---- promises -------------------------------------------------------------------------------- */

void tally_promise(tally *t, const test_case *c)
{
    square_of(t, c)->promised += !c->bad[0].row;
    count_shape(t, c, (square){ .promised = 1 });
}

static int holds(const case_range *range, int op, cot_element element)
{
    return range_has_element(range, element) && range_has_op(range, cot_op_at((size_t)op));
}

static void promise_one(void *self, const combination *c, square *s) { s->promised += holds(self, c->op, c->element); }

static void promise_shape(void *self, const shape_gap *g, square *s)
{
    const case_range *range = self;
    s->promised +=
        holds(range, g->op, g->element) && shape_is_owed(g->kind, cot_op_at((size_t)g->op), g->element, range->full);
}

void tally_promise_range(tally *t, const case_range *range)
{
    case_range asked = *range;
    visit_squares(t, promise_one, &asked);
    visit_shapes(t, promise_shape, &asked);
}

/* ---- counting -------------------------------------------------------------------------------- */

int64_t checks_of(const verdict *v) { return v->cells ? v->cells - v->unjudged_cells : v->statuses; }

static void add(row *to, const row *more)
{
    to->cases += more->cases;
    to->failed += more->failed;
    to->waived += more->waived;
    to->unsupported += more->unsupported;
    to->refusals += more->refusals;
    to->cells += more->cells;
    to->edge_cells += more->edge_cells;
    to->nan_cells += more->nan_cells;
    to->bit_cells += more->bit_cells;
    to->open_cells += more->open_cells;
    to->unjudged_cells += more->unjudged_cells;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        to->unjudged[i] += more->unjudged[i];
    to->guard_bytes += more->guard_bytes;
    to->statuses += more->statuses;
    to->worst = more->worst > to->worst ? more->worst : to->worst;
    to->graded_cells += more->graded_cells;
    for (int g = 0; g < GRADES; g++)
        to->graded[g] = more->graded[g] > to->graded[g] ? more->graded[g] : to->graded[g];
    to->reached = more->reached < to->reached ? more->reached : to->reached;
}

void tally_take(tally *t, const result *r)
{
    const verdict *v = &r->v;
    square *s = square_of(t, &r->c);
    row *to = row_at(t, op_index(r->c.desc.op), r->c.desc.element);
    if (r->status == COT_UNSUPPORTED && !v->failed) {
        add(to, &(row){ .unsupported = 1, .reached = LEVELS });
        s->unsupported += !r->c.bad[0].row;
        count_shape(t, &r->c, (square){ .unsupported = 1 });
        return;
    }
    row one = { .cases = 1,
                .failed = v->failed && !r->waived,
                .waived = v->failed && r->waived,
                .refusals = r->c.bad[0].row != 0,
                .cells = v->cells,
                .edge_cells = v->edge_cells,
                .nan_cells = v->nan_cells,
                .bit_cells = v->bit_cells,
                .open_cells = v->open_cells,
                .unjudged_cells = v->unjudged_cells,
                .guard_bytes = v->guard_bytes,
                .statuses = v->statuses,
                .worst = v->worst,
                .graded_cells = v->graded_cells,
                .reached = v->failed ? (int)v->failed_at - 1 : (int)v->reached };
    memcpy(one.unjudged, v->unjudged, sizeof one.unjudged);
    memcpy(one.graded, v->graded, sizeof one.graded);
    add(to, &one);
    int64_t explained = v->unjudged_cells - verdict_unexplained(v);
    s->judged += (v->failed || checks_of(v) > 0 || explained > 0)
                 && !r->c.bad[0].row; /* a refusal says nothing of numbers and layouts */
    count_shape(t, &r->c, (square){ .judged = v->failed || v->cells > v->unjudged_cells });
}

/* ---- asking ---------------------------------------------------------------------------------- */

const row *tally_row(const tally *t, int op, cot_element element) { return row_at(t, op, element); }

row tally_total(const tally *t)
{
    row total = { .reached = LEVELS };
    for (int i = 0; i < t->ops * ELEMENTS; i++)
        add(&total, &t->rows[i]);
    return total;
}

static int is_hole(const square *s) { return s->promised && !s->judged && !s->unsupported; }

static void add_square(coverage *sum, const square *s)
{
    sum->promised += s->promised > 0;
    sum->judged += s->judged > 0;
    sum->unsupported += s->unsupported && !s->judged;
    sum->holes += is_hole(s);
}

static void cover_one(void *self, const combination *c, square *s)
{
    (void)c;
    add_square(self, s);
}

static void cover_shape(void *self, const shape_gap *g, square *s)
{
    (void)g;
    add_square(self, s);
}

coverage tally_coverage(const tally *t)
{
    coverage sum = { 0 };
    visit_squares(t, cover_one, &sum);
    return sum;
}

coverage tally_shapes(const tally *t)
{
    coverage sum = { 0 };
    visit_shapes(t, cover_shape, &sum);
    return sum;
}

int64_t tally_gaps(const tally *t) { return tally_coverage(t).holes + tally_shapes(t).holes; }

typedef struct seeker {
    void (*found)(void *self, const combination *hole);
    void (*found_shape)(void *self, const shape_gap *hole);
    void *self;
} seeker;

static void seek_hole(void *self, const combination *c, square *s)
{
    const seeker *to = self;
    if (is_hole(s))
        to->found(to->self, c);
}

void tally_holes(const tally *t, void (*found)(void *self, const combination *hole), void *self)
{
    visit_squares(t, seek_hole, &(seeker){ .found = found, .self = self });
}

static void seek_shape(void *self, const shape_gap *g, square *s)
{
    const seeker *to = self;
    if (is_hole(s))
        to->found_shape(to->self, g);
}

void tally_shape_holes(const tally *t, void (*found)(void *self, const shape_gap *hole), void *self)
{
    visit_shapes(t, seek_shape, &(seeker){ .found_shape = found, .self = self });
}

int64_t tally_judged(const tally *t, const combination *which) { return square_at(t, which)->judged; }

int64_t tally_undone(const tally *t, const combination *which) { return square_at(t, which)->unsupported; }

int64_t tally_shape_judged(const tally *t, const shape_gap *which)
{
    return shape_at(t, which->op, which->element, which->kind)->judged;
}

int64_t tally_shape_undone(const tally *t, const shape_gap *which)
{
    return shape_at(t, which->op, which->element, which->kind)->unsupported;
}

/* ---- what was counted elsewhere -------------------------------------------------------------- */

void tally_add_row(tally *t, int op, cot_element element, const row *more) { add(row_at(t, op, element), more); }

void tally_add_square(tally *t, const combination *which, seen more) { add_seen(square_at(t, which), more); }

void tally_add_shape(tally *t, const shape_gap *which, seen more)
{
    add_seen(shape_at(t, which->op, which->element, which->kind), more);
}
