/* One cell against truth. */
#include "judge_cell.h"

static int is_the_edge(const truth_cell *want, double got)
{
    int both_zero = got == 0 && want->literal == 0;
    return same_number(got, want->literal) || (want->holds & TRUTH_SIGNLESS && both_zero);
}

/* Level B, where a bound holds or an intermediate leaves the range. */
static void judge_near(const truth_cell *want, cot_element element, double got, const truth_bound *claimed,
                       cell_verdict *v)
{
    double ratio = truth_score(want, element, got, claimed);
    if (want->holds & TRUTH_FOREIGN && !(ratio <= 1))
        return;
    if (want->holds & TRUTH_BOUND) {
        v->ruling = BY_BOUND;
        v->ratio = ratio;
        v->ulps = truth_ulps(want, element, got);
        v->wrong = ratio <= 1 ? REASON_NONE : REASON_BOUND;
    } else {
        v->ruling = BY_OPEN;
        v->wrong = truth_admits(want, element, got, claimed) ? REASON_NONE : REASON_OPEN;
    }
}

cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, const truth_bound *claimed, level upto,
                        int exact)
{
    cell_verdict v = { .ruling = NOT_RULED };
    int decided = exact && want->holds & TRUTH_EXACT;
    reason bits = decided ? REASON_EXACT : REASON_BITS;
    if (want->holds & TRUTH_EDGE) {
        v.ruling = BY_EDGE;
        v.wrong = is_the_edge(want, got) ? REASON_NONE : REASON_EDGE;
    } else if (upto >= LEVEL_B) {
        judge_near(want, element, got, claimed, &v);
    }
    if (want->holds & TRUTH_SIGNLESS)
        bits = REASON_BITS;
    if (!v.wrong && upto >= reason_at(bits)->level && want->holds & TRUTH_BITS) {
        v.ruling = v.ruling == BY_EDGE ? BY_EDGE : BY_BITS;
        v.wrong = same_number(got, want->literal) ? REASON_NONE : bits;
    }
    return v;
}
