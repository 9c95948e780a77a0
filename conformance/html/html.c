/* The page: verdict, what was run, what was not judged. */
#include "html.h"
#include "core/cotangent.h"

#include <math.h>
#include <string.h>

/* ---- text ------------------------------------------------------------------------------------ */

void html_text(FILE *to, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '<': fputs("&lt;", to); break;
        case '>': fputs("&gt;", to); break;
        case '&': fputs("&amp;", to); break;
        case '"': fputs("&quot;", to); break;
        case '\'': fputs("&#39;", to); break;
        default: fputc(*text, to);
        }
}

void html_member(FILE *to, const node *object, const char *key)
{
    const char *text = text_at(object, key);
    html_text(to, *text ? text : "\xe2\x80\x93");
}

void html_count(FILE *to, double number)
{
    char digits[32];
    snprintf(digits, sizeof digits, "%.0f", number);
    for (size_t left = strlen(digits), i = 0; left; left--, i++)
        fprintf(to, "%c%s", digits[i], left % 3 == 1 && left > 1 && digits[i] != '-' ? "&#8239;" : "");
}

const node *row_of(const node *result, const char *op, const char *dtype)
{
    const node *rows = node_get(result, "rows");
    for (const node *row = rows ? rows->child : NULL; row; row = row->next)
        if (!strcmp(text_at(row, "op"), op) && !strcmp(text_at(row, "dtype"), dtype))
            return row;
    return NULL;
}

/* ---- the head -------------------------------------------------------------------------------- */

/* Colours are never alone: every state has a word or a letter too. */
static const char *const style[] = {
    ":root{color-scheme:light dark;--ink:#1a1d21;--quiet:#5a626c;--paper:#fff;--line:#d8dde3;--good:#d9f2e0;",
    "--bad:#fbdcd8;--mark:#b3261e;--bar:#2f6fb2}\n",
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ed;--quiet:#9aa4af;--paper:#14171a;--line:#343a41;",
    "--good:#173a24;--bad:#4a1d19;--mark:#ff8a7d;--bar:#6aa9ea}}\n",
    "body{font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper);margin:0 auto;padding:1rem;",
    "max-width:64rem;overflow-wrap:anywhere}\n",
    "h1{font-size:1.5rem;margin:.5rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}p{margin:.5rem 0}\n",
    ".verdict{padding:.75rem 1rem;border-radius:.5rem;background:var(--good)}.verdict.bad{background:var(--bad)}\n",
    ".wide{overflow-x:auto}table{border-collapse:collapse;font-variant-numeric:tabular-nums}\n",
    "th,td{padding:.2rem .6rem;border-bottom:1px solid var(--line);text-align:left;font-weight:400;",
    "overflow-wrap:normal}th{color:var(--quiet)}\n",
    "td.good{background:var(--good)}td.bad{background:var(--bad)}small,.quiet{color:var(--quiet)}\n",
    "code,pre{font:14px/1.4 ui-monospace,monospace}pre{white-space:pre-wrap;margin:.3rem 0}\n",
    "article{border:1px solid var(--line);border-radius:.5rem;padding:.5rem 1rem;margin:.75rem 0}\n",
    "caption{text-align:left}@media(max-width:40rem){th,td{padding:.2rem .35rem}article{padding:.5rem}}\n",
    "svg{max-width:100%;height:auto;display:block;margin:.5rem 0}svg text{fill:var(--ink);font:12px ",
    "system-ui,sans-serif}\n",
    "svg .quiet{fill:var(--quiet)}svg .bar{fill:var(--bar)}svg .wrong{fill:var(--mark)}svg .cell{fill:var(--line)}\n",
};

static void print_head(FILE *to, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", to);
    fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", to);
    fputs("<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">\n<title>",
          to);
    html_text(to, title);
    fputs("</title>\n<style>\n", to);
    for (size_t i = 0; i < sizeof style / sizeof *style; i++)
        fputs(style[i], to);
    fputs("</style>\n</head>\n<body>\n", to);
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static int is_good(const node *result)
{
    const node *good = node_get(result, "good");
    return good && good->kind == NODE_TRUE;
}

static void print_verdict(FILE *to, const node *result)
{
    const node *totals = node_get(result, "totals"), *run = node_get(result, "run");
    double failed = number_at(totals, "failed", 0);
    fprintf(to, "<h1>Gradients of backend ");
    html_member(to, run, "backend");
    fprintf(to, "</h1>\n<p class=\"verdict%s\"><strong>%s.</strong> ", is_good(result) ? "" : " bad",
            is_good(result) ? "Good"
            : failed > 0    ? "Failed"
                            : "Not all was judged");
    html_count(to, number_at(totals, "cases", 0));
    fprintf(to, " cases, ");
    html_count(to, failed);
    fprintf(to, " failed; ");
    html_count(to, number_at(totals, "cells", 0));
    fprintf(to, " cells, ");
    html_count(to, number_at(totals, "unjudged_cells", 0));
    fprintf(to, " not judged. Largest error over its bound: %.6g.</p>\n", number_at(totals, "worst", (double)INFINITY));
    if (*text_at(run, "ended")) {
        fprintf(to, "<p class=\"verdict bad\">The run ended early: ");
        html_member(to, run, "ended");
        fprintf(to, "</p>\n");
    }
    if (*text_at(run, "remark")) {
        fprintf(to, "<p>");
        html_member(to, run, "remark");
        fprintf(to, "</p>\n");
    }
}

/* ---- what was run, and what was not judged ------------------------------------------------------ */

/* What chose the cases: words as they were given, or how many cases were named. */
static void print_choice(FILE *to, const node *of)
{
    for (const node *n = of->child; n; n = n->next) {
        html_text(to, n->key);
        fprintf(to, " ");
        if (n->kind == NODE_LIST)
            html_count(to, node_count(n)), fprintf(to, " by name");
        else
            html_text(to, node_text(n));
        fprintf(to, n->next ? "; " : "");
    }
    if (!of->child)
        fprintf(to, "all");
}

static void print_run(FILE *to, const node *run)
{
    fprintf(to, "<section><h2>What was run</h2>\n<div class=\"wide\"><table>\n");
    for (const node *n = run ? run->child : NULL; n; n = n->next) {
        fprintf(to, "<tr><th scope=\"row\">");
        html_text(to, n->key);
        fprintf(to, "</th><td>");
        n->kind == NODE_OBJECT ? print_choice(to, n) : html_member(to, run, n->key);
        fprintf(to, "</td></tr>\n");
    }
    fprintf(to, "</table></div>\n<p class=\"quiet\">Page by cotangent %s.</p></section>\n", COT_VERSION);
}

static void print_holes(FILE *to, const char *what, const node *of)
{
    const node *holes = node_get(of, "holes");
    if (!node_count(holes))
        return;
    fprintf(to, "<p>%s without a case: %d</p>\n<details><summary>all of them</summary><pre>", what, node_count(holes));
    for (const node *hole = holes->child; hole; hole = hole->next) {
        html_text(to, node_text(hole));
        fprintf(to, "\n");
    }
    fprintf(to, "</pre></details>\n");
}

static void print_unjudged(FILE *to, const node *result)
{
    const node *reasons = node_get(node_get(result, "totals"), "unjudged"), *undone = node_get(result, "not_done");
    fprintf(to, "<section><h2>What was not judged</h2>\n");
    for (const node *n = reasons ? reasons->child : NULL; n; n = n->next) {
        fprintf(to, "<p>");
        html_count(to, number_at(reasons, n->key, 0));
        fprintf(to, " cells: <code>");
        html_text(to, n->key);
        fprintf(to, "</code></p>\n");
    }
    for (const node *n = undone ? undone->child : NULL; n; n = n->next) {
        fprintf(to, "<p>");
        html_count(to, number_at(n, "cases", 0));
        fprintf(to, " cases the backend does not do: ");
        html_member(to, n, "why");
        fprintf(to, "</p>\n");
    }
    for (const node *all = node_get(result, "waivers"), *n = all ? all->child : NULL; n; n = n->next) {
        fprintf(to, "<p>");
        html_count(to, number_at(n, "used", 0));
        fprintf(to, " failures are waived until ");
        html_member(to, n, "until");
        fprintf(to, ": <code>");
        html_member(to, n, "cases");
        fprintf(to, "</code>, ");
        html_member(to, n, "reason");
        fprintf(to, "</p>\n");
    }
    print_holes(to, "Generators and layouts", node_get(result, "coverage"));
    print_holes(to, "Shapes", node_get(result, "shapes"));
    if (!node_count(reasons) && !node_count(undone))
        fprintf(to, "<p>Every cell of every case was judged.</p>\n");
    fprintf(to, "</section>\n");
}

/* ---- the page -------------------------------------------------------------------------------- */

static void print_check(FILE *to, const node *result, const node *before)
{
    print_head(to, is_good(result) ? "Cotangent: good" : "Cotangent: failed");
    fputs("<main>\n", to);
    print_verdict(to, result);
    if (before)
        html_difference(to, result, before);
    html_failures(to, result);
    html_matrix(to, result);
    html_plot(to, result);
    print_unjudged(to, result);
    print_run(to, node_get(result, "run"));
}

static int is_check(const node *result) { return node_get(result, "rows") && node_get(result, "totals"); }
static int is_sweep(const node *result) { return !is_check(result) && node_get(result, "sweep"); }

int html_report(FILE *to, const node *result, const node *before)
{
    if (!is_check(result) && !is_sweep(result))
        return HTML_UNKNOWN;
    if (before && (is_check(before) != is_check(result) || is_sweep(before) != is_sweep(result)))
        return HTML_DIFFERS;
    if (is_check(result))
        print_check(to, result, before);
    else {
        print_head(to, "Cotangent: sweep");
        fputs("<main>\n", to);
        html_sweep(to, result, before);
    }
    fputs("</main>\n</body>\n</html>\n", to);
    return 0;
}
