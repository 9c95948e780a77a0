/* Judging a wrong gradient as the answer to other problems. */
#include "guess.h"
#include "conformance/case/problem.h"
#include "judge_views.h"
#include "trial.h"

#include <string.h>

enum { MOST_CELLS = 1 << 20 }; /* above that, guessing takes too long */

typedef struct suspect {
    cot_desc desc;
    cot_view views[OPERANDS];
    guessed *found;
} suspect;

static int is_right(const suspect *s)
{
    verdict v;
    return !judge_views(&s->desc, s->views, &v) && v.cells && !v.failed && !v.unjudged_cells;
}

/* ---- policies -------------------------------------------------------------------------------- */

enum { FRAMEWORKS = COT_CONVENTION_JAX + 1 };

/* Gives those of the op's policies that are in the mask the convention's values; whether that changes any. */
static int take(suspect *s, int convention, unsigned mask)
{
    const cot_policy_info *policy;
    int changed = 0;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        uint8_t *value = (uint8_t *)&s->desc.policies + policy->offset;
        if (!(mask & cot_op_get(s->desc.op)->policies & 1u << i))
            continue;
        changed |= *value != policy->conventions[convention];
        *value = policy->conventions[convention];
    }
    return changed;
}

/* Bits by convention: the frameworks for which it is right, when only these policies are theirs. */
static unsigned frameworks_under(const suspect *s, unsigned mask)
{
    unsigned right = 0;
    for (int c = COT_CONVENTION_TORCH; c < FRAMEWORKS; c++) {
        suspect other = *s;
        if (take(&other, c, mask) && is_right(&other))
            right |= 1u << c;
    }
    return right;
}

/* One policy: the frameworks' value of it before those that no framework has. */
static int guess_policy(suspect s)
{
    const cot_policy_info *policy;
    cot_desc asked = s.desc;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        uint8_t *value = (uint8_t *)&s.desc.policies + policy->offset, given = *value;
        if (!(cot_op_get(s.desc.op)->policies >> i & 1))
            continue;
        unsigned frameworks = frameworks_under(&s, 1u << i);
        *s.found = (guessed){ .kind = GUESS_FRAMEWORKS, .policies = 1u << i, .frameworks = frameworks };
        if (frameworks)
            return 1;
        for (*value = 0; policy->values[*value]; ++*value) {
            *s.found = (guessed){ .kind = GUESS_POLICY, .policy = (int)i, .is = *value };
            if (*value != given && is_right(&s))
                return 1;
        }
        s.desc = asked;
    }
    return 0;
}

/* Several policies at once: all of a framework's, and of these only the ones without which it would be wrong are named.
 */
static int guess_frameworks(suspect s)
{
    unsigned mask = cot_op_get(s.desc.op)->policies, frameworks = frameworks_under(&s, mask);
    if (!frameworks)
        return 0;
    for (size_t i = 0; cot_policy_at(i); i++)
        if (mask >> i & 1 && frameworks_under(&s, mask & ~(1u << i)) == frameworks)
            mask &= ~(1u << i);
    *s.found = (guessed){ .kind = GUESS_FRAMEWORKS, .policies = mask, .frameworks = frameworks };
    return 1;
}

/* Conventions that are no framework's. */
static int guess_convention(suspect s)
{
    static const int ours[] = { COT_CONVENTION_SPEC, COT_CONVENTION_ACCURATE };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        cot_convention_policies((cot_convention)ours[i], &s.desc.policies);
        *s.found = (guessed){ .kind = GUESS_CONVENTION, .is = ours[i] };
        if (is_right(&s))
            return 1;
    }
    return 0;
}

/* ---- problems -------------------------------------------------------------------------------- */

static int guess_direction(suspect s)
{
    if (cot_op_get(s.desc.op)->family != COT_SCAN)
        return 0;
    s.desc.reverse = !s.desc.reverse;
    *s.found = (guessed){ .kind = GUESS_DIRECTION, .is = s.desc.reverse };
    return is_right(&s);
}

static int guess_axis(suspect s)
{
    const cot_op_info *op = cot_op_get(s.desc.op);
    int asked = s.desc.axis;
    if (!cot_has_axis(op) || op->family == COT_REDUCE)
        return 0;
    for (s.desc.axis = 0; s.desc.axis < s.desc.rank; s.desc.axis++) {
        *s.found = (guessed){ .kind = GUESS_AXIS, .is = s.desc.axis, .asked = asked };
        if (s.desc.axis != asked && is_right(&s))
            return 1;
    }
    return 0;
}

static int guess_correction(suspect s)
{
    int32_t asked = s.desc.correction;
    if (!(cot_op_get(s.desc.op)->traits & COT_OP_CORRECTS))
        return 0;
    for (s.desc.correction = 0; s.desc.correction < 2; s.desc.correction++) {
        *s.found = (guessed){ .kind = GUESS_CORRECTION, .is = s.desc.correction, .asked = asked };
        if (s.desc.correction != asked && is_right(&s))
            return 1;
    }
    return 0;
}

static int guess_exchange(suspect s)
{
    if (cot_has_axis(cot_op_get(s.desc.op)))
        return 0;
    cot_view da = s.views[COT_DA];
    s.views[COT_DA] = s.views[COT_DB];
    s.views[COT_DB] = da;
    *s.found = (guessed){ .kind = GUESS_EXCHANGE };
    return is_right(&s);
}

int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], guessed *found)
{
    static int (*const guesses[])(suspect s) = { guess_policy, guess_frameworks, guess_convention, guess_direction,
                                                 guess_axis,   guess_correction, guess_exchange };
    suspect s = { .desc = *desc, .found = found };
    memcpy(s.views, views, sizeof s.views);
    *found = (guessed){ .kind = GUESS_NOTHING };
    if (cell_count(&views[cot_has_axis(cot_op_get(desc->op)) ? COT_DX : COT_DA]) > MOST_CELLS)
        return 0;
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        if (guesses[i](s))
            return 1;
    *found = (guessed){ .kind = GUESS_NOTHING };
    return 0;
}

int guess_headline(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, headline *h)
{
    *h = (headline){ .of_spec = cot_uses_spec_policies(desc->op, &desc->policies) != 0,
                     .wrong = v->failed,
                     .judged = v->cells - v->unjudged_cells };
    return v->failed >= ENOUGH_TO_GUESS && guess_mistake(desc, views, &h->guess);
}

int guess_case(cot_backend *backend, const test_case *c, headline *h)
{
    problem p = { 0 };
    trial t = { 0 };
    cot_error error;
    verdict v;
    cot_view views[OPERANDS] = { { 0 } };
    int found = 0;
    *h = (headline){ .wrong = 0 };
    if (!problem_make(&p, c) && !trial_run(&t, backend, &p, first_fill, &error)) {
        for (int o = COT_DY; o < OPERANDS; o++)
            if (p.tensors[o].memory || p.tensors[o].owner)
                views[o] = cot_is_output((cot_operand)o) ? trial_view(&t, (cot_operand)o) : p.tensors[o].view;
        found = !judge_views(&c->desc, views, &v) && guess_headline(&c->desc, views, &v, h);
    }
    trial_free(&t);
    problem_free(&p);
    return found;
}
