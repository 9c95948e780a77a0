/* Judging a wrong gradient as the answer to other problems. */
#include "guess.h"
#include "conformance/case/problem.h"
#include "conformance/case/words.h"
#include "judge_views.h"
#include "trial.h"

#include <stdarg.h>
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

/* ---- policies -------------------------------------------------------------------------------- */

enum { FRAMEWORKS = COT_CONVENTION_JAX + 1 };
static const char *const framework_names[FRAMEWORKS] = {
    [COT_CONVENTION_TORCH] = "PyTorch", [COT_CONVENTION_JAX] = "JAX"
};

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

__attribute__((format(printf, 2, 3))) static void append(char sentence[GUESS_SIZE], const char *format, ...)
{
    size_t used = strlen(sentence);
    va_list list;
    va_start(list, format);
    vsnprintf(sentence + used, GUESS_SIZE - used, format, list);
    va_end(list);
}

/* "losers=line_product or product", where PyTorch and JAX come to the same by different ways. */
static void append_policy(const suspect *s, const cot_policy_info *policy, unsigned frameworks, const char *before)
{
    const char *said = NULL;
    for (int c = COT_CONVENTION_TORCH; c < FRAMEWORKS; c++) {
        const char *value = policy->values[policy->conventions[c]];
        if (!(frameworks >> c & 1) || (said && !strcmp(said, value)))
            continue;
        append(s->sentence, "%s%s%s", said ? " or " : before, said ? "" : policy->name, said ? "" : "=");
        append(s->sentence, "%s", value);
        said = value;
    }
}

/* "right for PyTorch and JAX (ties=split)" */
static void say_frameworks(const suspect *s, unsigned mask, unsigned frameworks)
{
    const cot_policy_info *policy;
    const char *before = "right for ";
    *s->sentence = 0;
    for (int c = COT_CONVENTION_TORCH; c < FRAMEWORKS; c++)
        if (frameworks >> c & 1) {
            append(s->sentence, "%s%s", before, framework_names[c]);
            before = " and ";
        }
    before = " (";
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (mask >> i & 1) {
            append_policy(s, policy, frameworks, before);
            before = ", ";
        }
    append(s->sentence, ")");
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
        if (frameworks) {
            say_frameworks(&s, 1u << i, frameworks);
            return 1;
        }
        for (*value = 0; policy->values[*value]; ++*value)
            if (*value != given && is_right(&s)) {
                snprintf(s.sentence, GUESS_SIZE, "it is right under the policy %s=%s", policy->name,
                         policy->values[*value]);
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
    say_frameworks(&s, mask, frameworks);
    return 1;
}

/* Conventions that are no framework's. */
static int guess_convention(suspect s)
{
    static const int ours[] = { COT_CONVENTION_SPEC, COT_CONVENTION_ACCURATE };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        cot_convention_policies((cot_convention)ours[i], &s.desc.policies);
        snprintf(s.sentence, GUESS_SIZE, "it is right under the convention %s",
                 convention_name((cot_convention)ours[i]));
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
    static int (*const guesses[])(suspect s) = { guess_policy, guess_frameworks, guess_convention, guess_direction,
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

int guess_headline(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, char line[HEADLINE_SIZE])
{
    char sentence[GUESS_SIZE];
    *line = 0;
    if (v->failed < ENOUGH_TO_GUESS || !guess_mistake(desc, views, sentence))
        return 0;
    snprintf(line, HEADLINE_SIZE, "differs from %s in %d of %lld cells; %s",
             cot_uses_spec_policies(desc->op, &desc->policies) ? "the spec" : "what was asked for", v->failed,
             (long long)(v->cells - v->unjudged_cells), sentence);
    return 1;
}

int guess_case(cot_backend *backend, const test_case *c, char line[HEADLINE_SIZE])
{
    problem p = { 0 };
    trial t = { 0 };
    cot_error error;
    verdict v;
    cot_view views[OPERANDS] = { { 0 } };
    int found = 0;
    if (!problem_make(&p, c) && !trial_run(&t, backend, &p, first_fill, &error)) {
        for (int o = COT_DY; o < OPERANDS; o++)
            if (p.tensors[o].memory || p.tensors[o].owner)
                views[o] = cot_is_output((cot_operand)o) ? trial_view(&t, (cot_operand)o) : p.tensors[o].view;
        found = !judge_views(&c->desc, views, &v) && guess_headline(&c->desc, views, &v, line);
    }
    trial_free(&t);
    problem_free(&p);
    return found;
}
