/* What a worker sends is believed only where it can be an answer. */
#include "conformance/tap/tap.h"
#include "sound.h"

#include <string.h>

static answer good_answer(void)
{
    answer a;
    memset(&a, 0, sizeof a);
    a.v.cells = 9;
    a.v.edge_cells = 3;
    a.v.reached = LEVEL_X;
    return a;
}

/* Each makes an answer what no worker sends. */
static void status(answer *a) { a->status = (cot_status)99; }
static void level_of(answer *a) { a->v.reached = LEVELS; }
static void level_below(answer *a) { a->v.failed_at = (level)-1; }
static void no_reason(answer *a) { a->v.failed = 1; }
static void no_failure(answer *a) { a->v.reason = REASON_EDGE; }
static void reason_past(answer *a) { a->v.failed = 1, a->v.reason = REASONS; }
static void endless_clause(answer *a) { memset(a->v.clause, 'A', sizeof a->v.clause); }
static void endless_device(answer *a) { memset(a->v.device, 'A', sizeof a->v.device); }
static void endless_message(answer *a) { memset(a->v.said.message, 'A', sizeof a->v.said.message); }
static void operand(answer *a) { a->v.operand = (cot_operand)OPERANDS; }
static void element(answer *a) { a->v.element = (cot_element)77; }
static void rank(answer *a) { a->v.rank = COT_MAX_RANK + 1; }
static void below_zero(answer *a) { a->v.rank = 1, a->v.index[0] = -1; }
static void kind(answer *a) { a->v.pattern.kind = PATTERNS; }
static void negative(answer *a) { a->v.cells = -1; }
static void more_edges(answer *a) { a->v.edge_cells = 10; }
static void more_unjudged(answer *a) { a->v.unjudged_cells = 10; }
static void explained_twice(answer *a) { a->v.unjudged[0] = 1; }

static void guess_past(answer *a) { a->right_for.guess.kind = GUESSES; }
static void guess_less(answer *a) { a->right_for.judged = -1; }
static void guess_no_policy(answer *a) { a->right_for.guess = (guessed){ .kind = GUESS_POLICY, .policy = 99 }; }
static void guess_no_value(answer *a) { a->right_for.guess = (guessed){ .kind = GUESS_POLICY, .is = 9 }; }
static void guess_no_convention(answer *a) { a->right_for.guess = (guessed){ .kind = GUESS_CONVENTION, .is = 4 }; }

static const struct {
    const char *what;
    void (*spoil)(answer *a);
} spoils[] = {
    { "a status that there is not", status },
    { "a level past the last", level_of },
    { "a level before the first", level_below },
    { "a failure without a reason", no_reason },
    { "a reason without a failure", no_failure },
    { "a reason that there is not", reason_past },
    { "a clause that does not end", endless_clause },
    { "a report that does not end", endless_device },
    { "a message that does not end", endless_message },
    { "an operand that there is not", operand },
    { "an element that there is not", element },
    { "a rank above 8", rank },
    { "an index below 0", below_zero },
    { "a pattern that there is not", kind },
    { "a negative count", negative },
    { "more edges than cells", more_edges },
    { "more unjudged cells than cells", more_unjudged },
    { "more reasons than unjudged cells", explained_twice },
    { "a guess that there is not", guess_past },
    { "one about less than no cell", guess_less },
    { "one under a policy that there is not", guess_no_policy },
    { "or under a value of it", guess_no_value },
    { "or under a convention", guess_no_convention },
};

int main(void)
{
    plan(NO_PLAN);
    answer a = good_answer();
    greeting hello = { .message = "" };
    ok(answer_is_sound(&a), "a good answer is believed");
    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        a = good_answer();
        spoils[i].spoil(&a);
        ok(!answer_is_sound(&a), "%s is not", spoils[i].what);
    }
    ok(greeting_is_sound(&hello), "a good greeting is believed");
    memset(hello.remark, 'A', sizeof hello.remark);
    ok(!greeting_is_sound(&hello), "one that does not end is not");
    return done_testing();
}
