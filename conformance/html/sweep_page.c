/* The result of a sweep as a page. */
#include "html.h"

#include <stdlib.h>
#include <string.h>

/* ---- commands -------------------------------------------------------------------------------- */

/* A word of a command line, in quotes where a shell would take it apart. */
static void print_word(FILE *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:,=+-@%";
    char one[2] = "";
    if (*word && word[strspn(word, plain)] == 0) {
        html_text(to, word);
        return;
    }
    html_text(to, "'");
    for (; (*one = *word); word++)
        html_text(to, *word == '\'' ? "'\\''" : one);
    html_text(to, "'");
}

static void print_option(FILE *to, const char *option, const char *value)
{
    fprintf(to, " %s ", option);
    print_word(to, value);
}

/* Blocks of f32 are so many for each dy. */
static void print_sample(FILE *to, const node *sweep)
{
    const char *all = strchr(text_at(sweep, "blocks"), '/');
    long dys = 1;
    for (const char *dy = text_at(sweep, "dy"); *dy; dy++)
        dys += *dy == ',';
    if (all && !strcmp(text_at(sweep, "dtype"), "f32"))
        fprintf(to, " --sample %ld", strtol(all + 1, NULL, 10) / dys);
}

/* What sweeps the same pairs, up to the blocks and the directory. */
static void print_command(FILE *to, const node *sweep)
{
    static const char *const options[][2] = { { "--dtype", "dtype" },
                                              { "--param", "param" },
                                              { "--dy", "dy" },
                                              { "--backend", "backend" },
                                              { "--device", "device_option" } };
    fprintf(to, "cotangent sweep ");
    print_word(to, text_at(sweep, "op"));
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (*text_at(sweep, options[i][1]))
            print_option(to, options[i][0], text_at(sweep, options[i][1]));
    print_sample(to, sweep);
}

/* ---- the page -------------------------------------------------------------------------------- */

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

static void print_repeats(FILE *to, const node *sweep, const node *failures)
{
    fprintf(to, "<p>Each of these commands repeats one of the blocks:</p>\n<pre>");
    for (const node *f = failures->child; f; f = f->next) {
        long long block = (long long)number_at(f, "block", 0);
        print_command(to, sweep);
        fprintf(to, " --range %lld-%lld --out block-%lld\n", block, block, block);
    }
    fprintf(to, "</pre>\n");
}

static void print_misses(FILE *to, const node *sweep, const node *failures)
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
    fprintf(to, "</tr>\n</table></div>\n");
    print_repeats(to, sweep, failures);
    fprintf(to, "</section>\n");
}

/* The command that does them goes on in the directory: what is there is not done again. */
static void print_missing(FILE *to, const node *sweep, const node *result)
{
    const char *range = text_at(sweep, "blocks"), *part = text_at(result, "part");
    char ends[64];
    if (!*text_at(result, "missing"))
        return;
    snprintf(ends, sizeof ends, "%.*s", (int)strcspn(range, "/"), range);
    fprintf(to, "<section><h2>What is missing</h2>\n<p class=\"missing\">");
    html_count(to, number_at(result, "planned", 0) - number_at(result, "done", 0));
    fprintf(to, " of ");
    html_count(to, number_at(result, "planned", 0));
    fprintf(to, " blocks: ");
    html_member(to, result, "missing");
    fprintf(to, "</p>\n<p>In the sweep's directory DIR this command does them, and no other:</p>\n<pre>");
    print_command(to, sweep);
    print_option(to, "--range", ends);
    if (*part && strcmp(part, "1/1"))
        print_option(to, "--blocks", part);
    fprintf(to, " --out DIR</pre></section>\n");
}

/* ---- an earlier result ----------------------------------------------------------------------- */

static int print_change(FILE *to, const node *now, const node *then, const char *key)
{
    if (!strcmp(text_at(now, key), text_at(then, key)))
        return 0;
    fprintf(to, "<li>");
    html_text(to, key);
    fprintf(to, " was ");
    html_member(to, then, key);
    fprintf(to, ", is ");
    html_member(to, now, key);
    fprintf(to, "</li>\n");
    return 1;
}

static int print_changes(FILE *to, const node *now, const node *then)
{
    int changes = 0;
    for (const node *n = now ? now->child : NULL; n; n = n->next)
        changes += n->kind == NODE_OBJECT || n->kind == NODE_LIST ? 0 : print_change(to, now, then, n->key);
    for (const node *n = then ? then->child : NULL; n; n = n->next)
        changes += node_get(now, n->key) ? 0 : print_change(to, now, then, n->key);
    return changes;
}

/* Blocks that fail in one result and not in the other, of the first that each of them lists. */
static int print_only(FILE *to, const node *one, const node *other, const char *what)
{
    int printed = 0;
    const node *theirs = node_get(other, "failures"), *ours = node_get(one, "failures");
    for (const node *f = ours ? ours->child : NULL; f; f = f->next) {
        const node *same = theirs ? theirs->child : NULL;
        while (same && strcmp(text_at(same, "block"), text_at(f, "block")) != 0)
            same = same->next;
        if (same)
            continue;
        printed++;
        fprintf(to, "<li>%s: block ", what);
        html_member(to, f, "block");
        fprintf(to, "</li>\n");
    }
    return printed;
}

static void print_difference(FILE *to, const node *result, const node *before)
{
    fprintf(to, "<section><h2>Since the earlier result</h2>\n<ul>\n");
    int changes = print_changes(to, node_get(result, "sweep"), node_get(before, "sweep"));
    changes += print_changes(to, result, before);
    changes += print_only(to, result, before, "fails now");
    changes += print_only(to, before, result, "failed then");
    fprintf(to, "</ul>\n%s</section>\n", changes ? "" : "<p>Nothing has changed.</p>\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

void html_sweep(FILE *to, const node *result, const node *before)
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
    if (before)
        print_difference(to, result, before);
    print_misses(to, sweep, node_get(result, "failures"));
    print_missing(to, sweep, result);
    fprintf(to, "<section><h2>What was swept</h2>\n<div class=\"wide\"><table>\n");
    print_pairs(to, sweep);
    print_pairs(to, result);
    fprintf(to,
            "</table></div>\n<p class=\"quiet\">The parts of a sweep may come from many machines, and have the bytes "
            "of one run: this is all that they share, and the devices that took part. Where each was run is not in "
            "it.</p></section>\n");
}
