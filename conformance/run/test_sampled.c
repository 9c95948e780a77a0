/* Large cases of which truth sees some lines alone: mutants that go wrong by the shape are caught by those, at level B
 * and with no reference to compare bits with. */
#include "conformance/case/case.h"
#include "conformance/mutant/mutant.h"
#include "conformance/tap/tap.h"
#include "court.h"

#include <stdio.h>

static const char *const shapes[] = { "70000x4/1", "300x1000/1", "3x1000x99/1", "70x4096/0" };
enum { SHAPES = sizeof shapes / sizeof *shapes, SEEDS = 3 };

static const char *const names[] = { "lines_65",    "extents_512", "grid_of_lines", "line_number_16", "block_cut",
                                     "rows_second", "line_first",  "line_last",     "between",        "transpose_cut" };
enum { NAMES = sizeof names / sizeof *names };

static test_case case_of(int shape, int seed)
{
    test_case c;
    char id[CASE_ID_SIZE], why[CASE_ID_SIZE];
    snprintf(id, sizeof id, "cumsum/f32/%s/contig/uniform/%d", shapes[shape], seed);
    if (case_parse(id, &c, why))
        BAIL_OUT("%s: %s", id, why);
    return c;
}

/* The verdict of truth alone. */
static verdict judged(const char *backend, const test_case *c)
{
    court seat;
    cot_error error;
    verdict v;
    if (court_open(&seat, backend, NULL, NULL, LEVEL_B, &error))
        BAIL_OUT("%s: %s", backend, error.message);
    cot_status status = judge_case(&seat, c, &v);
    court_close(&seat);
    if (status)
        BAIL_OUT("%s could not be judged", backend);
    return v;
}

static void check_mutant(const char *name)
{
    const mutant *m = mutant_find(name);
    char backend[80];
    int tried = 0, sampled = 0, caught = 0;
    snprintf(backend, sizeof backend, "mutant:%s", name);
    for (int i = 0; i < SHAPES * SEEDS && m && !caught; i++) {
        test_case c = case_of(i % SHAPES, 1 + i / SHAPES);
        if (!m->where(m, &c.desc))
            continue;
        verdict v = judged(backend, &c);
        tried++;
        sampled += v.unjudged[UNJUDGED_OTHER_LINE] > 0;
        caught = v.failed && v.failed_at <= LEVEL_B;
    }
    ok(caught && sampled == tried, "%s is caught by %d of truth's samples", backend, tried);
}

int main(void)
{
    plan(NO_PLAN);
    for (int shape = 0; shape < SHAPES; shape++) {
        test_case c = case_of(shape, 1);
        verdict v = judged("mutant:none", &c);
        ok(!v.failed && v.unjudged[UNJUDGED_OTHER_LINE] > 0,
           "cumsum of %s: %lld cells, %lld in lines that truth leaves", shapes[shape], (long long)v.cells,
           (long long)v.unjudged[UNJUDGED_OTHER_LINE]);
    }
    for (int i = 0; i < NAMES; i++)
        check_mutant(names[i]);
    judge_end();
    return done_testing();
}
