#include "tally.h"
#include "generate.h"

#include <fnmatch.h>
#include <stdlib.h>

typedef struct square { /* a combination's counts */
    int64_t promised, judged, unsupported;
} square;

struct tally {
    int ops, generators, layouts;
    row *rows;       /* [op][element] */
    square *squares; /* [op][element][generator][layout] */
};

/* ---- places --------------------------------------------------------------------------------------------------------- */

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
    if (!t->rows || !t->squares) {
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

/* ---- promises ------------------------------------------------------------------------------------------------------- */

void tally_promise(tally *t, const test_case *c)
{
    square_of(t, c)->promised += !c->bad[0].row;
}

static void promise_one(void *self, const combination *c, square *s)
{
    const case_range *range = self;
    const cot_op_info *op = cot_op_at((size_t)c->op);
    if (range->element && range->element != c->element)
        return;
    if (!range->op_glob || !fnmatch(range->op_glob, op->name, 0))
        s->promised++;
}

void tally_promise_range(tally *t, const case_range *range)
{
    case_range asked = *range;
    visit_squares(t, promise_one, &asked);
}

/* ---- counting ------------------------------------------------------------------------------------------------------- */

int64_t checks_of(const verdict *v)
{
    return v->cells - v->unjudged_cells + v->statuses;
}

static void add(row *to, const row *more)
{
    to->cases += more->cases;
    to->failed += more->failed;
    to->unsupported += more->unsupported;
    to->refusals += more->refusals;
    to->cells += more->cells;
    to->edge_cells += more->edge_cells;
    to->nan_cells += more->nan_cells;
    to->bit_cells += more->bit_cells;
    to->unjudged_cells += more->unjudged_cells;
    to->guard_bytes += more->guard_bytes;
    to->statuses += more->statuses;
    to->worst = more->worst > to->worst ? more->worst : to->worst;
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
        return;
    }
    add(to, &(row){ 1, v->failed != 0, 0, r->c.bad[0].row != 0, v->cells, v->edge_cells, v->nan_cells, v->bit_cells, v->unjudged_cells,
                    v->guard_bytes, v->statuses, v->worst, v->failed ? (int)v->failed_at - 1 : (int)v->reached });
    s->judged += (v->failed || checks_of(v) > 0) && !r->c.bad[0].row; /* a refusal says nothing of numbers and layouts */
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

const row *tally_row(const tally *t, int op, cot_element element)
{
    return row_at(t, op, element);
}

row tally_total(const tally *t)
{
    row total = { .reached = LEVELS };
    for (int i = 0; i < t->ops * ELEMENTS; i++)
        add(&total, &t->rows[i]);
    return total;
}

static int is_hole(const square *s)
{
    return s->promised && !s->judged && !s->unsupported;
}

static void cover_one(void *self, const combination *c, square *s)
{
    coverage *sum = self;
    (void)c;
    sum->promised += s->promised > 0;
    sum->judged += s->judged > 0;
    sum->unsupported += s->unsupported && !s->judged;
    sum->holes += is_hole(s);
}

coverage tally_coverage(const tally *t)
{
    coverage sum = { 0 };
    visit_squares(t, cover_one, &sum);
    return sum;
}

typedef struct seeker {
    void (*found)(void *self, const combination *hole);
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
    visit_squares(t, seek_hole, &(seeker){ found, self });
}

int64_t tally_judged(const tally *t, const combination *which)
{
    return square_at(t, which)->judged;
}
