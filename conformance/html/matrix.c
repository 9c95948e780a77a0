/* The matrix of ops and types, and the plot of their errors. */
#include "html.h"

#include <string.h>

static const char *const types[] = { "f16", "bf16", "f32", "f64" };
enum { TYPES = 4 };

static const char *level_words(const char *level)
{
    static const char *const names[][2] = {
        { "E", "edges" }, { "B", "bound" }, { "D", "stable" }, { "I", "invariant" }, { "X", "bits" }
    };
    for (int i = 0; i < 5; i++)
        if (!strcmp(names[i][0], level))
            return names[i][1];
    return "";
}

static void print_cell(FILE *to, const node *row)
{
    double failed = number_at(row, "failed", 0);
    if (!row) {
        fprintf(to, "<td class=\"quiet\">\xe2\x80\x93</td>");
        return;
    }
    const char *level = text_at(row, "level");
    fprintf(to, "<td class=\"%s\">", failed > 0 || !*level ? "bad" : "good");
    if (failed > 0) {
        html_count(to, failed);
        fprintf(to, " failed");
    } else {
        html_text(to, *level ? level : "none");
        fprintf(to, " %s", level_words(level));
    }
    if (*text_at(row, "grade")) {
        fprintf(to, " <small>");
        html_member(to, row, "grade");
        fprintf(to, "</small>");
    }
    fprintf(to, "</td>");
}

/* A row of the result is the first of its op where the one before it has another. */
static int begins_op(const node *before, const node *row)
{
    return !before || strcmp(text_at(before, "op"), text_at(row, "op")) != 0;
}

void html_matrix(FILE *to, const node *result)
{
    const node *rows = node_get(result, "rows"), *before = NULL;
    fprintf(
        to,
        "<section><h2>Level reached, by op and type</h2>\n<div class=\"wide\"><table>\n<tr><th scope=\"col\">op</th>");
    for (int t = 0; t < TYPES; t++)
        fprintf(to, "<th scope=\"col\">%s</th>", types[t]);
    fprintf(to, "</tr>\n");
    for (const node *row = rows->child; row; before = row, row = row->next) {
        if (!begins_op(before, row))
            continue;
        fprintf(to, "<tr><th scope=\"row\">");
        html_member(to, row, "op");
        fprintf(to, "</th>");
        for (int t = 0; t < TYPES; t++)
            print_cell(to, row_of(result, text_at(row, "op"), types[t]));
        fprintf(to, "</tr>\n");
    }
    fprintf(to, "</table></div>\n<p class=\"quiet\">Beside the level: how good the op's sums are.</p></section>\n");
}

/* ---- errors over bounds ---------------------------------------------------------------------- */

enum { LEFT = 116, WIDTH = 210, STEP = 18, TOP = 24 };

/* 0 to 1 is within the bound; what is beyond is drawn past its line. */
static void print_bar(FILE *to, const node *row, double worst, int y)
{
    double length = worst < 1.15 ? worst : 1.15;
    fprintf(to, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">", LEFT - 8, y + 12);
    html_member(to, row, "op");
    fprintf(to, " <tspan class=\"quiet\">");
    html_member(to, row, "dtype");
    fprintf(to, "</tspan></text><rect class=\"%s\" x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"10\"/>",
            worst > 1 ? "wrong" : "bar", LEFT, y + 3, length * WIDTH);
    fprintf(to, "<text x=\"%.1f\" y=\"%d\">%.4g</text>\n", LEFT + length * WIDTH + 6, y + 12, worst);
}

static int has_error(const node *row) { return number_at(row, "worst", 0) > 0; }

void html_plot(FILE *to, const node *result)
{
    const node *rows = node_get(result, "rows");
    int bars = 0, y = TOP;
    for (const node *row = rows->child; row; row = row->next)
        bars += has_error(row);
    if (!bars)
        return;
    fprintf(to,
            "<section><h2>Largest error over its bound</h2>\n<svg role=\"img\" aria-label=\"Largest error over its "
            "bound, by op and type\" viewBox=\"0 0 410 %d\" width=\"540\">\n",
            TOP + bars * STEP + 8);
    for (int tick = 0; tick <= 4; tick++)
        fprintf(to,
                "<text class=\"quiet\" x=\"%d\" y=\"14\" text-anchor=\"middle\">%g</text><rect class=\"cell\" x=\"%d\" "
                "y=\"18\" width=\"1\" height=\"%d\"/>\n",
                LEFT + tick * WIDTH / 4, tick / 4.0, LEFT + tick * WIDTH / 4, bars * STEP + 8);
    for (const node *row = rows->child; row; row = row->next)
        if (has_error(row)) {
            print_bar(to, row, number_at(row, "worst", 0), y);
            y += STEP;
        }
    fprintf(to,
            "</svg>\n<p class=\"quiet\">1 is the bound of clause BOUND; ops without a bar were exact.</p></section>\n");
}
