/* What judge says: a verdict as lines of text, and as one JSON object that has these lines among its values. */
#include "judge_say.h"
#include "cli.h"
#include "conformance/case/problem.h"
#include "conformance/case/told.h"
#include "conformance/clause/clauses.h"
#include "conformance/judge/guess.h"
#include "conformance/report/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- as text --------------------------------------------------------------------------------- */

static void print_number(FILE *to, const char *place, const char *name, cot_element element, double number)
{
    number_text t = strcmp(name, "want") ? describe_number(element, number) : describe_want(element, number);
    fprintf(to, "  %-12s %-5s %-24s %-24s bits %s\n", place, name, t.full, t.hex, t.bits);
}

static void print_cell(FILE *to, const verdict *v)
{
    char place[128];
    describe_place(v, place, sizeof place);
    print_number(to, place, "got", v->element, v->got);
    print_number(to, "", "want", v->element, v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1)
            print_number(to, "", cot_operand_name((cot_operand)o), v->element, v->inputs[o]);
}

static void print_clause(FILE *to, const char *id)
{
    const clause *c = clause_find(id);
    if (c)
        fprintf(to, "  %s: %s\n", c->id, c->text);
}

/* What an output that was not written looks like. */
typedef struct looks {
    int64_t cells, nan, zero;
} looks;

static looks look_at(const cot_view *view)
{
    looks l = { .cells = cell_count(view) };
    for (int64_t i = 0; i < l.cells; i++) {
        double value = cell_value(view, i);
        l.nan += isnan(value);
        l.zero += value == 0;
    }
    return l;
}

/* What may help whoever looks for the mistake: a sentence each. */
typedef struct hints {
    int count;
    char line[6][GUESS_SIZE];
} hints;

static void add_hint(hints *h, const char *sentence)
{
    if (sentence && *sentence && h->count < (int)(sizeof h->line / sizeof *h->line))
        snprintf(h->line[h->count++], sizeof *h->line, "%s", sentence);
}

static void add_unwritten(hints *h, cot_operand o, const cot_view *view, const verdict *v)
{
    char sentence[GUESS_SIZE];
    looks l = look_at(view);
    int alike = l.cells > 1 && (l.nan == l.cells ? isnan(v->got) : l.zero == l.cells && v->got == 0);
    if (!alike || v->operand != o || 2 * (int64_t)v->failed < l.cells) /* it is right in most */
        return;
    snprintf(sentence, sizeof sentence, "every cell of %s is %s: was it written?", cot_operand_name(o),
             l.nan == l.cells ? "NaN" : "0");
    add_hint(h, sentence);
}

static void add_hints(hints *h, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            add_unwritten(h, (cot_operand)o, &views[o], v);
    add_hint(h, describe_cure(v));
    if (v->taken)
        add_hint(h, v->taken == SUM_HALVED ? "the line is right for half of its sum"
                                           : "the line is right without its sum");
    if (v->operand && v->got == -v->want && v->got != 0)
        add_hint(h, "got is want with its sign turned");
    if (isnan(v->got) && v->reason == REASON_EDGE && isfinite(v->want))
        add_hint(h, "a NaN where the clause gives a number: it came in from elsewhere, or the cell was not written");
}

static void print_hints(FILE *to, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    hints h = { 0 };
    add_hints(&h, desc, views, v);
    for (int i = 0; i < h.count; i++)
        fprintf(to, "  %s\n", h.line[i]);
}

/* First of all: what a wrong result is right for, where it is right for anything. */
static void print_headline(FILE *to, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    char line[HEADLINE_SIZE];
    headline h;
    if (!guess_headline(desc, views, v, &h))
        return;
    describe_headline(&h, line);
    fprintf(to, "%s\n", line);
}

/* Before anything else: what the verdict says nothing of. */
static void print_unjudged(FILE *to, const char *op, const verdict *v)
{
    if (!v->unjudged_cells)
        return;
    fprintf(to, "%lld of %lld cells of %s's gradient were NOT judged:\n", (long long)v->unjudged_cells,
            (long long)v->cells, op);
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (v->unjudged[i])
            fprintf(to, "  %lld: %s (%s)\n", (long long)v->unjudged[i], unjudged_at((unjudged_reason)i)->sentence,
                    unjudged_at((unjudged_reason)i)->clause);
    if (verdict_unexplained(v))
        fprintf(to, "  %lld: no clause says why\n", (long long)verdict_unexplained(v));
}

/* `accepted`: the share of cells that may stay without a ruling. */
static int say_right(FILE *to, const char *op, const verdict *v, double accepted)
{
    int64_t judged = v->cells - v->unjudged_cells;
    print_unjudged(to, op, v);
    if (judged || !v->cells)
        fprintf(to, "right: %s%lld cells of %s's gradient", v->unjudged_cells ? "the other " : "", (long long)judged,
                op);
    if (judged)
        fprintf(to, ", %lld edges exact, the others within their bounds (worst error/bound %.2g)",
                (long long)v->edge_cells, v->worst);
    if (judged && v->graded_cells)
        fprintf(to, "; as good as a sum in the order %s", grade_name(grade_of(v->graded)));
    if (judged && v->open_cells)
        fprintf(to, "; %lld where an intermediate leaves the range, and several results are right",
                (long long)v->open_cells);
    if (judged || !v->cells)
        fputs("\n", to);
    return (double)v->unjudged_cells <= accepted * (double)v->cells ? EXIT_GOOD : EXIT_UNJUDGED;
}

static const char *what_is_wrong(const verdict *v)
{
    switch (v->reason) {
    case REASON_EDGE: return "an edge that the clause decides";
    case REASON_OPEN: return "where an intermediate leaves the range";
    case REASON_SUM: return "further off than rounding takes sums of these numbers, in any order";
    default: return "further from the exact value than its bound";
    }
}

static int say_wrong(FILE *to, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    char rest[WHY_SIZE];
    print_headline(to, desc, views, v);
    print_unjudged(to, cot_op_get(desc->op)->name, v);
    fprintf(to, "WRONG: %d of %lld cells of %s's gradient; the first, %s:\n", v->failed,
            (long long)(v->cells - v->unjudged_cells), cot_op_get(desc->op)->name, what_is_wrong(v));
    print_cell(to, v);
    describe_rest(v, rest);
    if (*rest)
        fprintf(to, "  %s\n", rest);
    describe_pattern(v, rest);
    if (*rest)
        fprintf(to, "  %s\n", rest);
    print_clause(to, v->clause);
    print_hints(to, desc, views, v);
    return EXIT_FAILED;
}

int say_text(FILE *to, const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v, double accepted)
{
    return v->failed ? say_wrong(to, desc, views, v) : say_right(to, cot_op_get(desc->op)->name, v, accepted);
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static void json_pair(const char *key, const char *value)
{
    printf(", \"%s\": ", key);
    value ? print_json_string(stdout, value) : (void)printf("null");
}

static void json_real(const char *key, double number)
{
    isfinite(number) ? printf(", \"%s\": %.17g", key, number) : printf(", \"%s\": null", key);
}

static void json_counts(const verdict *v)
{
    const char *comma = " ";
    printf(", \"cells\": %lld, \"wrong\": %d, \"edge_cells\": %lld, \"nan_cells\": %lld, \"open_cells\": %lld",
           (long long)v->cells, v->failed, (long long)v->edge_cells, (long long)v->nan_cells, (long long)v->open_cells);
    printf(", \"unjudged_cells\": %lld, \"unjudged\": {", (long long)v->unjudged_cells);
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (v->unjudged[i]) {
            printf("%s\"%s\": %lld", comma, unjudged_at((unjudged_reason)i)->name, (long long)v->unjudged[i]);
            comma = ", ";
        }
    printf(" }");
}

static void json_hints(const hints *h)
{
    printf(", \"hints\": [");
    for (int i = 0; i < h->count; i++) {
        printf("%s", i ? ", " : "");
        print_json_string(stdout, h->line[i]);
    }
    printf("]");
}

static void json_wrong(const cot_desc *desc, const cot_view views[OPERANDS], const verdict *v)
{
    const clause *broken = clause_find(v->clause);
    char where[WHY_SIZE], sentence[GUESS_SIZE];
    hints h = { 0 };
    guessed found;
    if (v->failed >= ENOUGH_TO_GUESS && guess_mistake(desc, views, &found)) {
        describe_guess(&found, sentence);
        add_hint(&h, sentence);
    }
    add_hints(&h, desc, views, v);
    json_pair("clause", broken ? broken->id : NULL);
    json_pair("clause_text", broken ? broken->text : NULL);
    describe_pattern(v, where);
    json_pair("where", where);
    print_json_cell(stdout, v);
    if (v->pattern.kind)
        print_json_pattern(stdout, &v->pattern);
    json_hints(&h);
}

/* Runs of marked cells, by the indices of the first and the last. */
static void json_runs(const unsigned char *marks, int64_t cells)
{
    const char *comma = "";
    for (int64_t first = 0, i = 0; i < cells; i++) {
        first = marks[i] && i && marks[i - 1] ? first : i;
        if (marks[i] && (i + 1 == cells || !marks[i + 1])) {
            printf("%s[%lld, %lld]", comma, (long long)first, (long long)i);
            comma = ", ";
        }
    }
}

static void json_marks(const cot_view views[OPERANDS], unsigned char *const marks[OPERANDS])
{
    const char *comma = " ";
    printf(", \"wrong_cells\": {");
    for (int o = COT_DX; o < OPERANDS; o++)
        if (marks[o]) {
            printf("%s\"%s\": [", comma, cot_operand_name((cot_operand)o));
            json_runs(marks[o], cell_count(&views[o]));
            printf("]");
            comma = ", ";
        }
    printf(" }");
}

int say_json(const cot_desc *desc, const cot_view views[OPERANDS], unsigned char *const marks[OPERANDS],
             const verdict *v, double accepted)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return cli_fail(EXIT_FAILED, "out of memory");
    int status = say_text(to, desc, views, v, accepted);
    if (told_end(to, &text))
        return cli_fail(EXIT_FAILED, "out of memory");
    printf("{ \"format\": 1, \"op\": \"%s\", \"dtype\": \"%s\", \"right\": %s", cot_op_get(desc->op)->name,
           cot_element_name(desc->element), status == EXIT_GOOD ? "true" : "false");
    json_counts(v);
    json_real("worst", v->worst);
    json_real("worst_ulps", v->worst_ulps);
    json_pair("grade", v->graded_cells ? grade_name(grade_of(v->graded)) : NULL);
    if (v->failed)
        json_wrong(desc, views, v);
    if (marks)
        json_marks(views, marks);
    json_pair("text", text);
    puts(" }");
    free(text);
    return status;
}
