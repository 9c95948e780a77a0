/* Faults that hang on a policy: on one that the op does not heed, or an option, and the mutant heeds it; or on a better
 * formula, that the mutant gets wrong. */
#include "mutant_defects.h"

#include <math.h>

static int64_t divisor_of(const cot_desc *d) { return (int64_t)d->shape[d->axis] - d->correction; }

// clang-format off
#define BUNDLED(name, condition) \
    int name(const mutant *m, const cot_desc *d) { \
        const cot_policies *p = &d->policies; \
        return (void)m, (void)p, condition; \
    }

BUNDLED(norm2_of_dead_divisor,
        p->denominator == COT_DENOMINATOR_ZERO && p->divisor == COT_DIVISOR_DEAD && divisor_of(d) <= 0)
BUNDLED(sum_of_dead_divisor, p->divisor == COT_DIVISOR_DEAD && divisor_of(d) <= 0)
BUNDLED(max_of_scan_ties, p->ties == COT_TIES_FIRST && p->scan_ties == COT_SCAN_TIES_LAST)
BUNDLED(scan_of_max_ties, p->ties == COT_TIES_LAST && p->scan_ties == COT_SCAN_TIES_FIRST)
BUNDLED(product_of_denominator, p->zeros == COT_ZEROS_LITERAL && p->denominator == COT_DENOMINATOR_ZERO)
BUNDLED(pair_of_max_nan, p->max_nan == COT_MAX_NAN_FIRST && p->pair_nan == COT_PAIR_NAN_BOTH)
BUNDLED(hypot_of_atan2, p->hypot_zero == COT_HYPOT_ZERO_LITERAL && p->atan2_zero == COT_ATAN2_ZERO_ZERO)
BUNDLED(pow_of_denominator, p->pow_zero == COT_POW_ZERO_LITERAL && p->denominator == COT_DENOMINATOR_ZERO)
BUNDLED(lerp_of_exact_zeros, p->lerp_weight == COT_LERP_WEIGHT_F32 && p->zeros == COT_ZEROS_EXACT)
BUNDLED(softmax_of_max_nan, p->max_nan == COT_MAX_NAN_FIRST)
BUNDLED(softmax_of_reverse, d->reverse != 0)
BUNDLED(careful_quotient, p->quotient == COT_QUOTIENT_CAREFUL)
BUNDLED(where_zero, p->zeros == COT_ZEROS_WHERE_ZERO)
BUNDLED(zero_denominator, p->denominator == COT_DENOMINATOR_ZERO)
BUNDLED(masked_powers, p->pow_zero == COT_POW_ZERO_MASKED)
BUNDLED(shifted_centre, p->centre == COT_CENTRE_SHIFTED)
// clang-format on

double zero_unless_nan(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return isnan(s->reference) ? s->reference : 0;
}

double last_cell_negated(const mutant_call *c, const mutant_spot *s)
{
    return s->i == c->n - 1 ? -s->reference : s->reference;
}

double nan_beside_infinity(const mutant_call *c, const mutant_spot *s)
{
    return isinf(call_get(c, COT_X, s->line, 0)) ? (double)NAN : s->reference;
}
