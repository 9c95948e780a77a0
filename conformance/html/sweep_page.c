/* The result of a sweep as a page. */
#include "html.h"

static void print_pairs(FILE *to, const node *object)
{
    for (const node *n = object ? object->child : NULL; n; n = n->next) {
        if (n->kind != NODE_TEXT && n->kind != NODE_NUMBER)
            continue;
        fprintf(to, "<tr><th scope=\"row\">");
        html_text(to, n->key);
        fprintf(to, "</th><td>");
        html_member(to, object, n->key);
        fprintf(to, "</td></tr>\n");
    }
}

static void print_misses(FILE *to, const node *failures)
{
    static const char *const columns[] = { "block", "failed", "cell", "dy", "a", "b", "got", "want", "clause" };
    enum { COLUMNS = sizeof columns / sizeof *columns };
    if (!node_count(failures))
        return;
    fprintf(to, "<section><h2>The first wrong cell of each block</h2>\n<div class=\"wide\"><table><tr>");
    for (int i = 0; i < COLUMNS; i++)
        fprintf(to, "<th scope=\"col\">%s</th>", columns[i]);
    for (const node *f = failures->child; f; f = f->next) {
        fprintf(to, "</tr>\n<tr>");
        for (int i = 0; i < COLUMNS; i++) {
            fprintf(to, "<td><code>");
            html_member(to, f, columns[i]);
            fprintf(to, "</code></td>");
        }
    }
    fprintf(to, "</tr>\n</table></div></section>\n");
}

void html_sweep(FILE *to, const node *result)
{
    const node *sweep = node_get(result, "sweep"), *good = node_get(result, "good");
    int is_good = good && good->kind == NODE_TRUE;
    fprintf(to, "<h1>Sweep of ");
    html_member(to, sweep, "op");
    fprintf(to, " ");
    html_member(to, sweep, "dtype");
    fprintf(to, " on backend ");
    html_member(to, sweep, "backend");
    fprintf(to, "</h1>\n<p class=\"verdict%s\"><strong>%s.</strong> ", is_good ? "" : " bad",
            is_good                              ? "Good"
            : number_at(result, "failed", 0) > 0 ? "Failed"
                                                 : "Blocks are missing");
    html_count(to, number_at(result, "pairs", 0));
    fprintf(to, " pairs, ");
    html_count(to, number_at(result, "failed", 0));
    fprintf(to, " cells wrong. Largest error over its bound: %.6g.</p>\n", number_at(result, "worst", 0));
    print_misses(to, node_get(result, "failures"));
    fprintf(to, "<section><h2>What was swept</h2>\n<div class=\"wide\"><table>\n");
    print_pairs(to, sweep);
    print_pairs(to, result);
    fprintf(to, "</table></div></section>\n");
}
