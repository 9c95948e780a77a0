#include "clauses.h"
#include "generate.h"
#include "report.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* ---- numbers and places --------------------------------------------------------------------------------------------- */

number_text describe_number(cot_element element, double number)
{
    static const int digits[] = { [COT_F16] = 5, [COT_BF16] = 4, [COT_F32] = 9, [COT_F64] = 17 };
    union { uint64_t u8; uint32_t u4; uint16_t u2; unsigned char bytes[8]; } cell = { 0 };
    number_text t;
    cot_cell_set(element, cell.bytes, number);
    size_t size = cot_element_size(element);
    int exact = isnan(number) || cot_cell_get(element, cell.bytes) == number;
    snprintf(t.decimal, sizeof t.decimal, "%.*g", exact ? digits[element] : 17, number);
    snprintf(t.hex, sizeof t.hex, "%a", number);
    snprintf(t.bits, sizeof t.bits, "%0*" PRIx64, 2 * (int)size, size == 8 ? cell.u8 : size == 4 ? cell.u4 : cell.u2);
    return t;
}

void describe_cell_place(const verdict *v, int rank, char *text, size_t size)
{
    size_t used = (size_t)snprintf(text, size, "%s[", cot_operand_name(v->operand));
    for (int d = 0; d < rank && used < size; d++)
        used += (size_t)snprintf(text + used, size - used, d ? ",%d" : "%d", v->index[d]);
    if (used < size)
        snprintf(text + used, size - used, "]");
}

void describe_repeat(const report *r, const test_case *c, char *text, size_t size)
{
    char id[CASE_ID_SIZE];
    case_print(c, id);
    snprintf(text, size, "%s check%s --case %s", r->program, r->choices, id);
}

void first_sentence(const char *text, char *sentence, size_t size)
{
    const char *stop = strstr(text, ". ");
    size_t length = stop ? (size_t)(stop - text) + 1 : strlen(text);
    snprintf(sentence, size, "%.*s", (int)length, text);
}

/* Bytes that are not ASCII come from somebody else's message, in an encoding that nobody knows. */
static int readable(char c)
{
    return (unsigned char)c >= 32 && (unsigned char)c < 127;
}

void print_json_string(FILE *to, const char *text)
{
    putc('"', to);
    for (; *text; text++)
        !readable(*text) ? putc('?', to)
        : *text == '"' || *text == '\\' ? fprintf(to, "\\%c", *text)
                                        : putc(*text, to);
    putc('"', to);
}

void print_xml_string(FILE *to, const char *text)
{
    for (; *text; text++)
        *text == '<' ? fputs("&lt;", to) : *text == '>' ? fputs("&gt;", to) : *text == '&' ? fputs("&amp;", to)
        : *text == '"' ? fputs("&quot;", to) : putc(readable(*text) ? *text : '?', to);
}

int report_is_good(const report *r)
{
    row total = tally_total(r->tally);
    return total.cases && !total.failed && !*r->ended && r->seen == r->planned && !tally_coverage(r->tally).holes;
}

/* ---- failures ------------------------------------------------------------------------------------------------------- */

/* Breaks lines between words at the terminal's width; what continues is indented. */
static void print_wrapped(const report *r, const char *prefix, const char *text)
{
    int width = (r->width > 40 ? r->width : 80) - (int)strlen(prefix), used = 0;
    printf("%s  ", prefix);
    for (const char *word = text; *word;) {
        int length = (int)strcspn(word, " ");
        if (used && used + 1 + length > width - 2) {
            printf("\n%s    ", prefix);
            used = 2;
        } else if (used) {
            putchar(' ');
            used++;
        }
        printf("%.*s", length, word);
        used += length;
        word += length;
        word += strspn(word, " ");
    }
    putchar('\n');
}

static void print_number(const char *prefix, const char *place, int width, const char *name, cot_element element, double number)
{
    number_text t = describe_number(element, number);
    printf("%s  %-*s %-4s %-23s %-23s bits %s\n", prefix, width, place, name, t.decimal, t.hex, t.bits);
}

/* The first wrong cell: what came out, what should have, and of what. */
static void print_cell(const char *prefix, const result *least)
{
    const verdict *v = &least->v;
    const cot_desc *desc = &least->c.desc;
    char place[64];
    if (v->operand == COT_NO_OPERAND)
        return;
    describe_cell_place(v, desc->rank, place, sizeof place);
    int width = (int)strlen(place);
    print_number(prefix, place, width, "got", desc->element, v->got);
    print_number(prefix, "", width, "want", desc->element, v->want);
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1)
            print_number(prefix, "", width, cot_operand_name((cot_operand)o), desc->element, v->inputs[o]);
}

/* The judge's sentence, without the numbers that stand above it. */
static void print_reason(const report *r, const char *prefix, const verdict *v)
{
    char text[sizeof v->why];
    const char *got = strstr(v->why, "got "), *want = got ? strstr(got, "want ") : NULL, *after = want ? strchr(want, ')') : NULL;
    if (v->operand == COT_NO_OPERAND || !after)
        snprintf(text, sizeof text, "%s", v->why);
    else
        snprintf(text, sizeof text, "%.*s%s", (int)(got - v->why), v->why, after + 1 + strspn(after + 1, ", "));
    if (*text)
        print_wrapped(r, prefix, text);
}

static void print_clause(const report *r, const char *prefix, const group *g)
{
    char text[640], sentence[512] = "";
    const clause *broken = g->clause ? clause_find(g->clause) : NULL;
    if (broken)
        first_sentence(broken->text, sentence, sizeof sentence);
    if (broken)
        snprintf(text, sizeof text, "breaks %s (level %s): %s", g->clause, level_name(g->first.v.failed_at), sentence);
    else
        snprintf(text, sizeof text, "nothing was checked: a case passes by its checks");
    print_wrapped(r, prefix, text);
}

static void print_group(const report *r, const char *prefix, const group *g)
{
    char id[CASE_ID_SIZE], least[CASE_ID_SIZE], text[2 * CASE_ID_SIZE + 128];
    case_print(&g->first.c, id);
    case_print(&g->least.c, least);
    printf("%s%sFAILED%s %s\n", prefix, r->colour ? "\033[1;31m" : "", r->colour ? "\033[0m" : "", id);
    print_clause(r, prefix, g);
    if (strcmp(id, least)) {
        snprintf(text, sizeof text, "shrunk to %s:", least);
        print_wrapped(r, prefix, text);
    }
    print_cell(prefix, &g->least);
    print_reason(r, prefix, &g->least.v);
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
               f->groups[i].clause ? f->groups[i].clause : "no check", (long long)f->groups[i].count, id);
    }
    if (*r->ended)
        printf("%sNOT FINISHED: %s\n", prefix, r->ended);
    else if (tally_coverage(r->tally).holes) {
        printf("%sHOLES: combinations of op, type, generator and layout that nothing was checked of:\n", prefix);
        tally_holes(r->tally, print_hole, (void *)prefix);
    }
}
