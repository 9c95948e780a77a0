/* The table of a run for a person: ops by element types, what was asked for alone, in the columns that a terminal has.
 */
#include "report.h"

#include <string.h>

enum { NAME_WIDTH = 13, GAP = 3, SQUARE = 40, MOST_OPS = 256 };

typedef struct table {
    const report *r;
    int ops[MOST_OPS], count;
    int elements[ELEMENTS], widths[ELEMENTS], columns; /* types that have a case, and the widest square of each */
} table;

/* "ok bits 0.82", "FAILED edges 34", "skipped"; "" where there was no case. */
static void square_text(const row *t, char text[SQUARE])
{
    *text = 0;
    if (t->failed)
        snprintf(text, SQUARE, "FAILED %s %lld", level_title((level)(t->reached + 1)), (long long)t->failed);
    else if (t->cases)
        snprintf(text, SQUARE, "ok %s %.*f%s", level_title((level)t->reached), t->worst > 0 ? 2 : 0, t->worst,
                 t->unsupported ? " *" : "");
    else if (t->unsupported)
        snprintf(text, SQUARE, "skipped");
}

static int has_cases(const row *t) { return t->cases || t->unsupported; }

static void find_rows(table *t)
{
    for (int op = 0; cot_op_at((size_t)op) && t->count < MOST_OPS; op++)
        for (int e = COT_F16; e <= COT_F64; e++)
            if (has_cases(tally_row(t->r->tally, op, (cot_element)e))) {
                t->ops[t->count++] = op;
                break;
            }
}

static void find_columns(table *t)
{
    for (int e = COT_F16; e <= COT_F64; e++) {
        int widest = 0;
        for (int i = 0; i < t->count; i++) {
            char text[SQUARE];
            square_text(tally_row(t->r->tally, t->ops[i], (cot_element)e), text);
            widest = (int)strlen(text) > widest ? (int)strlen(text) : widest;
        }
        if (widest) {
            t->elements[t->columns] = e;
            t->widths[t->columns++] = widest + 2;
        }
    }
}

static int width_of(const table *t, int from, int to)
{
    int width = NAME_WIDTH - 2;
    for (int c = from; c < to; c++)
        width += t->widths[c];
    return width;
}

/* How many columns from this one on fit; one at least. */
static int columns_that_fit(const table *t, int from)
{
    int to = from + 1;
    while (to < t->columns && width_of(t, from, to + 1) <= t->r->width)
        to++;
    return to - from;
}

/* The last square of a line is not padded. */
static void print_square(const table *t, int op, int column, int padded)
{
    const row *one = tally_row(t->r->tally, op, (cot_element)t->elements[column]);
    char text[SQUARE];
    square_text(one, text);
    const char *code = one->failed ? "\033[1;31m" : one->cases ? "\033[32m" : "\033[2m";
    printf("%s%s%s%*s", t->r->colour && *text ? code : "", text, t->r->colour && *text ? "\033[0m" : "",
           padded ? t->widths[column] - (int)strlen(text) : 0, "");
}

static void print_row(const table *t, int op, int from, int to, int padded)
{
    printf("%-*s", NAME_WIDTH, cot_op_at((size_t)op)->name);
    for (int c = from; c < to; c++)
        print_square(t, op, c, padded || c < to - 1);
}

static void print_heading(const table *t, int from, int to, int blocks)
{
    for (int b = 0; b < blocks; b++) {
        printf("%*s%-*s", b ? GAP - 2 : 0, "", NAME_WIDTH, "");
        for (int c = from; c < to; c++)
            printf("%-*s", b < blocks - 1 || c < to - 1 ? t->widths[c] : 0,
                   cot_element_name((cot_element)t->elements[c]));
    }
    putchar('\n');
}

/* Some of its columns; two blocks side by side where there is room for them. */
static void print_part(const table *t, int from, int to)
{
    int blocks = t->count > 1 && t->r->width >= 2 * width_of(t, from, to) + GAP ? 2 : 1;
    int height = (t->count + blocks - 1) / blocks;
    print_heading(t, from, to, blocks);
    for (int i = 0; i < height; i++) {
        int beside = i + height < t->count;
        print_row(t, t->ops[i], from, to, beside);
        if (beside) {
            printf("%*s", GAP - 2, "");
            print_row(t, t->ops[i + height], from, to, 0);
        }
        putchar('\n');
    }
}

void print_table(const report *r)
{
    table t = { .r = r };
    find_rows(&t);
    find_columns(&t);
    for (int from = 0, fit; from < t.columns; from += fit) {
        fit = columns_that_fit(&t, from);
        print_part(&t, from, from + fit);
    }
    if (t.columns)
        printf("%sok: the level that all cases reached, of edges < bound < stable < invariant <\n"
               "bits, and the worst error / bound. FAILED: the lowest that fails, and its cases.%s\n\n",
               r->colour ? "\033[2m" : "", r->colour ? "\033[0m" : "");
}
