/* The failures of a run, for a person: each kind in full, then counts, then what was not checked. */
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "conformance/clause/clauses.h"
#include "report.h"

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

static void print_number(FILE *to, const char *prefix, const char *place, int width, const char *name,
                         cot_element element, double number)
{
    number_text t = strcmp(name, "want") ? describe_number(element, number) : describe_want(element, number);
    fprintf(to, "%s  %-*s %-4s %-23s %-23s bits %s\n", prefix, width, place, name, t.decimal, t.hex, t.bits);
}

/* The first wrong cell: what came out, what should have, and of what. */
static void print_cell(FILE *to, const char *prefix, const verdict *v)
{
    char place[64];
    if (v->operand == COT_NO_OPERAND)
        return;
    describe_place(v, place, sizeof place);
    int width = (int)strlen(place);
    print_number(to, prefix, place, width, "got", v->element, v->got);
    print_number(to, prefix, "", width, "want", v->element, v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1)
            print_number(to, prefix, "", width, cot_operand_name((cot_operand)o), v->element, v->inputs[o]);
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
    print_cell(to, prefix, v);
    print_reason(to, r, prefix, v);
}

static void print_group(const report *r, const char *prefix, const group *g)
{
    char id[CASE_ID_SIZE], least[CASE_ID_SIZE], text[2 * CASE_ID_SIZE + WHY_SIZE];
    case_print(&g->first.c, id);
    case_print(&g->least.c, least);
    printf("%s%sFAILED%s %s\n", prefix, r->colour ? "\033[1;31m" : "", r->colour ? "\033[0m" : "", id);
    print_clause(stdout, r, prefix, &g->first.v);
    describe_pattern(&g->first.v, text);
    if (*text)
        print_text(stdout, r, prefix, text);
    if (strcmp(id, least)) {
        snprintf(text, sizeof text, "shrunk to %s:", least);
        print_text(stdout, r, prefix, text);
    }
    print_cell(stdout, prefix, &g->least.v);
    print_reason(stdout, r, prefix, &g->least.v);
    if (g->count > 1)
        printf("%s  %lld cases of %s fail like this\n", prefix, (long long)g->count, cot_op_get(g->op)->name);
    describe_repeat(r, &g->least.c, text, sizeof text);
    printf("%s  repeat: %s\n%s\n", prefix, text, prefix);
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
        waiver_fault fault = *r->ended ? WAIVER_HOLDS : waiver_fault_of(r->waivers, one, r->whole);
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

void print_failures(const report *r, const char *prefix)
{
    const failures *f = &r->failures;
    for (int i = 0; i < f->group_count && i < GROUPS_IN_FULL; i++)
        print_group(r, prefix, &f->groups[i]);
    if (f->group_count > GROUPS_IN_FULL)
        printf("%sand failures of other kinds, cases each:\n", prefix);
    for (int i = GROUPS_IN_FULL; i < f->group_count; i++) {
        char id[CASE_ID_SIZE];
        case_print(&f->groups[i].first.c, id);
        printf("%s  %-12s %-18s %6lld, first %s\n", prefix, cot_op_get(f->groups[i].op)->name,
               clause_or(&f->groups[i].first.v), (long long)f->groups[i].count, id);
    }
    print_waivers(r, prefix);
    if (*r->ended)
        printf("%sNOT FINISHED: %s\n", prefix, r->ended);
    else
        print_holes(r, prefix);
}
