/* Judging a wrong gradient as the answer to other problems. */
#include "guess.h"
#include "conformance/judge/judge_views.h"
#include "conformance/case/problem.h"
#include "conformance/case/words.h"

#include <stdio.h>
#include <string.h>

enum { MOST_CELLS = 1 << 20 }; /* above that, guessing takes too long */

typedef struct suspect {
    cot_desc desc;
    cot_view views[OPERANDS];
    char *sentence;
} suspect;

static int is_right(const suspect *s)
{
    verdict v;
    return !judge_views(&s->desc, s->views, &v) && v.cells && !v.failed && !v.unjudged_cells;
}

static const char *who(const cot_policy_info *policy, uint8_t value)
{
    int torch = policy->conventions[COT_CONVENTION_TORCH] == value,
        jax = policy->conventions[COT_CONVENTION_JAX] == value;
    return torch && jax ? ", as in PyTorch and JAX" : torch ? ", as in PyTorch" : jax ? ", as in JAX" : "";
}

static int guess_policy(suspect s)
{
    const cot_policy_info *policy;
    cot_desc asked = s.desc;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        uint8_t *value = (uint8_t *)&s.desc.policies + policy->offset, given = *value;
        if (!(cot_op_get(s.desc.op)->policies >> i & 1))
            continue;
        for (*value = 0; policy->values[*value]; ++*value)
            if (*value != given && is_right(&s)) {
                snprintf(s.sentence, GUESS_SIZE, "it is right under the policy %s=%s%s", policy->name,
                         policy->values[*value], who(policy, *value));
                return 1;
            }
        s.desc = asked;
    }
    return 0;
}

static int guess_convention(suspect s)
{
    for (int c = COT_CONVENTION_TORCH; c <= COT_CONVENTION_ACCURATE; c++) {
        cot_convention_policies((cot_convention)c, &s.desc.policies);
        snprintf(s.sentence, GUESS_SIZE, "it is right under the convention %s", convention_name((cot_convention)c));
        if (is_right(&s))
            return 1;
    }
    return 0;
}

static int guess_direction(suspect s)
{
    if (cot_op_get(s.desc.op)->family != COT_SCAN)
        return 0;
    s.desc.reverse = !s.desc.reverse;
    snprintf(s.sentence, GUESS_SIZE, "it is right for a forward scan that ran %s",
             s.desc.reverse ? "from the end (reverse)" : "from the start");
    return is_right(&s);
}

static int guess_axis(suspect s)
{
    const cot_op_info *op = cot_op_get(s.desc.op);
    int asked = s.desc.axis;
    if (!cot_has_axis(op) || op->family == COT_REDUCE)
        return 0;
    for (s.desc.axis = 0; s.desc.axis < s.desc.rank; s.desc.axis++) {
        snprintf(s.sentence, GUESS_SIZE, "it is right along axis %d, and axis %d was asked for", s.desc.axis, asked);
        if (s.desc.axis != asked && is_right(&s))
            return 1;
    }
    return 0;
}

static int guess_correction(suspect s)
{
    int32_t asked = s.desc.correction;
    if (s.desc.op != COT_VAR && s.desc.op != COT_STD)
        return 0;
    for (s.desc.correction = 0; s.desc.correction < 2; s.desc.correction++) {
        snprintf(s.sentence, GUESS_SIZE, "it is right with correction %d, and %d was asked for", s.desc.correction,
                 asked);
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
    snprintf(s.sentence, GUESS_SIZE, "it is right with da and db exchanged");
    return is_right(&s);
}

int guess_mistake(const cot_desc *desc, const cot_view views[OPERANDS], char sentence[GUESS_SIZE])
{
    static int (*const guesses[])(suspect s) = { guess_policy, guess_convention, guess_direction,
                                                 guess_axis,   guess_correction, guess_exchange };
    suspect s = { .desc = *desc, .sentence = sentence };
    memcpy(s.views, views, sizeof s.views);
    if (cell_count(&views[cot_has_axis(cot_op_get(desc->op)) ? COT_DX : COT_DA]) > MOST_CELLS)
        return 0;
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        if (guesses[i](s))
            return 1;
    return 0;
}
