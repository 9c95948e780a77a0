/* What a wrong gradient is right for, in words. */
#include "conformance/case/words.h"
#include "describe.h"

#include <stdarg.h>
#include <string.h>

static const struct {
    cot_convention convention;
    const char *name;
} frameworks[] = { { COT_CONVENTION_TORCH, "PyTorch" }, { COT_CONVENTION_JAX, "JAX" } };
enum { FRAMEWORKS = sizeof frameworks / sizeof *frameworks };

static int is_for(const guessed *g, int framework) { return g->frameworks >> frameworks[framework].convention & 1; }

__attribute__((format(printf, 2, 3))) static void append(char sentence[GUESS_SIZE], const char *format, ...)
{
    size_t used = strlen(sentence);
    va_list list;
    va_start(list, format);
    vsnprintf(sentence + used, GUESS_SIZE - used, format, list);
    va_end(list);
}

/* "losers=line_product or product", where PyTorch and JAX come to the same by different ways. */
static void append_policy(const guessed *g, const cot_policy_info *policy, const char *before,
                          char sentence[GUESS_SIZE])
{
    const char *said = NULL;
    for (int f = 0; f < FRAMEWORKS; f++) {
        const char *value = policy->values[policy->conventions[frameworks[f].convention]];
        if (!is_for(g, f) || (said && !strcmp(said, value)))
            continue;
        append(sentence, "%s%s%s", said ? " or " : before, said ? "" : policy->name, said ? "" : "=");
        append(sentence, "%s", value);
        said = value;
    }
}

/* "right for PyTorch and JAX (ties=split)" */
static void say_frameworks(const guessed *g, char sentence[GUESS_SIZE])
{
    const cot_policy_info *policy;
    const char *before = "right for ";
    for (int f = 0; f < FRAMEWORKS; f++)
        if (is_for(g, f)) {
            append(sentence, "%s%s", before, frameworks[f].name);
            before = " and ";
        }
    before = " (";
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (g->policies >> i & 1) {
            append_policy(g, policy, before, sentence);
            before = ", ";
        }
    append(sentence, ")");
}

static void say_policy(const guessed *g, char sentence[GUESS_SIZE])
{
    const cot_policy_info *policy = cot_policy_at((size_t)g->policy);
    append(sentence, "it is right under the policy %s=%s", policy->name, policy->values[g->is]);
}

void describe_guess(const guessed *g, char sentence[GUESS_SIZE])
{
    *sentence = 0;
    switch (g->kind) {
    case GUESS_FRAMEWORKS: say_frameworks(g, sentence); break;
    case GUESS_POLICY: say_policy(g, sentence); break;
    case GUESS_CONVENTION:
        append(sentence, "it is right under the convention %s", convention_name((cot_convention)g->is));
        break;
    case GUESS_DIRECTION:
        append(sentence, "it is right for a forward scan that ran %s",
               g->is ? "from the end (reverse)" : "from the start");
        break;
    case GUESS_AXIS: append(sentence, "it is right along axis %d, and axis %d was asked for", g->is, g->asked); break;
    case GUESS_CORRECTION:
        append(sentence, "it is right with correction %d, and %d was asked for", g->is, g->asked);
        break;
    case GUESS_EXCHANGE: append(sentence, "it is right with da and db exchanged"); break;
    case GUESS_NOTHING:
    case GUESSES: break;
    }
}

void describe_headline(const headline *h, char line[HEADLINE_SIZE])
{
    char sentence[GUESS_SIZE];
    describe_guess(&h->guess, sentence);
    *line = 0;
    if (*sentence)
        snprintf(line, HEADLINE_SIZE, "differs from %s in %d of %lld cells; %s",
                 h->of_spec ? "the spec" : "what was asked for", h->wrong, (long long)h->judged, sentence);
}
