/* A verdict in words: the sentences of reasons.def, with a verdict's numbers in them. */
#include "describe.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void describe_place(const verdict *v, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s[", cot_operand_name(v->operand));
    for (int d = 0; d < v->rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, d ? ",%d" : "%d", v->index[d]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

/* ---- fields ---------------------------------------------------------------------------------- */

typedef struct sentence {
    char *text;
    size_t used;
    const verdict *v;
    int whole; /* with what stands in brackets */
} sentence;

static __attribute__((format(printf, 2, 3))) void add(sentence *s, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int length = vsnprintf(s->text + s->used, WHY_SIZE - s->used, format, list);
    va_end(list);
    s->used += length < 0 ? 0 : (size_t)length;
    s->used = s->used < WHY_SIZE ? s->used : WHY_SIZE - 1;
}

static void add_pair(sentence *s)
{
    number_text got = describe_number(s->v->element, s->v->got), want = describe_number(s->v->element, s->v->want);
    add(s, "got %s (%s, bits %s), want ", got.full, got.hex, got.bits);
    if (isnan(s->v->want))
        add(s, "%s", describe_want(s->v->element, s->v->want).full);
    else
        add(s, "%s (%s, bits %s)", want.full, want.hex, want.bits);
}

static void add_place(sentence *s)
{
    char place[128];
    describe_place(s->v, place, sizeof place);
    add(s, "%s", place);
}

static void add_numbers(sentence *s, const cot_error *of)
{
    add(s, "needed %lld, got %lld", (long long)of->needed, (long long)of->got);
}

static void add_error(sentence *s, const cot_error *of)
{
    add(s, "%s of %s, ", cot_status_name(of->code), cot_operand_name(of->operand));
    add_numbers(s, of);
}

static void expand(sentence *s);

static void add_reference(sentence *s)
{
    verdict reference = *s->v;
    sentence inner = { s->text, s->used, &reference, 1 }; /* its numbers stand nowhere else */
    reference.reason = s->v->reference.reason;
    reference.got = s->v->reference.got;
    reference.want = s->v->reference.want;
    reference.ratio = s->v->reference.ratio;
    expand(&inner);
    s->used = inner.used;
}

static void add_number(sentence *s, double number) /* a NaN has no sign */
{
    add(s, "%.17g", isnan(number) ? (double)NAN : number);
}

static void add_got(sentence *s) { add_number(s, s->v->got); }
static void add_want(sentence *s) { add_number(s, s->v->want); }

/* Does the bound leave no room beside the wanted number? So it does at ties, and wherever nothing is rounded: how many
 * times as far off a number is says nothing then. */
static int is_exact(const verdict *v)
{
    static const int digits[] = { [COT_F16] = 11, [COT_BF16] = 8, [COT_F32] = 24, [COT_F64] = 53 };
    double bound = fabs(v->got - v->want) / v->ratio;
    return v->want != 0 && bound < ldexp(1, ilogb(v->want) - digits[v->element] - 10);
}

static void add_error_over_bound(sentence *s)
{
    if (is_exact(s->v))
        add(s, "nothing is rounded here, so only that number will do");
    else
        add(s, "error/bound %.3g", s->v->ratio);
}

static void add_count(sentence *s) { add(s, "%lld", (long long)s->v->count); }
static void add_signal(sentence *s) { add(s, "%d (%s)", (int)s->v->count, strsignal((int)s->v->count)); }
static void add_seconds(sentence *s) { add(s, "%g", s->v->seconds); }
static void add_status(sentence *s) { add(s, "%s", cot_status_name(s->v->said.code)); }
static void add_wanted_status(sentence *s) { add(s, "%s", cot_status_name(s->v->wanted.code)); }
static void add_message(sentence *s) { add(s, "%s", s->v->said.message); }
static void add_said(sentence *s) { add_error(s, &s->v->said); }
static void add_said_numbers(sentence *s) { add_numbers(s, &s->v->said); }
static void add_wanted(sentence *s) { add_error(s, &s->v->wanted); }
static void add_report(sentence *s) { add(s, "%s", s->v->device); }

static const struct {
    const char *name;
    void (*add)(sentence *s);
} fields[] = {
    { "pair", add_pair },
    { "place", add_place },
    { "got", add_got },
    { "want", add_want },
    { "error", add_error_over_bound },
    { "count", add_count },
    { "signal", add_signal },
    { "seconds", add_seconds },
    { "status", add_status },
    { "message", add_message },
    { "said", add_said },
    { "wanted", add_wanted },
    { "numbers", add_said_numbers },
    { "report", add_report },
    { "reference", add_reference },
    { "wanted_status", add_wanted_status },
};

/* "{name}": its length. A name that is none stays as it is. */
static size_t add_field(sentence *s, const char *from)
{
    size_t length = strcspn(from, "}");
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (strlen(fields[i].name) == length - 1 && !strncmp(fields[i].name, from + 1, length - 1)) {
            fields[i].add(s);
            return length + 1;
        }
    add(s, "{");
    return 1;
}

static void expand(sentence *s)
{
    const reason_info *why = reason_at(s->v->reason);
    for (const char *at = why ? why->sentence : ""; *at;) {
        if (*at == '{')
            at += add_field(s, at);
        else if (*at == '[' && !s->whole)
            at += strcspn(at, "]");
        else if (*at == '[' || *at == ']')
            at++;
        else
            add(s, "%c", *at++);
    }
}

/* ---- sentences ------------------------------------------------------------------------------- */

static void describe(const verdict *v, char text[WHY_SIZE], int whole)
{
    *text = 0;
    expand(&(sentence){ .text = text, .v = v, .whole = whole });
}

void describe_why(const verdict *v, char why[WHY_SIZE]) { describe(v, why, 1); }

void describe_rest(const verdict *v, char rest[WHY_SIZE]) { describe(v, rest, v->operand == COT_NO_OPERAND); }

const char *describe_cure(const verdict *v)
{
    int seed = !strcmp(v->clause, "FOLD-MISSING") || !strcmp(v->clause, "SCAN-ORDER");
    if (seed && v->operand && v->got == 0 && v->want == 0 && signbit(v->got) != signbit(v->want))
        return "only the sign of a zero is wrong: every term of the sum is -0.0, so start the sum at -0.0, or with its "
               "first term, and not at +0.0";
    return NULL;
}

static const struct {
    const char *name, *says;
} without_clause[] = {
    [FAULT_OF_BACKEND] = { "none", "no clause speaks of it: a call has to come back" },
    [FAULT_OF_NO_CHECK] = { "no check", "nothing was checked: a case passes by its checks" },
    [FAULT_OF_SUITE] = { "the suite", "not judged: the suite itself failed, and the backend was not being called" },
};

static fault_of fault(const verdict *v)
{
    const reason_info *why = reason_at(v->reason);
    return why ? why->fault : FAULT_OF_NO_CHECK;
}

const char *describe_no_clause(const verdict *v) { return without_clause[fault(v)].says; }

const char *clause_or(const verdict *v) { return *v->clause ? v->clause : without_clause[fault(v)].name; }
