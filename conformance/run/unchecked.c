/* Nothing passes without a check: verdicts that hold none, or that leave out what must be judged, fail here. */
#include "unchecked.h"
#include "conformance/case/generate.h"
#include "conformance/case/truth_lines.h"
#include "conformance/clause/clauses.h"
#include "conformance/clause/scope.h"

static int64_t cells_of(const cot_desc *desc) { return cot_cell_count(desc->rank, desc->shape); }

static int is_about(const char *id, const test_case *c)
{
    const clause *allowing = clause_find(id);
    return allowing && scope_names(allowing->scope, cot_op_get(c->desc.op));
}

/* How many cells of such a case may stay unjudged for a reason: those that its clause is about. A save that the forward
 * operation has made is not foreign, and a line that truth looks at is no other line. */
static int64_t allowed(unjudged_reason why, const test_case *c)
{
    if (why != UNJUDGED_NOT_ASKED && !is_about(unjudged_at(why)->clause, c))
        return 0;
    if (why == UNJUDGED_FOREIGN_SAVE && generator_at(c->generator)->keeps_y != KEEP_Y)
        return 0;
    return why == UNJUDGED_OTHER_LINE ? case_cells_left(c) : INT64_MAX;
}

static int64_t not_allowed(const test_case *c, const verdict *v)
{
    int64_t cells = verdict_unexplained(v);
    for (int i = 0; i < UNJUDGED_REASONS; i++) {
        int64_t most = allowed((unjudged_reason)i, c);
        cells += v->unjudged[i] > most ? v->unjudged[i] - most : 0;
    }
    return cells;
}

/* What counts is a cell with a ruling, or the status of a call that must be refused or has nothing to do: guards and
 * the status of a good call say nothing of its numbers. */
void fail_unchecked(const test_case *c, verdict *v)
{
    int64_t judged = v->cells - v->unjudged_cells;
    int has_cells = !c->bad[0].row && cells_of(&c->desc);
    if (v->failed)
        return;
    if (judged + v->statuses == 0)
        verdict_fail(v, REASON_UNCHECKED, NULL);
    else if (c->bad[0].row && !v->statuses)
        verdict_fail(v, REASON_UNCHECKED_STATUS, NULL);
    else if (has_cells && !v->cells)
        verdict_fail(v, REASON_UNCHECKED_CELLS, NULL);
    else if (has_cells && not_allowed(c, v))
        verdict_fail_count(v, REASON_UNJUDGED, NULL, not_allowed(c, v));
}
