/* cotangent check: runs cases on a backend and judges every cell against truth. */
#include "cases.h"
#include "cli.h"
#include "judge.h"
#include "tap.h"

#include <stdio.h>

typedef struct tally {
    court seat;
    case_range range;
    int tap, passed, failed, not_done;
    int64_t cells, edge_cells, bit_cells, unjudged_cells;
    double worst;
} tally;

static int judge_one(void *self, const test_case *c)
{
    tally *t = self;
    char id[CASE_ID_SIZE];
    verdict v;
    case_print(c, id);
    cot_status status = judge_case(&t->seat, c, &v);
    if (status == COT_UNSUPPORTED) {
        t->not_done++;
        return 0;
    }
    t->cells += v.cells;
    t->edge_cells += v.edge_cells;
    t->bit_cells += v.bit_cells;
    t->unjudged_cells += v.unjudged_cells;
    t->worst = v.worst > t->worst ? v.worst : t->worst;
    v.failed ? t->failed++ : t->passed++;
    if (t->tap)
        ok(!v.failed, "%s cells=%lld edges=%lld nan=%lld bits=%lld unjudged=%lld guard=%lld err/bound=%.2g", id, (long long)v.cells,
           (long long)v.edge_cells, (long long)v.nan_cells, (long long)v.bit_cells, (long long)v.unjudged_cells,
           (long long)v.guard_bytes, v.worst);
    if (v.failed)
        printf("%s%s\n%s  %s at level %s: %s\n%s  repeat: cotangent check --case %s\n", t->tap ? "# " : "FAILED ", id, t->tap ? "# " : "", v.clause, level_name(v.failed_at), v.why,
               t->tap ? "# " : "", id);
    return 0;
}

static int summarise(const tally *t)
{
    if (t->tap)
        return done_testing() ? EXIT_FAILED : EXIT_GOOD;
    if (t->passed + t->failed == 0)
        return cli_fail(EXIT_USAGE, "no case was run: nothing matches, or the backend does none of it");
    printf("%d cases passed, %d failed; %lld cells compared: %lld edges, %lld bit for bit, %lld not judged; worst err/bound %.2g\n", t->passed,
           t->failed, (long long)t->cells, (long long)t->edge_cells, (long long)t->bit_cells, (long long)t->unjudged_cells, t->worst);
    if (t->not_done)
        printf("%d cases are of ops that the backend does not do\n", t->not_done);
    return t->failed ? EXIT_FAILED : EXIT_GOOD;
}

static int run_single(tally *t, const char *id)
{
    test_case c;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why))
        return cli_fail(EXIT_USAGE, "%s: %s", id, why);
    judge_one(t, &c);
    return summarise(t);
}

static int run(int argc, char **argv)
{
    const char *name = "ref", *dtype = NULL, *id = NULL;
    tally t = { .seat.level = LEVEL_X };
    int status;
    const cli_option options[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &name, NULL },
        { "--op", "GLOB", "only ops that match", &t.range.op_glob, NULL },
        { "--dtype", "TYPE", "only f16, bf16, f32 or f64", &dtype, NULL },
        { "--case", "ID", "only this case", &id, NULL },
        { "--tap", NULL, "TAP, a line per case", NULL, &t.tap },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_check, options, 0, &status) < 0)
        return status;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    if ((dtype && (status = cli_element(dtype, &t.range.element))) || (status = cli_backend(name, &t.seat.backend)))
        return status;
    if (t.tap)
        plan(NO_PLAN);
    if (id) {
        status = run_single(&t, id);
    } else {
        cases_visit(&t.range, judge_one, &t);
        status = summarise(&t);
    }
    cot_backend_close(t.seat.backend);
    judge_end();
    return status;
}

const cli_command cli_check = { "check", "", "Runs cases on a backend and judges every cell against truth", run };
