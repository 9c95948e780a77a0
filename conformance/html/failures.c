/* Failing cells: what came out, what should have, of which operands, and where in the tensor the wrong cells lie. */
#include "html.h"
#include "conformance/clause/clauses.h"

#include <string.h>

/* ---- the picture ----------------------------------------------------------------------------- */

enum { BOXES = 64, BOX = 10 };

/* A box for each letter of an output's map: tall and red where a cell in it is wrong. */
static void print_strip(FILE *to, const node *output)
{
    const char *map = node_text(output);
    int boxes = (int)strnlen(map, BOXES);
    fprintf(to, "<svg role=\"img\" aria-label=\"where the wrong cells of ");
    html_text(to, output->key);
    fprintf(to, " lie\" viewBox=\"0 0 %d 14\" width=\"%d\">\n", boxes * BOX, boxes * BOX);
    for (int i = 0; i < boxes; i++) {
        int wrong = map[i] == '#';
        fprintf(to, "<rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>", wrong ? "wrong" : "cell",
                i * BOX, wrong ? 0 : 3, BOX - 1, wrong ? 12 : 6);
    }
    fprintf(to, "</svg>\n");
}

/* Outputs one after the other; two have their names. Results of before there were maps have the words alone. */
static void print_pattern(FILE *to, const node *p)
{
    const node *map = node_get(p, "map");
    int outputs = 0, full = 0;
    for (const node *output = map ? map->child : NULL; output && outputs < 2; output = output->next, outputs++) {
        if (node_count(map) > 1)
            fprintf(to, "<p class=\"quiet\">"), html_text(to, output->key), fprintf(to, "</p>\n");
        print_strip(to, output);
        full |= strlen(node_text(output)) >= BOXES;
    }
    fprintf(to, "<p class=\"quiet\">");
    html_member(to, p, "wrong");
    fprintf(to, " of ");
    html_member(to, p, "cells");
    fprintf(to, " cells wrong for this reason: ");
    html_member(to, p, "kind");
    fprintf(to, full ? "; a box is red where one of its cells is</p>\n" : "</p>\n");
}

/* Of the smallest case like it, and of the case itself where that is another. */
static void print_patterns(FILE *to, const node *failure)
{
    const node *itself = node_get(node_get(failure, "itself"), "pattern");
    if (node_get(failure, "pattern"))
        print_pattern(to, node_get(failure, "pattern"));
    if (itself) {
        fprintf(to, "<p>In the case itself, which <code>");
        html_member(to, failure, "shrunk");
        fprintf(to, "</code> is made of:</p>\n");
        print_pattern(to, itself);
    }
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void print_number(FILE *to, const char *name, const node *number)
{
    fprintf(to, "<tr><th scope=\"row\">");
    html_text(to, name);
    fprintf(to, "</th><td>");
    html_member(to, number, "decimal");
    fprintf(to, "</td><td><code>");
    html_member(to, number, "hex");
    fprintf(to, "</code></td><td><code>");
    html_member(to, number, "bits");
    fprintf(to, "</code></td></tr>\n");
}

static void print_numbers(FILE *to, const node *failure)
{
    const node *inputs = node_get(failure, "inputs");
    if (!node_get(failure, "got"))
        return;
    fprintf(to, "<div class=\"wide\"><table><caption class=\"quiet\">");
    html_member(to, failure, "cell");
    fprintf(to, "</caption>\n<tr><th></th><th scope=\"col\">decimal</th><th scope=\"col\">hexadecimal</th>"
                "<th scope=\"col\">bits</th></tr>\n");
    for (const node *n = inputs ? inputs->child : NULL; n; n = n->next)
        print_number(to, n->key, n);
    print_number(to, "got", node_get(failure, "got"));
    print_number(to, "want", node_get(failure, "want"));
    fprintf(to, "</table></div>\n");
}

/* ---- failures -------------------------------------------------------------------------------- */

/* What the clause says first. */
static void print_clause(FILE *to, const char *id)
{
    char sentence[640];
    const clause *broken = clause_find(id);
    if (!broken)
        return;
    snprintf(sentence, sizeof sentence, "%.*s", sentence_length(broken->text), broken->text);
    fprintf(to, "<p class=\"quiet\">");
    html_text(to, sentence);
    fprintf(to, "</p>\n");
}

/* Those that are the first of their kind have it in full. */
static void print_failure(FILE *to, const node *failure)
{
    fprintf(to, "<article><p><strong>");
    html_member(to, failure, "clause");
    fprintf(to, "</strong> at level ");
    html_member(to, failure, "level");
    fprintf(to, ", <code>");
    html_member(to, failure, "id");
    fprintf(to, "</code>, and like it ");
    html_count(to, number_at(failure, "like_it", 1) - 1);
    fprintf(to, " further.</p>\n");
    print_clause(to, text_at(failure, "clause"));
    fprintf(to, "<p>");
    html_member(to, failure, "why");
    fprintf(to, "</p>\n");
    print_numbers(to, failure);
    print_patterns(to, failure);
    fprintf(to, "<pre>");
    html_member(to, failure, "repeat");
    fprintf(to, "</pre></article>\n");
}

void html_failures(FILE *to, const node *result)
{
    const node *rows = node_get(result, "rows");
    int printed = 0;
    for (const node *row = rows->child; row; row = row->next)
        for (const node *all = node_get(row, "failures"), *f = all ? all->child : NULL; f; f = f->next) {
            if (!node_get(f, "repeat"))
                continue;
            if (!printed++)
                fprintf(to, "<section><h2>What failed</h2>\n");
            print_failure(to, f);
        }
    if (printed)
        fprintf(to, "</section>\n");
}

/* ---- an earlier result ----------------------------------------------------------------------- */

static int has_failure(const node *row, const char *id)
{
    for (const node *all = node_get(row, "failures"), *f = all ? all->child : NULL; f; f = f->next)
        if (!strcmp(text_at(f, "id"), id))
            return 1;
    return 0;
}

/* Failures of `row` that `other` does not have. */
static int print_only(FILE *to, const node *row, const node *other, const char *what)
{
    int printed = 0;
    for (const node *all = node_get(row, "failures"), *f = all ? all->child : NULL; f; f = f->next)
        if (!has_failure(other, text_at(f, "id"))) {
            if (printed++ < 8)
                fprintf(to, "<li>%s: <code>", what), html_member(to, f, "id"), fprintf(to, "</code></li>\n");
        }
    if (printed > 8)
        fprintf(to, "<li>%s: %d further</li>\n", what, printed - 8);
    return printed;
}

static int print_change(FILE *to, const node *now, const node *then, const char *key)
{
    if (!strcmp(text_at(now, key), text_at(then, key)))
        return 0;
    fprintf(to, "<li>");
    html_member(to, now, "op");
    fprintf(to, " ");
    html_member(to, now, "dtype");
    fprintf(to, ": %s was ", key);
    html_member(to, then, key);
    fprintf(to, ", is ");
    html_member(to, now, key);
    fprintf(to, "</li>\n");
    return 1;
}

static int print_row_change(FILE *to, const node *now, const node *then)
{
    static const char *const keys[] = { "level", "grade", "failed", "worst", "cases" };
    int changes = 0;
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        changes += print_change(to, now, then, keys[i]);
    changes += print_only(to, now, then, "fails now");
    return changes + print_only(to, then, now, "failed then");
}

void html_difference(FILE *to, const node *result, const node *before)
{
    const node *rows = node_get(result, "rows"), *old = node_get(before, "rows");
    int changes = 0;
    fprintf(to, "<section><h2>Since the earlier result</h2>\n<ul>\n");
    for (const node *row = rows->child; row; row = row->next) {
        const node *then = row_of(before, text_at(row, "op"), text_at(row, "dtype"));
        if (then)
            changes += print_row_change(to, row, then);
        else
            changes++, fprintf(to, "<li>new: "), html_member(to, row, "op"), fprintf(to, " "),
                html_member(to, row, "dtype"), fprintf(to, "</li>\n");
    }
    for (const node *row = old ? old->child : NULL; row; row = row->next)
        if (!row_of(result, text_at(row, "op"), text_at(row, "dtype")))
            changes++, fprintf(to, "<li>no longer there: "), html_member(to, row, "op"), fprintf(to, " "),
                html_member(to, row, "dtype"), fprintf(to, "</li>\n");
    fprintf(to, "</ul>\n%s</section>\n", changes ? "" : "<p>Nothing has changed.</p>\n");
}
