/* The batteries: every op has one, the reference passes it, and its cases catch the mutants that their rows name. */
#include "conformance/case/battery.h"
#include "conformance/case/problem.h"
#include "conformance/judge/judge.h"
#include "conformance/judge/judge_lines.h"
#include "conformance/mutant/mutant.h"
#include "conformance/tap/tap.h"

#include <stdio.h>
#include <string.h>

/* As a file of results is judged: 1 where a cell is wrong; 0; -1: it was not run. */
static int is_wrong(const char *name, const test_case *c)
{
    cot_backend *backend = NULL;
    cot_error error;
    problem p = { 0 };
    trial t = { 0 };
    verdict v = { 0 };
    int bad = !strcmp(name, "ref") ? cot_backend_open(name, NULL, &backend, &error)
                                   : mutant_open(name, NULL, &backend, &error);
    bad = bad || problem_make(&p, c) || trial_run(&t, backend, &p, first_fill, &error);
    t.claim = (cot_guarantee){ 0 };
    bad = bad || judge_lines(&t, LEVEL_B, &v);
    trial_free(&t);
    problem_free(&p);
    cot_backend_close(backend);
    return bad ? -1 : v.failed != 0;
}

/* "name" or "name/f16". */
static int is_caught(const battery_case *row, const char *which)
{
    char name[80];
    test_case c;
    cot_element element = COT_F32;
    snprintf(name, sizeof name, "%s", which);
    char *slash = strchr(name, '/');
    for (cot_element e = COT_F16; slash && e <= COT_F64; e++)
        element = !strcmp(slash + 1, cot_element_name(e)) ? e : element;
    if (slash)
        *slash = 0;
    return !battery_make(row, element, &c) && is_wrong(name, &c) == 1;
}

static void check_row(const battery_case *row, cot_element element, int *mutants, int *bad)
{
    char names[2048];
    test_case c;
    if (battery_make(row, element, &c) || is_wrong("ref", &c)) {
        diag("%s/%s: the reference does not pass it", row->op, row->rest);
        ++*bad;
    }
    snprintf(names, sizeof names, "%s", row->shows);
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "), ++*mutants)
        if (!is_caught(row, name)) {
            diag("%s/%s does not catch %s", row->op, row->rest, name);
            ++*bad;
        }
}

static void check_op(const cot_op_info *op, cot_element element)
{
    const battery *b = battery_of(op->name);
    const battery_case *row;
    int rows = 0, mutants = 0, bad = 0, whole = b != NULL;
    for (; (row = battery_at(op->name, rows)); rows++)
        check_row(row, element, &mutants, &bad);
    ok(b && rows >= 10 && rows <= 30 && mutants > 0 && !bad, "%s: %d cases, which catch %d mutants (make battery)",
       op->name, rows, mutants);
    for (cot_element e = COT_F16; b && e <= COT_F64; e++)
        whole &=
            b->caught[e] > 0 && b->caught[e] <= b->shown[e] && b->shown[e] <= b->mutants && b->caught[e] <= mutants;
    ok(whole, "%s: and no share is more than they catch", op->name);
}

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        check_op(op, (cot_element)((size_t)COT_F16 + i % 4));
    ok(!battery_of("nothing") && !battery_at("nothing", 0), "no other op has one");
    judge_end();
    return done_testing();
}
