/* The profile as one HTML page that needs nothing else: for each kernel its source and its PTX side by side, with what
 * every line cost. A line of the one leads to the lines of the other. */
#include "profile.h"
#include "text.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>softgpu: cost by line</title>\n<style>\n"
    "body{font:14px sans-serif;margin:1em;color:#222;background:#fff}\n"
    ".pair{display:flex;gap:1em;align-items:flex-start}\n"
    ".pane{flex:1;overflow:auto;max-height:90vh;border:1px solid #999}\n"
    "table{border-collapse:collapse;font:12px monospace}\nth{position:sticky;top:0;background:#eee;text-align:right}\n"
    "td,th{padding:0 .5em;white-space:pre}\ntd.n{text-align:right}\ntr:target{background:#fd6}\n"
    "a{color:inherit}\n.hot{background:#fdd}\n.warm{background:#ffe9c9}\n"
    "</style></head><body>\n<h1>Cost by line</h1>\n"
    "<p>Instructions are PTX, not machine code. <b>warps</b>: how often warps ran the line; <b>lanes</b>: threads to a "
    "warp, of 32; <b>div</b>: branches that divided a warp; <b>sectors</b>: of 32 bytes in global memory, with what "
    "the same bytes need when packed; <b>conf</b>: passes beyond the first in shared memory. Coloured lines hold a "
    "tenth, or a hundredth, of the kernel's instructions.</p>\n";

static const char columns[] = "<tr><th>line</th><th>warps</th><th>lanes</th><th>div</th><th>sectors</th><th>conf</th>"
                              "<th style=\"text-align:left\">";

static void put_escaped(text *t, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (s[i] == '<')
            put(t, "&lt;");
        else if (s[i] == '&')
            put(t, "&amp;");
        else if (s[i] == '"')
            put(t, "&quot;");
        else
            put(t, "%c", s[i] == '\t' ? ' ' : (unsigned char)s[i] < 0x20 ? '.' : s[i]);
    }
}

static void put_cost(text *t, const line_cost *c)
{
    if (!c->warps) {
        put(t, "<td></td><td></td><td></td><td></td><td></td>");
        return;
    }
    put(t, "<td class=\"n\">%llu</td><td class=\"n\">%.1f</td>", (unsigned long long)c->warps,
        (double)c->threads / (double)c->warps);
    if (c->divergent)
        put(t, "<td class=\"n\">%llu</td>", (unsigned long long)c->divergent);
    else
        put(t, "<td></td>");
    if (c->sectors)
        put(t, "<td class=\"n\">%llu/%llu</td>", (unsigned long long)c->sectors, (unsigned long long)c->ideal);
    else
        put(t, "<td></td>");
    if (c->conflicts)
        put(t, "<td class=\"n\">%llu</td>", (unsigned long long)c->conflicts);
    else
        put(t, "<td></td>");
}

static const char *heat(const line_cost *c, u64 total)
{
    if (!c->warps || c->warps * 100 < total)
        return "";
    return c->warps * 10 >= total ? " class=\"hot\"" : " class=\"warm\"";
}

static void add_cost(line_cost *to, const line_cost *c)
{
    u64 *t = (u64 *)to;
    const u64 *f = (const u64 *)c;
    for (size_t i = 0; i < sizeof *to / sizeof *t; i++)
        t[i] += f[i];
}

static u64 total_of(const profile *p)
{
    u64 n = 0;
    for (int i = 0; i < p->nlines; i++)
        n += p->lines[i].cost.warps;
    return n;
}

/* The line of a text from 1 on: *n bytes. */
static const char *line_at(const char **at, size_t *n)
{
    const char *s = *at;
    *n = strcspn(s, "\n");
    *at = s + *n + (s[*n] == '\n');
    return s;
}

static void put_ptx(text *t, const profile *p, int number, u64 total)
{
    const char *at = p->text, *s;
    size_t n;
    int first = p->nlines;
    for (int i = p->nlines - 1; i > 0; i--)
        first = p->lines[i].is_code ? i : first;
    put(t, "<div class=\"pane\"><table>%sPTX</th></tr>\n", columns);
    for (int i = 1; i < p->nlines; i++) {
        const profile_line *l = &p->lines[i];
        s = line_at(&at, &n);
        if (i < first)
            continue;
        put(t, "<tr id=\"k%dp%d\"%s><td class=\"n\">", number, i, heat(&l->cost, total));
        if (l->file)
            put(t, "<a href=\"#k%ds%d\">%d</a></td>", number, l->source_line, i);
        else
            put(t, "%d</td>", i);
        put_cost(t, &l->cost);
        put(t, "<td>");
        put_escaped(t, s, n);
        put(t, "</td></tr>\n");
    }
    put(t, "</table></div>\n");
}

/* The cost of a source line, and the first PTX line that is its. */
static line_cost source_cost(const profile *p, const char *file, int line, int *ptx)
{
    line_cost c = { 0 };
    *ptx = 0;
    for (int i = p->nlines - 1; i > 0; i--)
        if (p->lines[i].file && p->lines[i].source_line == line && !strcmp(p->lines[i].file, file)) {
            add_cost(&c, &p->lines[i].cost);
            *ptx = i;
        }
    return c;
}

static void put_source_line(text *t, const profile *p, int number, const char *file, int line, const char *words)
{
    int ptx;
    line_cost c = source_cost(p, file, line, &ptx);
    put(t, "<tr id=\"k%ds%d\"%s><td class=\"n\">", number, line, heat(&c, total_of(p)));
    if (ptx)
        put(t, "<a href=\"#k%dp%d\">%d</a></td>", number, ptx, line);
    else
        put(t, "%d</td>", line);
    put_cost(t, &c);
    put(t, "<td>");
    put_escaped(t, words, strcspn(words, "\n"));
    put(t, "</td></tr>\n");
}

/* From a little above the first line that has code to a little below the last. */
static void put_file(text *t, const profile *p, int number, const char *file)
{
    char words[1000];
    int least = 1 << 30, most = 0, line = 0;
    FILE *f = fopen(file, "r");
    for (int i = 1; i < p->nlines; i++) {
        const profile_line *l = &p->lines[i];
        if (!l->file || strcmp(l->file, file))
            continue;
        least = l->source_line < least ? l->source_line : least;
        most = l->source_line > most ? l->source_line : most;
    }
    put(t, "<tr><th></th><th></th><th></th><th></th><th></th><th></th><th style=\"text-align:left\">");
    put_escaped(t, file, strlen(file));
    put(t, "%s</th></tr>\n", f ? "" : " (cannot be read)");
    for (line = 1; line <= most + 2; line++) {
        bool there = f && fgets(words, sizeof words, f);
        if (!there && line > most)
            break;
        if (line + 3 > least)
            put_source_line(t, p, number, file, line, there ? words : "");
    }
    if (f)
        fclose(f);
}

static void put_source(text *t, const profile *p, int number)
{
    bool any = false;
    put(t, "<div class=\"pane\"><table>%ssource</th></tr>\n", columns);
    for (int i = 1; i < p->nlines; i++) {
        const char *file = p->lines[i].file;
        bool seen = !file;
        for (int j = 1; j < i && !seen; j++)
            seen = p->lines[j].file && !strcmp(p->lines[j].file, file);
        if (!seen)
            put_file(t, p, number, file);
        any = any || file;
    }
    if (!any)
        put(t, "<tr><td colspan=\"7\">compile with -lineinfo to see it</td></tr>\n");
    put(t, "</table></div>\n");
}

size_t profile_html(const profile *all, char *out, size_t size)
{
    text t = { out, size, 0 };
    int number = 0;
    put(&t, "%s", head);
    for (const profile *p = all; p; p = p->next) {
        u64 total = total_of(p);
        put(&t, "<h2>");
        put_escaped(&t, p->name, strlen(p->name));
        put(&t, "</h2>\n<p>%llu launches, %llu instructions of warps</p>\n<div class=\"pair\">\n",
            (unsigned long long)p->launches, (unsigned long long)total);
        put_source(&t, p, ++number);
        put_ptx(&t, p, number, total);
        put(&t, "</div>\n");
    }
    put(&t, "</body></html>\n");
    return t.used;
}
