/* Parts of a run of the suite, put together: one heading, the sum of the rows, the failures in their order. */
#include "parts.h"
#include "parts_row.h"
#include "conformance/case/words.h"
#include "conformance/clause/clauses.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

__attribute__((format(printf, 2, 3))) static int fail(parts *p, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(p->error, sizeof p->error, format, list);
    va_end(list);
    return -1;
}

int parts_is_check(const char *text) { return text[strspn(text, " \t\r\n")] == '{'; }

int parts_begin(parts *p)
{
    *p = (parts){ .r = { .tally = tally_new(), .shard = 1, .shards = 1, .ended = "" } };
    return p->r.tally ? 0 : fail(p, "out of memory");
}

/* ---- the heading ----------------------------------------------------------------------------- */

/* What all parts of a run share. */
static const char *const shared[] = { "version", "spec",  "backend", "device_option", "against",
                                      "options", "level", "range",   "selection",     "seed" };
enum { SHARED = sizeof shared / sizeof *shared };

static char *slice(const char *text, const node *n) { return n ? strndup(text + n->from, n->to - n->from) : NULL; }

/* 0 where both are there and have the same text. */
static int differs(const char *left, const node *one, const char *right, const node *other)
{
    size_t length = one ? one->to - one->from : 0;
    return !one || !other || length != other->to - other->from
           || strncmp(left + one->from, right + other->from, length) != 0;
}

static int same_run(parts *p, const char *name, const char *text, const node *run)
{
    const node *first = node_get(p->tree, "run");
    for (int i = 0; i < SHARED; i++) {
        const node *one = node_get(run, shared[i]), *other = node_get(first, shared[i]);
        if (differs(text, one, p->text, other))
            return fail(p, "%.200s is of another run: its %s is %.*s, and that of %.200s is %.*s", name, shared[i],
                        one ? (int)(one->to - one->from) : 0, one ? text + one->from : "", p->first_name,
                        other ? (int)(other->to - other->from) : 0, other ? p->text + other->from : "");
    }
    return 0;
}

static const char *or_null(const node *n) { return n && n->kind == NODE_TEXT ? n->text : NULL; }

static int take_heading(parts *p, const char *name, const char *text)
{
    size_t at;
    p->text = strdup(text);
    p->tree = p->text ? tree_read(p->text, &at) : NULL;
    const node *run = node_get(p->tree, "run");
    const char *range = text_at(run, "range");
    if (!p->tree)
        return fail(p, "out of memory");
    snprintf(p->first_name, sizeof p->first_name, "%s", name);
    p->selection = slice(p->text, node_get(run, "selection"));
    if (!p->selection)
        return fail(p, "%.200s does not say which cases were chosen", name);
    p->r.version = text_at(run, "version"), p->r.spec = text_at(run, "spec");
    p->r.backend = text_at(run, "backend"), p->r.device = p->device;
    p->r.device_option = or_null(node_get(run, "device_option"));
    p->r.against = or_null(node_get(run, "against")), p->r.choices = text_at(run, "options");
    p->r.level = text_at(run, "level"), p->r.selection = p->selection;
    p->r.full = !strcmp(range, "full"), p->r.single = !strcmp(range, "case");
    p->r.seed = (uint64_t)number_at(run, "seed", 0);
    return 0;
}

/* Machines may differ from part to part: each is said once. What all parts say stays as it is. */
static int join(char all[PARTS_TEXT], const char *one)
{
    if (!*all)
        return snprintf(all, PARTS_TEXT, "%s", one) < PARTS_TEXT ? 0 : -1;
    return strcmp(all, one) ? list_join(all, PARTS_TEXT, one) : 0;
}

/* The spec's bits are the same on every device. They are claimed where every case has reached that level beside the
 * reference. */
static int claims_bits(const node *top)
{
    const char *against = text_at(node_get(top, "run"), "against");
    const node *rows = node_get(top, "rows");
    for (const node *one = rows ? rows->child : NULL; one; one = one->next)
        if (number_at(one, "cases", 0) > 0 && strcmp(text_at(one, "level"), "X"))
            return 0;
    return !*against || !strcmp(against, "ref");
}

static const char *named(const char *device) { return *device ? device : "a device without a name"; }

static int take_machine(parts *p, const char *name, const node *top)
{
    const node *run = node_get(top, "run");
    const char *device = text_at(run, "device");
    if (!claims_bits(top))
        snprintf(p->below, sizeof p->below, "%s", name);
    p->devices |= p->got > 1 && strcmp(p->device, device);
    if (p->devices && *p->below)
        return fail(p,
                    "%.200s was run on %.200s, where others were on %.200s: the parts of one run are of one device "
                    "unless all have the spec's bits, and those of %.200s have not",
                    name, named(device), named(p->device), p->below);
    return join(p->device, device) || join(p->environment, text_at(run, "environment"))
                   || join(p->remark, text_at(run, "remark"))
               ? fail(p, "%.200s: there are too many machines to tell of", name)
               : 0;
}

/* ---- which part ------------------------------------------------------------------------------ */

static int take_shard(parts *p, const char *name, const char *text, const node *run, int *again)
{
    int shard, shards, length = 0;
    const char *part = text_at(run, "shard");
    uint64_t digest = text_digest(text) | 1;
    if (sscanf(part, "%d/%d%n", &shard, &shards, &length) != 2 || part[length] || shard < 1 || shard > shards
        || shards > MOST_PARTS)
        return fail(p, "%.200s: \"%.40s\" is no part of a run", name, part);
    if (!p->digest && !(p->digest = calloc((size_t)shards, sizeof *p->digest)))
        return fail(p, "out of memory");
    if (!p->shard_count)
        p->shard_count = shards;
    if (shards != p->shard_count)
        return fail(p, "%.200s is part %d of %d, where %.200s is one of %d", name, shard, shards, p->first_name,
                    p->shard_count);
    uint64_t *here = &p->digest[shard - 1];
    *again = *here != 0;
    if (*here && *here != digest)
        return fail(p, "%.200s: part %s is there twice, with different results", name, part);
    if (*here)
        p->twice++, p->one_twice = shard;
    p->got += !*here;
    *here = digest;
    return 0;
}

void parts_missing(const parts *p, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int i = 0; i < p->shard_count && used + 64 < size; i++) {
        int last = i;
        while (last < p->shard_count && !p->digest[last])
            last++;
        if (last > i)
            used += (size_t)snprintf(text + used, size - used, last - i > 1 ? "%s%d-%d" : "%s%d", used ? ", " : "",
                                     i + 1, last);
        i = last;
    }
}

/* ---- one part -------------------------------------------------------------------------------- */

static int take_part(parts *p, const char *name, const char *text, const node *top)
{
    const node *run = node_get(top, "run");
    int again = 0;
    if (p->tree ? same_run(p, name, text, run) : take_heading(p, name, text))
        return -1;
    if (*text_at(run, "ended"))
        return fail(p, "%.200s: the run ended early, so run that part again: %.300s", name, text_at(run, "ended"));
    if (take_shard(p, name, text, run, &again))
        return -1;
    if (again)
        return 0;
    p->r.planned += (int64_t)number_at(run, "planned", 0);
    if (take_machine(p, name, top))
        return -1;
    const char *wrong = parts_take_rows(p, text, top);
    return wrong ? fail(p, "%.200s: %.400s", name, wrong) : 0;
}

int parts_add(parts *p, const char *name, const char *text)
{
    size_t at;
    node *top = tree_read(text, &at);
    int status;
    if (!node_get(top, "run") || !node_get(top, "rows") || !node_get(top, "totals"))
        status = fail(p, "%.200s is not the JSON of a check", name);
    else
        status = take_part(p, name, text, top);
    tree_free(top);
    return status;
}

/* ---- the whole ------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const part_miss *left = a, *right = b;
    return (left->r.number > right->r.number) - (left->r.number < right->r.number);
}

static int by_first(const void *a, const void *b)
{
    const part_undone *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

/* A run shrinks the first case of its first causes; what was the first in a part alone is told as it was found. */
static void tell(parts *p, part_miss **firsts)
{
    for (int i = 0, causes = 0; i < p->r.failures.group_count; i++) {
        int is_shrunk = failures_cause(&p->r.failures, i) == i && ++causes <= CAUSES_IN_FULL;
        part_miss *m = firsts[i];
        char **kept = is_shrunk || !m->itself ? &m->told : &m->itself;
        p->r.failures.groups[i].text = *kept;
        *kept = NULL;
        if (!is_shrunk)
            p->r.failures.groups[i].asked = -1, *p->r.failures.groups[i].right_for = 0;
    }
}

/* The first case of a kind that could be asked, wherever it was. */
static void ask(failures *f, const part_miss *m)
{
    group *g = f->count ? &f->groups[f->all[f->count - 1].group] : NULL;
    if (!g || m->asked < 0 || (g->asked >= 0 && g->asked <= m->asked))
        return;
    g->asked = m->asked;
    snprintf(g->right_for, sizeof g->right_for, "%s", m->right_for);
}

static int take_misses(parts *p)
{
    part_miss **firsts = calloc((size_t)p->misses + 1, sizeof *firsts);
    int untold = 0;
    if (!firsts)
        return fail(p, "out of memory");
    if (p->misses)
        qsort(p->miss, (size_t)p->misses, sizeof *p->miss, by_number);
    for (int64_t i = 0; i < p->misses; i++) {
        int groups = p->r.failures.group_count;
        failures_take(&p->r.failures, &p->miss[i].r);
        ask(&p->r.failures, &p->miss[i]);
        if (p->r.failures.group_count > groups) {
            firsts[groups] = &p->miss[i];
            untold |= !p->miss[i].told;
        }
    }
    if (!untold)
        tell(p, firsts);
    free(firsts);
    return untold ? fail(p, "%.200s: the first failure of a kind is not told in full", p->first_name) : 0;
}

static void take_undone(parts *p)
{
    if (p->undones)
        qsort(p->undone, (size_t)p->undones, sizeof *p->undone, by_first);
    for (int64_t i = 0; i < p->undones; i++) {
        result r = { .c = p->undone[i].first, .number = p->undone[i].number };
        snprintf(r.v.said.message, sizeof r.v.said.message, "%s", p->undone[i].why);
        undone_add(&p->r.undone, &r, p->undone[i].count);
    }
}

/* As check promises a range of which nothing is left out. */
static void promise(parts *p)
{
    const node *chosen = node_get(node_get(p->tree, "run"), "selection");
    case_range range = { .op_glob = or_null(node_get(chosen, "op")),
                         .families = or_null(node_get(chosen, "family")),
                         .elements = parts_elements(text_at(chosen, "dtype")),
                         .full = p->r.full };
    if (node_get(chosen, "layout") || node_get(chosen, "generator") || node_get(chosen, "clause")
        || node_get(chosen, "cases"))
        return;
    tally_promise_range(p->r.tally, &range);
    p->r.whole = !range.op_glob && !range.elements;
}

int parts_finish(parts *p)
{
    row total = tally_total(p->r.tally);
    if (!p->tree)
        return fail(p, "there is no result");
    p->r.seen = total.cases + total.unsupported;
    p->r.environment = p->environment;
    p->r.remark = p->remark;
    p->r.waivers = p->known.count ? &p->known : NULL;
    promise(p);
    take_undone(p);
    return take_misses(p);
}

void parts_free(parts *p)
{
    for (int64_t i = 0; i < p->misses; i++) {
        free(p->miss[i].told);
        free(p->miss[i].itself);
    }
    free(p->miss);
    free(p->undone);
    free(p->digest);
    free(p->selection);
    free(p->text);
    tree_free(p->tree);
    failures_free(&p->r.failures);
    tally_free(p->r.tally);
    waivers_free(&p->known);
}
