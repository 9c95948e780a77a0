/* A result that threads share is judged as one thread judges it: every count, the first failure, the pattern. */
#include "judge.h"
#include "judge_lines.h"
#include "conformance/tap/tap.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* ---- results that are wrong in some cells ---------------------------------------------------- */

typedef struct place {
    int64_t cell, cells; /* in an output, row-major */
    int first, last;     /* in the first tenth of the output, in the last */
    double value;
} place;

typedef double spoil(const place *at);

static double nothing(const place *at) { return at->value; }
static double last_cell(const place *at) { return at->cell == at->cells - 1 ? at->value + 9 : at->value; }
static double every_third(const place *at) { return at->cell % 3 == 1 ? at->value + 9 : at->value; }
static double first_part(const place *at) { return at->first ? at->value + 9 : at->value; }
static double all_of_it(const place *at) { return at->value + 9; }

/* A bound is broken first, and a lower level further down: that is the failure to be kept. */
static double edges_last(const place *at)
{
    return at->first && isfinite(at->value) ? at->value + 9 : at->last && isnan(at->value) ? 1 : at->value;
}

static const struct {
    const char *what;
    spoil *how;
} spoils[] = { { "right", nothing },        { "the last cell", last_cell }, { "every third", every_third },
               { "the first", first_part }, { "all", all_of_it },           { "edges in the last", edges_last } };

static void spoil_output(const trial *t, cot_operand o, spoil *how)
{
    cot_view view = trial_view(t, o);
    int64_t cells = cell_count(&view);
    for (int64_t i = 0; i < cells; i++) {
        void *cell = (char *)view.data + cot_cell_offset(&view, i) * (int64_t)cot_element_size(view.element);
        place at = { i, cells, i < cells / 10, i >= cells - cells / 10, cot_cell_get(view.element, cell) };
        cot_cell_set(view.element, cell, how(&at));
    }
}

/* ---- verdicts -------------------------------------------------------------------------------- */

static int same_counts(const verdict *a, const verdict *b)
{
    return a->failed == b->failed && a->cells == b->cells && a->edge_cells == b->edge_cells
           && a->nan_cells == b->nan_cells && a->bit_cells == b->bit_cells && a->open_cells == b->open_cells
           && a->unjudged_cells == b->unjudged_cells && !memcmp(a->unjudged, b->unjudged, sizeof a->unjudged)
           && a->oracle_cells == b->oracle_cells && a->graded_cells == b->graded_cells
           && !memcmp(a->graded, b->graded, sizeof a->graded) && same_number(a->worst, b->worst)
           && same_number(a->worst_ulps, b->worst_ulps);
}

/* After the last member there are bytes that belong to none. */
static int same_pattern(const pattern *a, const pattern *b)
{
    return !memcmp(a, b, offsetof(pattern, mapped)) && a->mapped == b->mapped;
}

static int same_failure(const verdict *a, const verdict *b)
{
    return a->failed_at == b->failed_at && a->reason == b->reason && !strcmp(a->clause, b->clause)
           && a->operand == b->operand && !memcmp(a->index, b->index, sizeof a->index) && same_number(a->got, b->got)
           && same_number(a->want, b->want) && same_number(a->ratio, b->ratio) && same_number(a->ulps, b->ulps)
           && a->has_inputs == b->has_inputs && !memcmp(a->inputs, b->inputs, sizeof a->inputs)
           && same_pattern(&a->pattern, &b->pattern);
}

enum { MOST_CELLS = 4096, MOST_THREADS = 9 };

typedef struct marks {
    unsigned char of[OPERANDS][MOST_CELLS];
} marks;

static verdict judge_by(trial t, int threads, marks *m)
{
    verdict v = { 0 };
    memset(m, 0, sizeof *m);
    for (int o = COT_DX; o < OPERANDS; o++)
        t.marks[o] = m->of[o];
    if (judge_lines_by(&t, LEVEL_B, threads, &v))
        BAIL_OUT("out of memory");
    return v;
}

static void compare(const trial *t, const char *what)
{
    static marks alone, together;
    verdict one = judge_by(*t, 1, &alone);
    int counts = 1, failures = 1, cells = 1;
    for (int threads = 2; threads <= MOST_THREADS; threads++) {
        verdict v = judge_by(*t, threads, &together);
        counts &= same_counts(&one, &v);
        failures &= same_failure(&one, &v);
        cells &= !memcmp(&alone, &together, sizeof alone);
    }
    ok(one.cells > 0 && counts, "%s, %d wrong: the same counts", what, one.failed);
    ok(failures, "the same failure, %s %s %s", one.failed ? reason_at(one.reason)->name : "none", one.clause,
       pattern_name(one.pattern.kind));
    ok(cells, "the same cells");
}

static void test_case_of(cot_backend *reference, const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE], what[CASE_ID_SIZE + 32];
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        problem p;
        trial t;
        cot_error error;
        if (problem_make(&p, &c) || trial_run(&t, reference, &p, first_fill, &error))
            BAIL_OUT("%s cannot be run", id);
        p.c.generator = -1; /* somebody's own result */
        for (int o = COT_DX; o < OPERANDS; o++)
            if (p.tensors[o].memory)
                spoil_output(&t, (cot_operand)o, spoils[i].how);
        snprintf(what, sizeof what, "%s, %s", id, spoils[i].what);
        compare(&t, what);
        trial_free(&t);
        problem_free(&p);
    }
}

int main(void)
{
    cot_backend *reference;
    plan(NO_PLAN);
    if (cot_backend_open("ref", NULL, &reference, NULL))
        BAIL_OUT("there is no reference");
    test_case_of(reference, "softmax/f32/29x36/1/contig/uniform/1");
    test_case_of(reference, "softmax/f64/5x3x8/1/contig/exponents/1");
    test_case_of(reference, "cumsum/f32/37x29/0/contig/nan/1");
    test_case_of(reference, "max/bf16/29x37/1/contig/ties/1");
    test_case_of(reference, "mul/f32/29x37/-/contig/nan/1");
    test_case_of(reference, "sum/f16/1x37/1/contig/uniform/1"); /* a line for one of them only */
    cot_backend_close(reference);
    judge_end();
    return done_testing();
}
