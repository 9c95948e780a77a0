/* Every reason has a sentence, with all of its fields filled in; the sentences of some, word for word. */
#include "conformance/tap/tap.h"
#include "describe.h"

#include <math.h>
#include <string.h>

/* A verdict that has something in every field. */
static verdict filled(reason why)
{
    verdict v = {
        .failed = 1, .reason = why, .failed_at = reason_at(why)->level, .operand = COT_DX, .element = COT_F32
    };
    v.rank = 2;
    v.index[1] = 3;
    v.got = 1.5;
    v.want = -2;
    v.ratio = 12.3456;
    v.count = 11;
    v.seconds = 60;
    v.reference.reason = REASON_BOUND;
    v.reference.got = 0.25;
    v.reference.want = 0.5;
    v.reference.ratio = 7;
    v.said = (cot_error){ .code = COT_INTERNAL, .operand = COT_X, .needed = 8, .got = 9, .message = "no luck" };
    v.wanted = (cot_error){ .code = COT_UNSUPPORTED, .operand = COT_DESC, .needed = 1, .got = 2 };
    strcpy(v.device, "a race");
    return v;
}

#define PAIR "got 1.5 (0x1.8p+0, bits 3fc00000), want -2 (-0x1p+1, bits c0000000)"

static const struct {
    reason why;
    const char *whole, *rest; /* NULL: the same */
} sentences[] = {
    { REASON_EDGE, PAIR, "" },
    { REASON_BOUND, PAIR ", error/bound 12.3", "error/bound 12.3" },
    { REASON_UNWRITTEN, "the cell was not written", NULL },
    { REASON_OTHER_RUN, "another run of the same call gives other bits: " PAIR,
      "another run of the same call gives other bits" },
    { REASON_SCALED, "dy times four: 1.5 became -2", NULL },
    { REASON_ADJOINT, "the adjoint identity, on integers: <u, dx> is 1.5, <J u, dy> -2", NULL },
    { REASON_REFERENCE_WRONG,
      "the backend that it must equal is itself wrong: got 0.25 (0x1p-2, bits 3e800000), want 0.5 (0x1p-1, bits "
      "3f000000), error/bound 7",
      NULL },
    { REASON_DAMAGE, "11 bytes that are not cells of an output were changed", NULL },
    { REASON_FAILED_CALL, "a good call: COT_INTERNAL: no luck", NULL },
    { REASON_REFUSAL,
      "wanted COT_UNSUPPORTED of desc, needed 1, got 2; it said COT_INTERNAL of x, needed 8, got 9: no luck", NULL },
    { REASON_REFUSAL_DETAIL, "wanted COT_UNSUPPORTED of desc, needed 1, got 2; it said needed 8, got 9: no luck",
      NULL },
    { REASON_DEVICE_REPORT, "the software device reports: a race", NULL },
    { REASON_FORWARD_EXACT, "dx[0,3]: " PAIR, "dx[0,3]" },
    { REASON_FORWARD_STATUS, "COT_INTERNAL, and not COT_UNSUPPORTED", NULL },
    { REASON_LATE, "no answer within 60 seconds: the process was ended", NULL },
    { REASON_DIED, "the process died of signal 11 (Segmentation fault)", NULL },
    { REASON_EXITED, "the process ended by itself, with status 11", NULL },
};

static void test_all(void)
{
    for (int i = REASON_NONE + 1; i < REASONS; i++) {
        char why[WHY_SIZE];
        verdict v = filled((reason)i);
        describe_why(&v, why);
        if (!ok(*why && !strpbrk(why, "{}") && reason_at((reason)i)->level < LEVELS, "%s has a sentence",
                reason_at((reason)i)->name))
            diag("%s", why);
        ok(*clause_or(&v) && *describe_no_clause(&v), "and something to say where no clause is broken");
    }
    ok(!reason_at(REASON_NONE) && !reason_at(REASONS), "there are no others");
}

static void test_sentences(void)
{
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++) {
        char text[WHY_SIZE];
        verdict v = filled(sentences[i].why);
        describe_why(&v, text);
        is(text, sentences[i].whole, "%s, whole", reason_at(v.reason)->name);
        describe_rest(&v, text);
        is(text, sentences[i].rest ? sentences[i].rest : sentences[i].whole, "and below its numbers");
        v.operand = COT_NO_OPERAND;
        describe_rest(&v, text);
        if (!sentences[i].rest)
            is(text, sentences[i].whole, "and without any");
    }
}

/* Where wrong cells lie: of 40 lines of 2,048 cells. */
static const struct {
    pattern p;
    cot_operand operand;
    const char *text;
} places[] = {
    { { .kind = PATTERN_ONE, .wrong = 1, .cells = 81920 }, COT_DX, "this is the only wrong cell of 81920" },
    { { .kind = PATTERN_ONE, .wrong = 1, .cells = 1 }, COT_DX, "" },
    { { .kind = PATTERN_ALL, .wrong = 9, .cells = 9 }, COT_DX, "all 9 cells are wrong" },
    { { .kind = PATTERN_OUTPUT, .wrong = 9, .cells = 9 }, COT_DB, "every cell of db is wrong, and none of da" },
    { { .kind = PATTERN_FROM, .wrong = 40, .cells = 99, .from = 36, .n = 900 },
      COT_DX,
      "wrong are 40 of 99 cells: in every line all from index 36 on" },
    { { .kind = PATTERN_FROM, .wrong = 40, .cells = 99, .from = 1024, .n = 2048 },
      COT_DX,
      "wrong are 40 of 99 cells: in every line all from index 1024 on, in the last tile of 1,024" },
    { { .kind = PATTERN_FROM, .wrong = 40, .cells = 99, .from = 64, .n = 80 },
      COT_DX,
      "wrong are 40 of 99 cells: in every line all from index 64 on, in the last segment of 32" },
    { { .kind = PATTERN_UP_TO, .wrong = 40, .cells = 99, .to = 4, .n = 80 },
      COT_DX,
      "wrong are 40 of 99 cells: in every line all up to index 4" },
    { { .kind = PATTERN_EVERY, .wrong = 40, .cells = 99, .from = 31, .step = 32, .n = 900 },
      COT_DX,
      "wrong are 40 of 99 cells: in every line those at index 31, 63, 95, ..." },
    { { .kind = PATTERN_COLUMN, .wrong = 40, .cells = 99, .from = 7, .to = 7, .n = 8 },
      COT_DX,
      "wrong are 40 of 99 cells: all at index 7 along the line, the last" },
    { { .kind = PATTERN_LINE, .wrong = 40, .cells = 99, .line = 2, .last_line = 2, .lines = 40 },
      COT_DX,
      "wrong are 40 of 99 cells: all in one line, number 3 of 40" },
    { { .kind = PATTERN_LINES, .wrong = 40, .cells = 99, .line = 64, .last_line = 99, .lines = 100 },
      COT_DX,
      "wrong are 40 of 99 cells: all of the lines from number 65 of 100 on" },
    { { .kind = PATTERN_LINES, .wrong = 40, .cells = 99, .line = 64, .last_line = 70, .lines = 100 },
      COT_DX,
      "wrong are 40 of 99 cells: all of the lines from number 65 to 71 of 100" },
    { { .kind = PATTERN_EVERY_LINE, .wrong = 40, .cells = 99, .line = 1, .stride = 2, .lines = 100 },
      COT_DX,
      "wrong are 40 of 99 cells: all of every 2nd line, from number 2 of 100 on" },
    { { .kind = PATTERN_RANGE, .wrong = 40, .cells = 99, .first = 59, .last = 98 },
      COT_DX,
      "wrong are 40 of 99 cells: all from number 60 on, in row-major order" },
    { { .kind = PATTERN_RANGE, .wrong = 40, .cells = 99, .first = 9, .last = 48 },
      COT_DX,
      "wrong are 40 of 99 cells: all from number 10 to 49, in row-major order" },
    { { .kind = PATTERN_TAIL, .wrong = 40, .cells = 99, .from = 1030, .n = 1060 },
      COT_DX,
      "wrong are 40 of 99 cells: none before index 1030 of its line, in the last tile of 1,024" },
    { { .kind = PATTERN_WITHIN, .wrong = 40, .cells = 99, .line = 10, .last_line = 19, .lines = 100 },
      COT_DX,
      "wrong are 40 of 99 cells: only in lines from number 11 to 20 of 100" },
    { { .kind = PATTERN_OTHER, .wrong = 40, .cells = 99 }, COT_DX, "wrong are 40 of 99 cells" },
};

static void test_patterns(void)
{
    unsigned seen = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        char text[WHY_SIZE];
        verdict v = { .operand = places[i].operand, .pattern = places[i].p };
        describe_pattern(&v, text);
        is(text, places[i].text, "a pattern: %s", pattern_name(places[i].p.kind));
        seen |= 1u << places[i].p.kind;
    }
    ok(seen == (1u << PATTERNS) - 2, "every pattern has its sentence");
}

static void test_cure(void)
{
    verdict v = { .operand = COT_DX, .clause = "FOLD-MISSING", .got = 0.0, .want = -0.0 };
    ok(describe_cure(&v) && strstr(describe_cure(&v), "start the sum at -0.0, or with its first term"),
       "a sum that starts at +0 is cured by a start at -0");
    strcpy(v.clause, "SCAN-ORDER");
    ok(describe_cure(&v) != NULL, "so is a scan");
    v.got = -1;
    ok(!describe_cure(&v), "another number is not");
    strcpy(v.clause, "ARITH-ZERO");
    v.got = 0;
    ok(!describe_cure(&v), "nor a zero that is no sum");
}

static void test_nan(void)
{
    char text[WHY_SIZE];
    verdict v = filled(REASON_EDGE);
    v.want = -(double)NAN;
    describe_why(&v, text);
    is(text, "got 1.5 (0x1.8p+0, bits 3fc00000), want nan (any)", "any NaN will do");
    is(describe_want(COT_F32, -(double)NAN).decimal, "nan (any)", "where it is printed alone, too");
    is(describe_want(COT_F32, 0.5).decimal, "0.5", "a number is that number");
    v = filled(REASON_SCALED);
    v.got = copysign((double)NAN, -1);
    describe_why(&v, text);
    is(text, "dy times four: nan became -2", "a NaN has no sign in any sentence");
}

static void test_numbers(void)
{
    number_text half = describe_number(COT_F16, 0.0999755859375), nan = describe_number(COT_F32, -(double)NAN);
    is(half.decimal, "0.099976", "a half in the digits that tell halves apart");
    is(half.full, "0.0999755859375", "in all its digits");
    is(half.hex, "0x1.998p-4", "in hexadecimal");
    is(half.bits, "2e66", "and as bits");
    is(nan.decimal, "nan", "a NaN has no sign");
    is(nan.hex, "nan", "in no notation");
    is(describe_number(COT_F32, 0.1).decimal, "0.10000000000000001", "what the type does not have is shown in full");
}

static FILE *temporary(void)
{
    FILE *to = tmpfile();
    if (!to)
        BAIL_OUT("no temporary file");
    return to;
}

static void is_printed(FILE *to, const char *wanted, const char *name)
{
    char text[256] = "";
    rewind(to);
    text[fread(text, 1, sizeof text - 1, to)] = 0;
    fclose(to);
    is(text, wanted, "%s", name);
}

static void test_wrapping(void)
{
    FILE *to = temporary();
    print_wrapped(to, "one two  three four", 2, 12, "    ");
    is_printed(to, "one two\n    three\n    four\n", "words are broken at the width, and further lines indented");
}

/* What a terminal would break in the middle of a word, or between an option and its value. */
static const struct {
    const char *command;
    int column, width;
    const char *printed, *name;
} commands[] = {
    { "check --op max --shard 1/3", 2, 28, "check --op max --shard 1/3\n", "a command that fits is one line" },
    { "check --op max --shard 1/3", 3, 28, "check --op max \\\n    --shard 1/3\n", "else an option goes below" },
    { "check --op max --shard 1/3", 2, 20, "check --op max \\\n    --shard 1/3\n", "with room for the backslash" },
    { "check --op max --shard 1/3", 2, 17, "check \\\n    --op max \\\n    --shard 1/3\n", "or several do" },
    { "check --backend 'a --b' --op max", 0, 27, "check --backend 'a --b' \\\n    --op max\n",
      "what is in quotes stays whole" },
    { "check --case max/f32/5x37/1/contig/ties/7", 0, 20, "check \\\n    --case max/f32/5x37/1/contig/ties/7\n",
      "an id is never broken, however narrow it is" },
};

static void test_commands(void)
{
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
        FILE *to = temporary();
        print_command(to, commands[i].command, commands[i].column, commands[i].width);
        is_printed(to, commands[i].printed, commands[i].name);
    }
}

/* A tie, an exact product: the bound has no room for another number of the type. */
static void test_exact(void)
{
    char text[WHY_SIZE];
    verdict v = { .reason = REASON_BOUND, .element = COT_F32, .operand = COT_DX, .got = 1, .want = 2, .ratio = 7e44 };
    describe_rest(&v, text);
    is(text, "nothing is rounded here, so only that number will do", "a tie has no ratio");
    v.ratio = (double)INFINITY;
    describe_rest(&v, text);
    is(text, "nothing is rounded here, so only that number will do", "nor has what no bound is above");
    v.ratio = 0x1p24; /* the bound is half a unit in the last place */
    describe_rest(&v, text);
    is(text, "error/bound 1.68e+07", "a bound of half a unit has one");
    v.want = 0x1p-148, v.got = 0x1p-147, v.ratio = 2;
    describe_rest(&v, text);
    is(text, "error/bound 2", "and so has one of half the least number");
}

static void reads(guessed g, const char *sentence, const char *what)
{
    char text[GUESS_SIZE];
    describe_guess(&g, text);
    is(text, sentence, "%s", what);
}

static unsigned policy_bit(const char *name)
{
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (!strcmp(policy->name, name))
            return 1u << i;
    BAIL_OUT("no policy is called %s", name);
}

static void test_guesses(void)
{
    const unsigned torch = 1u << COT_CONVENTION_TORCH, jax = 1u << COT_CONVENTION_JAX;
    char line[HEADLINE_SIZE];
    headline h = { .of_spec = 1, .wrong = 36, .judged = 185, .guess.kind = GUESS_EXCHANGE };
    reads((guessed){ GUESS_FRAMEWORKS, policy_bit("ties"), torch | jax, 0, 0, 0 },
          "right for PyTorch and JAX (ties=split)", "a policy of two frameworks");
    reads((guessed){ GUESS_FRAMEWORKS, policy_bit("ties") | policy_bit("max_nan"), torch, 0, 0, 0 },
          "right for PyTorch (ties=split, max_nan=spread)", "two policies of one");
    reads((guessed){ GUESS_FRAMEWORKS, policy_bit("zeros"), torch | jax, 0, 0, 0 },
          "right for PyTorch and JAX (zeros=where_zero or exact)", "a policy that they have otherwise");
    reads((guessed){ GUESS_POLICY, .policy = 0, .is = 3 }, "it is right under the policy ties=last", "nobody's policy");
    reads((guessed){ GUESS_CONVENTION, .is = COT_CONVENTION_ACCURATE }, "it is right under the convention accurate",
          "a convention");
    reads((guessed){ GUESS_DIRECTION, .is = 1 }, "it is right for a forward scan that ran from the end (reverse)",
          "a direction");
    reads((guessed){ GUESS_DIRECTION, .is = 0 }, "it is right for a forward scan that ran from the start", "the other");
    reads((guessed){ GUESS_AXIS, .is = 0, .asked = 1 }, "it is right along axis 0, and axis 1 was asked for",
          "an axis");
    reads((guessed){ GUESS_CORRECTION, .is = 0, .asked = 1 }, "it is right with correction 0, and 1 was asked for",
          "a correction");
    reads((guessed){ .kind = GUESS_NOTHING }, "", "nothing");
    describe_headline(&h, line);
    is(line, "differs from the spec in 36 of 185 cells; it is right with da and db exchanged", "a headline");
    h.of_spec = 0;
    describe_headline(&h, line);
    is(line, "differs from what was asked for in 36 of 185 cells; it is right with da and db exchanged",
       "one under other policies");
    h.guess.kind = GUESS_NOTHING;
    describe_headline(&h, line);
    is(line, "", "none where nothing is right");
}

int main(void)
{
    plan(NO_PLAN);
    test_all();
    test_sentences();
    test_patterns();
    test_cure();
    test_nan();
    test_numbers();
    test_guesses();
    test_wrapping();
    test_commands();
    test_exact();
    return done_testing();
}
