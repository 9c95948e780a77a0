/* Reads the rows of a result into a tally, and its failures, waivers and holes. Somebody else's file may say anything:
 * a word that is not known is an error, and nothing is counted that has no place. */
#include "parts_row.h"
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "conformance/case/told.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 1 << 24 };

static int64_t count_at(const node *object, const char *key)
{
    double number = number_at(object, key, 0);
    return number >= 0 && number < 0x1p53 ? (int64_t)number : 0;
}

static double worst_at(const node *object, const char *key) { return number_at(object, key, (double)INFINITY); }

/* ---- names ----------------------------------------------------------------------------------- */

static int op_named(const char *name)
{
    for (int i = 0; cot_op_at((size_t)i); i++)
        if (!strcmp(cot_op_at((size_t)i)->name, name))
            return i;
    return -1;
}

static int generator_named(const char *name)
{
    for (int i = 0; generator_at(i); i++)
        if (!strcmp(generator_at(i)->name, name))
            return i;
    return -1;
}

static int layout_named(const char *name)
{
    for (int i = 0; layout_name((case_layout)i); i++)
        if (!strcmp(layout_name((case_layout)i), name))
            return i;
    return -1;
}

static int level_named(const char *name)
{
    for (int i = 0; i < LEVELS; i++)
        if (!strcmp(level_name((level)i), name))
            return i;
    return -1;
}

static reason reason_named(const char *name)
{
    for (int i = REASON_NONE + 1; i < REASONS; i++)
        if (!strcmp(reason_at((reason)i)->name, name))
            return (reason)i;
    return REASON_NONE;
}

unsigned parts_elements(const char *types)
{
    unsigned elements = 0;
    for (; *types; types += strspn(types, ",")) {
        char name[16];
        int length = (int)strcspn(types, ",");
        snprintf(name, sizeof name, "%.*s", length, types);
        elements |= cot_element_find(name) ? 1u << cot_element_find(name) : 0;
        types += length;
    }
    return elements;
}

/* ---- counts ---------------------------------------------------------------------------------- */

static row counts_of(const node *of)
{
    row t = { .cases = count_at(of, "cases"),
              .failed = count_at(of, "failed"),
              .waived = count_at(of, "waived"),
              .unsupported = count_at(of, "unsupported"),
              .refusals = count_at(of, "refusals"),
              .cells = count_at(of, "cells"),
              .edge_cells = count_at(of, "edge_cells"),
              .nan_cells = count_at(of, "nan_cells"),
              .bit_cells = count_at(of, "bit_cells"),
              .open_cells = count_at(of, "open_cells"),
              .unjudged_cells = count_at(of, "unjudged_cells"),
              .guard_bytes = count_at(of, "guard_bytes"),
              .statuses = count_at(of, "statuses"),
              .worst = worst_at(of, "worst"),
              .graded_cells = count_at(node_get(of, "graded"), "cells") };
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        t.unjudged[i] = count_at(node_get(of, "unjudged"), unjudged_at((unjudged_reason)i)->name);
    for (int g = 0; g < GRADES; g++)
        t.graded[g] = worst_at(node_get(of, "graded"), grade_name((grade)g));
    t.reached = !t.cases ? LEVELS : level_named(text_at(of, "level"));
    return t;
}

static const char *take_squares(tally *t, const node *generators, combination at, int not_done)
{
    for (const node *g = generators ? generators->child : NULL; g; g = g->next)
        for (const node *l = g->child; l; l = l->next) {
            int layout = layout_named(l->key);
            int64_t cases = count_at(g, l->key);
            if ((at.generator = generator_named(g->key)) < 0 || layout < 0)
                return "a row has a generator or layout that there is not";
            at.layout = (case_layout)layout;
            tally_add_square(t, &at, not_done ? (seen){ 1, 0, cases } : (seen){ 1, cases, 0 });
        }
    return NULL;
}

/* "0-3 5", as print_kinds wrote it. */
static const char *take_kinds(tally *t, const char *kinds, shape_gap at, seen more)
{
    for (char *end; *kinds; kinds = end + strspn(end, " ")) {
        long first = strtol(kinds, &end, 10), last = end > kinds && *end == '-' ? strtol(end + 1, &end, 10) : first;
        if (end == kinds || first < 0 || last < first || last >= shape_kinds())
            return "a row has a kind of shape that there is not";
        for (at.kind = (int)first; at.kind <= last; at.kind++)
            tally_add_shape(t, &at, more);
    }
    return NULL;
}

/* ---- failures -------------------------------------------------------------------------------- */

/* Memory for one more. */
static int grow(void **memory, int64_t *capacity, int64_t count, size_t each)
{
    if (count < *capacity)
        return 0;
    int64_t more = *capacity ? 2 * *capacity : 16;
    void *grown = more < MOST_LISTED ? realloc(*memory, (size_t)more * each) : NULL;
    if (!grown)
        return -1;
    *memory = grown;
    *capacity = more;
    return 0;
}

static char *told_as(const char *id, const char *why, int why_length, const char *repeat)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return NULL;
    fprintf(to, "\"shrunk\": ");
    print_json_string(to, id);
    fprintf(to, ", %.*s, \"repeat\": ", why_length, why);
    print_json_string(to, repeat);
    told_end(to, &text);
    return text;
}

/* From "shrunk" up to what "repeat" says; and, where the case itself is told as well, the same about that: the words
 * inside its braces, and the command with its own id. */
static void take_told(part_miss *m, const char *text, const node *failure)
{
    static const char key[] = "\"shrunk\": ";
    const node *shrunk = node_get(failure, "shrunk"), *repeat = node_get(failure, "repeat");
    const node *itself = node_get(failure, "itself");
    const char *least = node_text(shrunk), *id = text_at(failure, "id");
    char command[1024 + CASE_ID_SIZE];
    if (!shrunk || !repeat || repeat->to < shrunk->from || shrunk->from < sizeof key)
        return;
    size_t from = shrunk->from - (sizeof key - 1);
    m->told = strndup(text + from, repeat->to - from);
    if (!itself || itself->to - itself->from < 4 || strlen(node_text(repeat)) < strlen(least))
        return;
    snprintf(command, sizeof command, "%.*s%s", (int)(strlen(node_text(repeat)) - strlen(least)), node_text(repeat),
             id);
    m->itself = told_as(id, text + itself->from + 2, (int)(itself->to - itself->from) - 4, command);
}

static const char *take_failure(parts *p, const char *text, const node *failure)
{
    char why[CASE_ID_SIZE];
    const char *lost = text_at(failure, "lost");
    int at = level_named(text_at(failure, "level"));
    if (grow((void **)&p->miss, &p->miss_capacity, p->misses, sizeof *p->miss))
        return "it has more failures than memory can hold";
    part_miss *m = &p->miss[p->misses];
    *m = (part_miss){ .r = { .number = count_at(failure, "number") }, .asked = -1 };
    if (node_get(failure, "asked"))
        m->asked = count_at(failure, "asked");
    snprintf(m->right_for, sizeof m->right_for, "%s", text_at(failure, "right_for"));
    if (at < 0 || case_parse(text_at(failure, "id"), &m->r.c, why))
        return "a failure has no case or level";
    m->r.lost = !strcmp(lost, "died") ? LOST_DIED : !strcmp(lost, "late") ? LOST_LATE : 0;
    m->r.v = (verdict){ .failed = 1, .failed_at = (level)at, .reason = reason_named(text_at(failure, "reason")) };
    snprintf(m->r.v.clause, sizeof m->r.v.clause, "%s", text_at(failure, "clause"));
    take_told(m, text, failure);
    p->misses++;
    return NULL;
}

/* ---- a row ----------------------------------------------------------------------------------- */

static const char *take_row(parts *p, const char *text, const node *one)
{
    int op = op_named(text_at(one, "op"));
    cot_element element = cot_element_find(text_at(one, "dtype"));
    const node *failed = node_get(one, "failures"), *shapes = node_get(one, "shapes");
    const char *wrong = NULL;
    if (op < 0 || !element)
        return "a row is of no op and type";
    row counts = counts_of(one);
    tally_add_row(p->r.tally, op, element, &counts);
    const combination square = { .op = op, .element = element };
    const shape_gap shape = { .op = op, .element = element };
    wrong = take_squares(p->r.tally, node_get(one, "judged"), square, 0);
    wrong = wrong ? wrong : take_squares(p->r.tally, node_get(one, "undone"), square, 1);
    wrong = wrong ? wrong : take_kinds(p->r.tally, text_at(shapes, "judged"), shape, (seen){ 1, 1, 0 });
    wrong = wrong ? wrong : take_kinds(p->r.tally, text_at(shapes, "undone"), shape, (seen){ 1, 0, 1 });
    for (const node *f = failed ? failed->child : NULL; f && !wrong; f = f->next)
        wrong = take_failure(p, text, f);
    return wrong;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* "op/dtype/layout/generator", or "op/dtype/shape". */
static const char *take_hole(tally *t, const char *text, int is_shape)
{
    char op[40], dtype[16], layout[40], name[SHAPE_NAME_SIZE];
    int length = 0;
    if (sscanf(text, "%39[^/]/%15[^/]/%n", op, dtype, &length) != 2 || !length || op_named(op) < 0
        || !cot_element_find(dtype))
        return "a hole is of no op and type";
    combination at = { .op = op_named(op), .element = cot_element_find(dtype) };
    for (int k = 0; is_shape && k < shape_kinds(); k++) {
        shape_name(k, name);
        if (!strcmp(name, text + length))
            return tally_add_shape(t, &(shape_gap){ at.op, at.element, k }, (seen){ .promised = 1 }), NULL;
    }
    snprintf(layout, sizeof layout, "%.*s", (int)strcspn(text + length, "/"), text + length);
    const char *numbers = strchr(text + length, '/');
    if (is_shape || !numbers || (at.generator = generator_named(numbers + 1)) < 0 || layout_named(layout) < 0)
        return "a hole is of no layout, generator or shape";
    at.layout = (case_layout)layout_named(layout);
    tally_add_square(t, &at, (seen){ .promised = 1 });
    return NULL;
}

static const char *take_holes(tally *t, const node *of, int is_shape)
{
    const node *holes = node_get(of, "holes");
    const char *wrong = NULL;
    for (const node *hole = holes ? holes->child : NULL; hole && !wrong; hole = hole->next)
        wrong = take_hole(t, node_text(hole), is_shape);
    return wrong;
}

/* A reason that another part gave as well is counted there, and the first case of both is kept. */
static const char *take_undone(parts *p, const node *one)
{
    char id[CASE_ID_SIZE];
    part_undone more = { .number = count_at(one, "number"), .count = count_at(one, "cases") };
    snprintf(more.why, sizeof more.why, "%s", text_at(one, "why"));
    if (case_parse(text_at(one, "first"), &more.first, id) || more.count > MOST_LISTED)
        return "a case that the backend does not do is none";
    for (int64_t i = 0; i < p->undones; i++)
        if (!strcmp(p->undone[i].why, more.why)) {
            int64_t count = p->undone[i].count + more.count;
            if (more.number < p->undone[i].number)
                p->undone[i] = more;
            p->undone[i].count = count;
            return NULL;
        }
    if (grow((void **)&p->undone, &p->undone_capacity, p->undones, sizeof *p->undone))
        return "out of memory";
    p->undone[p->undones++] = more;
    return NULL;
}

static const char *take_waiver(parts *p, const node *one, int place)
{
    const node *expired = node_get(one, "expired");
    waiver w = { .line = (int)count_at(one, "line"), .named = count_at(one, "named"), .used = count_at(one, "used") };
    w.expired = expired && expired->kind == NODE_TRUE;
    snprintf(w.glob, sizeof w.glob, "%s", text_at(one, "cases"));
    snprintf(w.clause, sizeof w.clause, "%s", text_at(one, "clause"));
    snprintf(w.until, sizeof w.until, "%s", text_at(one, "until"));
    snprintf(w.reason, sizeof w.reason, "%s", text_at(one, "reason"));
    if (p->got == 1) {
        waiver *more = realloc(p->known.at, (size_t)(place + 1) * sizeof *more);
        if (!more)
            return "out of memory";
        p->known.at = more;
        p->known.at[p->known.count++] = w;
        return NULL;
    }
    waiver *here = place < p->known.count ? &p->known.at[place] : NULL;
    if (!here || strcmp(here->glob, w.glob) || strcmp(here->clause, w.clause) || strcmp(here->until, w.until)
        || strcmp(here->reason, w.reason) || here->line != w.line)
        return "it was run with other waivers";
    here->named += w.named;
    here->used += w.used;
    here->expired |= w.expired;
    return NULL;
}

static const char *take_waivers(parts *p, const node *list)
{
    const char *wrong = NULL;
    int place = 0;
    for (const node *one = list ? list->child : NULL; one && !wrong; one = one->next)
        wrong = take_waiver(p, one, place++);
    return wrong || place == p->known.count ? wrong : "it was run with other waivers";
}

const char *parts_take_rows(parts *p, const char *text, const node *top)
{
    const node *rows = node_get(top, "rows"), *not_done = node_get(top, "not_done");
    const char *wrong = NULL;
    for (const node *one = rows->child; one && !wrong; one = one->next)
        wrong = take_row(p, text, one);
    for (const node *one = not_done ? not_done->child : NULL; one && !wrong; one = one->next)
        wrong = take_undone(p, one);
    wrong = wrong ? wrong : take_holes(p->r.tally, node_get(top, "coverage"), 0);
    wrong = wrong ? wrong : take_holes(p->r.tally, node_get(top, "shapes"), 1);
    return wrong ? wrong : take_waivers(p, node_get(top, "waivers"));
}
