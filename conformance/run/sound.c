/* Whether the bytes of a message are a greeting or an answer: a process that a backend has damaged may send anything.
 */
#include "sound.h"

#include <string.h>

static int ends(const char *text, size_t size) { return memchr(text, 0, size) != NULL; }

/* As a number of its own, so that no compiler takes an enumeration's word for its range. */
static int within(int value, int first, int last) { return value >= first && value <= last; }

int greeting_is_sound(const greeting *g)
{
    return within(g->unusable, 0, 1) && ends(g->message, sizeof g->message) && ends(g->device, sizeof g->device)
           && ends(g->remark, sizeof g->remark);
}

static int error_is_sound(const cot_error *e)
{
    return within((int)e->code, COT_OK, COT_BUFFER_TOO_SMALL) && within((int)e->operand, COT_NO_OPERAND, COT_WORKSPACE)
           && ends(e->message, sizeof e->message);
}

static int counts_are_sound(const verdict *v)
{
    const int64_t counts[] = { v->failed,         v->cells,        v->edge_cells,  v->nan_cells, v->bit_cells,
                               v->unjudged_cells, v->oracle_cells, v->guard_bytes, v->statuses,  v->open_cells };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (counts[i] < 0)
            return 0;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (v->unjudged[i] < 0)
            return 0;
    return v->edge_cells <= v->cells && v->bit_cells <= v->cells && v->nan_cells <= v->edge_cells
           && v->unjudged_cells <= v->cells && verdict_unexplained(v) >= 0;
}

static int cell_is_sound(const verdict *v)
{
    int good = within((int)v->operand, COT_NO_OPERAND, OPERANDS - 1) && within((int)v->element, 0, COT_F64)
               && within(v->rank, 0, COT_MAX_RANK);
    for (int d = 0; good && d < v->rank; d++)
        good = v->index[d] >= 0;
    return good && pattern_name(v->pattern.kind) != NULL;
}

static int verdict_is_sound(const verdict *v)
{
    return within((int)v->failed_at, 0, LEVELS - 1) && within((int)v->reached, 0, LEVELS - 1)
           && within((int)v->reason, REASON_NONE, REASONS - 1) && !v->failed == (v->reason == REASON_NONE)
           && within((int)v->reference.reason, REASON_NONE, REASONS - 1) && ends(v->clause, sizeof v->clause)
           && ends(v->device, sizeof v->device) && error_is_sound(&v->said) && error_is_sound(&v->wanted)
           && counts_are_sound(v) && cell_is_sound(v);
}

/* The value of a policy is a number among its words. */
static int policy_is_sound(int number, int value)
{
    const cot_policy_info *policy = number >= 0 ? cot_policy_at((size_t)number) : NULL;
    int values = 0;
    while (policy && policy->values[values])
        values++;
    return within(value, 0, values - 1);
}

static int headline_is_sound(const headline *h)
{
    const guessed *g = &h->guess;
    if (!within((int)g->kind, GUESS_NOTHING, GUESSES - 1) || h->wrong < 0 || h->judged < 0)
        return 0;
    return g->kind == GUESS_POLICY       ? policy_is_sound(g->policy, g->is)
           : g->kind == GUESS_CONVENTION ? within(g->is, COT_CONVENTION_SPEC, COT_CONVENTION_ACCURATE)
                                         : 1;
}

int answer_is_sound(const answer *a)
{
    return within((int)a->status, COT_OK, COT_BUFFER_TOO_SMALL) && verdict_is_sound(&a->v) && a->hung >= 0
           && headline_is_sound(&a->right_for);
}
