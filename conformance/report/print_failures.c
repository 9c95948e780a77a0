/* The failures of a run, for a person: each kind in full, then counts, then what was not checked. */
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "conformance/clause/clauses.h"
#include "report.h"

#include <limits.h>
#include <string.h>

void describe_repeat(const report *r, const test_case *c, char *text, size_t size)
{
    char id[CASE_ID_SIZE];
    case_print(c, id);
    snprintf(text, size, "%s check%s --case %s", r->program, r->choices, id);
}

void describe_unjudged(const row *t, char *text, size_t size)
{
    int64_t rest = t->unjudged_cells;
    *text = 0;
    if (!rest)
        return;
    size_t used = (size_t)snprintf(text, size, "%.2g %% of the cells not judged",
                                   100.0 * (double)t->unjudged_cells / (double)(t->cells ? t->cells : 1));
    for (int i = 0; i < UNJUDGED_REASONS && used < size; i++)
        if (t->unjudged[i]) {
            used += (size_t)snprintf(text + used, size - used, "%s%lld %s", rest == t->unjudged_cells ? ": " : ", ",
                                     (long long)t->unjudged[i], unjudged_at((unjudged_reason)i)->sentence);
            rest -= t->unjudged[i];
        }
    if (rest && used < size)
        snprintf(text + used, size - used, "%s%lld for no reason that a clause allows",
                 rest == t->unjudged_cells ? ": " : ", ", (long long)rest);
}

/* Which ops have a grade: "cumsum f32 f64, var f32". */
static size_t name_graded(const tally *t, grade which, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int op = 0; cot_op_at((size_t)op); op++) {
        int named = 0;
        for (int e = COT_F16; e <= COT_F64 && used < size; e++) {
            const row *r = tally_row(t, op, (cot_element)e);
            if (!r->graded_cells || grade_of(r->graded) != which)
                continue;
            if (!named++)
                used +=
                    (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", cot_op_at((size_t)op)->name);
            if (used < size)
                used += (size_t)snprintf(text + used, size - used, " %s", cot_element_name((cot_element)e));
        }
    }
    return used;
}

void describe_grades(const tally *t, char *text, size_t size)
{
    char names[1024];
    size_t used = 0;
    *text = 0;
    for (int g = 0; g <= GRADES && used < size; g++)
        if (name_graded(t, (grade)g, names, sizeof names))
            used += (size_t)snprintf(text + used, size - used, "%s%s: %s", used ? "; " : "sums as good as ",
                                     g < GRADES ? grade_name((grade)g) : "none of these, worse than any order", names);
}

int report_command_width(const report *r) { return !r->live ? INT_MAX : r->width > 40 ? r->width : 80; }

int report_is_good(const report *r)
{
    row total = tally_total(r->tally);
    return total.cases && !total.failed && !*r->ended && r->seen == r->planned && !tally_gaps(r->tally)
           && !(r->waivers && waivers_faults(r->waivers, r->whole));
}

/* ---- failures -------------------------------------------------------------------------------- */

/* A paragraph; what continues is indented. */
static void print_text(FILE *to, const report *r, const char *prefix, const char *text)
{
    char indent[32];
    snprintf(indent, sizeof indent, "%s    ", prefix);
    fprintf(to, "%s  ", prefix);
    print_wrapped(to, text, (int)strlen(prefix) + 2, r->width > 40 ? r->width : 80, indent);
}

/* The command: one line, but for a terminal that is too narrow for it. */
static void print_repeat(const report *r, const char *prefix, const test_case *c)
{
    char text[2 * CASE_ID_SIZE + 1024];
    int column = printf("%s  repeat: ", prefix);
    describe_repeat(r, c, text, sizeof text);
    print_command(stdout, text, column, report_command_width(r));
}

/* How the numbers of the wrong cell are laid out: the width of its name, and whether there is room for the
 * hexadecimal form, which their bits have too. */
typedef struct layout {
    int width, hex;
} layout;

enum { NUMBER_WIDTH = 23 };

static layout layout_of(const report *r, const char *prefix, const char *place, const number_text *got)
{
    int width = (int)strlen(place), around = (int)strlen(prefix) + 2 + 1 + 4 + 1 + NUMBER_WIDTH + 1 + NUMBER_WIDTH + 6;
    return (layout){ width, width + around + (int)strlen(got->bits) <= (r->width > 40 ? r->width : 80) };
}

static void print_number(FILE *to, const char *prefix, const char *place, layout how, const char *name,
                         const number_text *t)
{
    fprintf(to, "%s  %-*s %-4s %-*s ", prefix, how.width, place, name, NUMBER_WIDTH, t->decimal);
    if (how.hex)
        fprintf(to, "%-*s ", NUMBER_WIDTH, t->hex);
    fprintf(to, "bits %s\n", t->bits);
}

/* The first wrong cell: what came out, what should have, and of what. */
static void print_cell(FILE *to, const report *r, const char *prefix, const verdict *v)
{
    char place[64];
    if (v->operand == COT_NO_OPERAND)
        return;
    describe_place(v, place, sizeof place);
    number_text got = describe_number(v->element, v->got), want = describe_want(v->element, v->want);
    layout how = layout_of(r, prefix, place, &got);
    print_number(to, prefix, place, how, "got", &got);
    print_number(to, prefix, "", how, "want", &want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1) {
            number_text input = describe_number(v->element, v->inputs[o]);
            print_number(to, prefix, "", how, cot_operand_name((cot_operand)o), &input);
        }
}

/* What the reason adds to the numbers that stand above it, and a cure where one is known. */
static void print_reason(FILE *to, const report *r, const char *prefix, const verdict *v)
{
    char text[WHY_SIZE];
    describe_rest(v, text);
    if (*text)
        print_text(to, r, prefix, text);
    if (describe_cure(v))
        print_text(to, r, prefix, describe_cure(v));
}

static void print_clause(FILE *to, const report *r, const char *prefix, const verdict *v)
{
    char text[640];
    const clause *broken = clause_find(v->clause);
    const char *sentence = broken ? broken->text + v->sentence : NULL;
    if (broken)
        snprintf(text, sizeof text, "breaks %s (level %s, %s): %.*s", broken->id, level_name(v->failed_at),
                 level_title(v->failed_at), sentence_length(sentence), sentence);
    else
        snprintf(text, sizeof text, "%s", describe_no_clause(v));
    print_text(to, r, prefix, text);
}

void print_one_failure(FILE *to, const report *r, const char *prefix, const verdict *v)
{
    char text[WHY_SIZE];
    print_clause(to, r, prefix, v);
    describe_pattern(v, text);
    if (*text)
        print_text(to, r, prefix, text);
    print_cell(to, r, prefix, v);
    print_reason(to, r, prefix, v);
}

/* "sum 34, mean 32": cases, of every op in which the cause shows. */
static void describe_ops(const failures *f, int cause, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = cause; i >= 0 && used < size; i = failures_next_of_cause(f, i))
        used += (size_t)snprintf(text + used, size - used, "%s%s %lld", used ? ", " : "",
                                 cot_op_get(f->groups[i].op)->name, (long long)f->groups[i].count);
}

static int count_ops(const failures *f, int cause)
{
    int ops = 0;
    for (int i = cause; i >= 0; i = failures_next_of_cause(f, i))
        ops++;
    return ops;
}

/* "FAILED ARITH-NAN (edges) in 16 ops, cases: sum 34, mean 32", and what the clause says. */
static void print_cause(const report *r, const char *prefix, int cause)
{
    const verdict *v = &r->failures.groups[cause].first.v;
    const clause *broken = clause_find(v->clause);
    char ops[1024], text[1280], indent[32];
    int count = count_ops(&r->failures, cause);
    describe_ops(&r->failures, cause, ops, sizeof ops);
    if (count == 1)
        snprintf(text, sizeof text, "%s (%s), cases: %s", clause_or(v), level_title(v->failed_at), ops);
    else
        snprintf(text, sizeof text, "%s (%s) in %d ops, cases: %s", clause_or(v), level_title(v->failed_at), count,
                 ops);
    snprintf(indent, sizeof indent, "%s    ", prefix);
    printf("%s%sFAILED%s ", prefix, r->colour ? "\033[1;31m" : "", r->colour ? "\033[0m" : "");
    print_wrapped(stdout, text, (int)strlen(prefix) + 7, r->width > 40 ? r->width : 80, indent);
    if (broken)
        snprintf(text, sizeof text, "%.*s", sentence_length(broken->text + v->sentence), broken->text + v->sentence);
    print_text(stdout, r, prefix, broken ? text : describe_no_clause(v));
}

void describe_right_for(const group *g, char text[RIGHT_FOR_SIZE])
{
    char id[CASE_ID_SIZE], first[CASE_ID_SIZE];
    *text = 0;
    if (!*g->right_for)
        return;
    case_print(&g->told.c, id);
    case_print(&g->first.c, first);
    if (strcmp(id, first))
        snprintf(text, RIGHT_FOR_SIZE, "in %s it %s", id, g->right_for);
    else
        snprintf(text, RIGHT_FOR_SIZE, "%s", g->right_for);
}

/* A cause once more, in the smallest case found. */
void print_least(FILE *to, const report *r, const char *prefix, const group *g)
{
    char id[CASE_ID_SIZE], least[CASE_ID_SIZE], text[CASE_ID_SIZE + 128];
    case_print(&g->first.c, id);
    case_print(&g->least.c, least);
    if (strcmp(id, least)) {
        snprintf(text, sizeof text, "shrunk to %s:", least);
        print_text(to, r, prefix, text);
    }
    if (g->cut) {
        snprintf(text, sizeof text, "the search for a smaller case was ended after %g s, --timeout", r->patience);
        print_text(to, r, prefix, text);
    }
    print_cell(to, r, prefix, &g->least.v);
    print_reason(to, r, prefix, &g->least.v);
}

/* One cause, with the first case that it shows in. */
static void print_group(const report *r, const char *prefix, int cause)
{
    const group *g = &r->failures.groups[cause];
    char id[CASE_ID_SIZE], text[2 * CASE_ID_SIZE + WHY_SIZE];
    case_print(&g->first.c, id);
    print_cause(r, prefix, cause);
    snprintf(text, sizeof text, "first %s", id);
    print_text(stdout, r, prefix, text);
    describe_pattern(&g->first.v, text);
    if (*text)
        print_text(stdout, r, prefix, text);
    describe_right_for(g, text);
    if (*text)
        print_text(stdout, r, prefix, text);
    print_least(stdout, r, prefix, g);
    print_repeat(r, prefix, &g->least.c);
    printf("%s\n", prefix);
}

static void print_hole(void *self, const combination *hole)
{
    const char *prefix = self;
    printf("%s  %s %s %s %s\n", prefix, cot_op_at((size_t)hole->op)->name, cot_element_name(hole->element),
           generator_at(hole->generator)->name, layout_name(hole->layout));
}

static void print_shape_hole(void *self, const shape_gap *hole)
{
    const char *prefix = self;
    char name[SHAPE_NAME_SIZE];
    shape_name(hole->kind, name);
    printf("%s  %s %s %s\n", prefix, cot_op_at((size_t)hole->op)->name, cot_element_name(hole->element), name);
}

static void print_holes(const report *r, const char *prefix)
{
    if (tally_coverage(r->tally).holes)
        printf("%sHOLES: combinations of op, type, generator and layout that nothing was checked of:\n", prefix);
    tally_holes(r->tally, print_hole, (void *)prefix);
    if (tally_shapes(r->tally).holes)
        printf("%sHOLES: kinds of shapes, by op and type, that nothing was checked of:\n", prefix);
    tally_shape_holes(r->tally, print_shape_hole, (void *)prefix);
}

/* What was waived, and what is wrong with waivers. */
static void print_waivers(const report *r, const char *prefix)
{
    for (int i = 0; r->waivers && i < r->waivers->count; i++) {
        const waiver *one = &r->waivers->at[i];
        waiver_fault fault = *r->ended ? WAIVER_HOLDS : waiver_fault_of(one, r->whole);
        if (one->used)
            printf("%swaived until %s: %lld cases of %s, %s: %s\n", prefix, one->until, (long long)one->used, one->glob,
                   one->clause, one->reason);
        if (fault == WAIVER_EXPIRED)
            printf("%sWAIVER of line %d has expired on %s: %s %s\n", prefix, one->line, one->until, one->glob,
                   one->clause);
        else if (fault == WAIVER_UNUSED)
            printf("%sWAIVER of line %d is needed no more, nothing fails like that: %s %s\n", prefix, one->line,
                   one->glob, one->clause);
    }
}

static void print_other_cause(const report *r, const char *prefix, int cause)
{
    const verdict *v = &r->failures.groups[cause].first.v;
    char ops[1024], text[1280];
    describe_ops(&r->failures, cause, ops, sizeof ops);
    snprintf(text, sizeof text, "%s (%s): %s", clause_or(v), level_title(v->failed_at), ops);
    print_text(stdout, r, prefix, text);
}

void print_failures(const report *r, const char *prefix)
{
    const failures *f = &r->failures;
    int causes = 0;
    for (int i = 0; i < f->group_count; i++) {
        if (failures_cause(f, i) != i)
            continue;
        if (causes++ < CAUSES_IN_FULL) {
            print_group(r, prefix, i);
            continue;
        }
        if (causes == CAUSES_IN_FULL + 1)
            printf("%sand of other causes, cases:\n", prefix);
        print_other_cause(r, prefix, i);
    }
    print_waivers(r, prefix);
    if (*r->ended)
        printf("%sNOT FINISHED: %s\n", prefix, r->ended);
    else
        print_holes(r, prefix);
}
