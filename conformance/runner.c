#include "runner.h"
#include "verdict.h"

static int64_t cells_of(const cot_desc *desc)
{
    int64_t cells = 1;
    for (int d = 0; d < desc->rank; d++)
        cells *= desc->shape[d];
    return cells;
}

void demand_checks(const test_case *c, verdict *v)
{
    if (v->failed)
        return;
    if (v->cells - v->unjudged_cells + v->statuses + v->guard_bytes == 0)
        verdict_fail(v, LEVEL_E, NULL, "nothing was checked");
    else if (c->bad[0].row && !v->statuses)
        verdict_fail(v, LEVEL_E, NULL, "no status was compared, and the call must be refused");
    else if (!c->bad[0].row && !v->cells && cells_of(&c->desc))
        verdict_fail(v, LEVEL_E, NULL, "no cell was compared, and there are some");
}

typedef struct hunt {
    const court *seat;
    char *id;
    int judged;
} hunt;

static int judge_one(void *self, const test_case *c)
{
    hunt *h = self;
    verdict v;
    if (judge_case(h->seat, c, &v) == COT_UNSUPPORTED && !v.failed)
        return 0;
    h->judged = 1;
    demand_checks(c, &v);
    if (v.failed)
        case_print(c, h->id);
    return v.failed != 0;
}

int suite_catches(const court *seat, const case_range *range, char id[CASE_ID_SIZE])
{
    hunt h = { seat, id, 0 };
    *id = 0;
    if (cases_visit(range, judge_one, &h))
        return 1;
    return h.judged ? 0 : -1;
}
