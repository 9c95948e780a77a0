/* The verdict: which failure it keeps, and the table of reasons. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct {
    const char *name, *title;
} levels[LEVELS] = { [LEVEL_E] = { "E", "edges" },
                     [LEVEL_B] = { "B", "bound" },
                     [LEVEL_D] = { "D", "stable" },
                     [LEVEL_I] = { "I", "invariant" },
                     [LEVEL_X] = { "X", "bits" } };

const char *level_name(level which) { return (unsigned)which < LEVELS ? levels[which].name : NULL; }

const char *level_title(level which) { return (unsigned)which < LEVELS ? levels[which].title : NULL; }

int level_find(const char *text)
{
    for (int i = 0; i < LEVELS; i++)
        if (!strcmp(text, levels[i].name) || !strcmp(text, levels[i].title))
            return i;
    return -1;
}

const char *grade_name(grade which)
{
    static const char *const names[GRADES] = { "pairwise", "spec", "sequential" };
    return (unsigned)which < GRADES ? names[which] : "worse";
}

grade grade_of(const double graded[GRADES])
{
    int best = 0;
    while (best < GRADES && !(graded[best] <= 1))
        best++;
    return (grade)best;
}

const unjudged_info *unjudged_at(unjudged_reason why)
{
    static const unjudged_info table[] = {
#define UNJUDGED(name, clause, sentence) { #name, clause, sentence },
#include "unjudged.def"
#undef UNJUDGED
    };
    return (unsigned)why < UNJUDGED_REASONS ? &table[why] : NULL;
}

void verdict_leave(verdict *v, unjudged_reason why, int64_t cells)
{
    v->unjudged_cells += cells;
    v->unjudged[why] += cells;
}

int64_t verdict_unexplained(const verdict *v)
{
    int64_t rest = v->unjudged_cells;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        rest -= v->unjudged[i];
    return rest;
}

const reason_info *reason_at(reason which)
{
    static const reason_info table[REASONS] = {
#define REASON(name, level, fault, sentence) [REASON_##name] = { #name, level, FAULT_OF_##fault, sentence },
#include "reasons.def"
#undef REASON
    };
    return which > REASON_NONE && which < REASONS ? &table[which] : NULL;
}

void verdict_blame(verdict *v, const char *clause)
{
    snprintf(v->clause, sizeof v->clause, "%s", clause ? clause : "");
    v->sentence = 0;
}

int verdict_fail(verdict *v, reason why, const char *clause)
{
    level at = reason_at(why)->level;
    if (v->failed++ && at >= v->failed_at)
        return 0;
    v->failed_at = at;
    v->reason = why;
    verdict_blame(v, clause);
    v->operand = COT_NO_OPERAND;
    v->has_inputs = 0;
    v->pattern = (pattern){ 0 };
    return 1;
}

void verdict_fail_call(verdict *v, reason why, const char *clause, const cot_error *said, const cot_error *wanted)
{
    if (!verdict_fail(v, why, clause))
        return;
    v->said = *said;
    if (wanted)
        v->wanted = *wanted;
}

void verdict_fail_count(verdict *v, reason why, const char *clause, int64_t count)
{
    if (verdict_fail(v, why, clause))
        v->count = count;
}

int verdict_join(verdict *v, const verdict *next)
{
    verdict before = *v;
    int fails = next->failed && (!v->failed || next->failed_at < v->failed_at);
    if (fails)
        *v = *next;
    v->failed = before.failed + next->failed;
    v->cells = before.cells + next->cells;
    v->edge_cells = before.edge_cells + next->edge_cells;
    v->nan_cells = before.nan_cells + next->nan_cells;
    v->bit_cells = before.bit_cells + next->bit_cells;
    v->open_cells = before.open_cells + next->open_cells;
    v->unjudged_cells = before.unjudged_cells + next->unjudged_cells;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        v->unjudged[i] = before.unjudged[i] + next->unjudged[i];
    v->oracle_cells = before.oracle_cells + next->oracle_cells;
    v->guard_bytes = before.guard_bytes + next->guard_bytes;
    v->statuses = before.statuses + next->statuses;
    v->worst = fmax(before.worst, next->worst);
    v->graded_cells = before.graded_cells + next->graded_cells;
    for (int g = 0; g < GRADES; g++)
        v->graded[g] = fmax(before.graded[g], next->graded[g]);
    v->worst_ulps = fmax(before.worst_ulps, next->worst_ulps);
    return fails;
}

int same_number(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}
