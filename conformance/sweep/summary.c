/* A sweep in numbers, as text and as JSON. */
#include "summary.h"

#include <string.h>

static int is_of(int64_t block, int shard, int shards) { return block % shards == shard - 1; }

static void add_block(summary *s, const block_result *r)
{
    s->done++;
    s->cells += r->cells;
    s->edges += r->edges;
    s->bounded += r->bounded;
    s->close += r->close;
    s->failed += r->failed;
    if (r->worst > s->worst) {
        s->worst = r->worst;
        s->worst_block = r->block;
    }
    s->digest = (s->digest ^ r->digest) * 0x9e3779b97f4a7c15u;
    s->digest ^= s->digest >> 32;
    if (r->failed && s->misses < SUMMARY_MISSES)
        s->miss[s->misses++] = r;
    s->failed_blocks += r->failed > 0;
}

summary summarize(const collection *c, int shard, int shards)
{
    summary s = { .shard = shard, .shards = shards, .digest = text_digest("") };
    for (int64_t block = c->first; block <= c->last; block++) {
        s.planned += is_of(block, shard, shards);
        if (is_of(block, shard, shards) && collect_has(c, block))
            add_block(&s, &c->block[block - c->first]);
    }
    return s;
}

int summary_is_good(const summary *s) { return s->done && s->done == s->planned && !s->failed; }

/* Only blocks of the shard count, and a range goes over others'. */
void missing_blocks(const collection *c, int shard, int shards, char *text, size_t size)
{
    size_t used = 0;
    *text = 0;
    for (int64_t block = c->first; block <= c->last && used + 64 < size; block++) {
        int64_t from = block, to = block - 1;
        for (; block <= c->last && (!is_of(block, shard, shards) || !collect_has(c, block)); block++) {
            from = to < from && !is_of(from, shard, shards) ? block : from;
            to = is_of(block, shard, shards) ? block : to;
        }
        if (to < from)
            continue;
        used += (size_t)snprintf(text + used, size - used, used ? ", %lld" : "%lld", (long long)from);
        if (to > from)
            used += (size_t)snprintf(text + used, size - used, "-%lld", (long long)to);
    }
    if (used + 64 >= size)
        snprintf(text + used, size - used, ", ...");
}

/* ---- text ------------------------------------------------------------------------------------ */

static void print_words(FILE *to, const char *heading)
{
    heading_pair pair;
    for (const char *at = heading; (at = heading_next(at, &pair));)
        fprintf(to, "%-8s %s\n", pair.key, pair.value);
}

static void print_misses(FILE *to, const summary *s)
{
    char text[200];
    for (int i = 0; i < s->misses; i++) {
        miss_print(&s->miss[i]->first, text, sizeof text);
        fprintf(to, "  block %lld: %lld wrong, the first %s\n", (long long)s->miss[i]->block,
                (long long)s->miss[i]->failed, text);
    }
    if (s->failed_blocks > s->misses)
        fprintf(to, "  and %lld further blocks\n", (long long)(s->failed_blocks - s->misses));
}

void summary_text(FILE *to, const collection *c, const summary *s)
{
    char missing[1024];
    missing_blocks(c, s->shard, s->shards, missing, sizeof missing);
    print_words(to, c->heading);
    if (s->shards > 1)
        fprintf(to, "part     %d/%d\n", s->shard, s->shards);
    fprintf(to, "done     %lld of %lld blocks, %lld pairs, %lld cells\n", (long long)s->done, (long long)s->planned,
            (long long)(s->done * BLOCK), (long long)s->cells);
    if (*missing)
        fprintf(to, "missing  %s\n", missing);
    fprintf(to, "edges    %lld cells; within a bound %lld; asked of truth %lld\n", (long long)s->edges,
            (long long)s->bounded, (long long)s->close);
    fprintf(to, "worst    %.17g of the bound, in block %lld\n", s->worst, (long long)s->worst_block);
    fprintf(to, "digest   %016llx\n", (unsigned long long)s->digest);
    fprintf(to, "failed   %lld cells, in %lld blocks\n", (long long)s->failed, (long long)s->failed_blocks);
    print_misses(to, s);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_words(FILE *to, const char *heading)
{
    heading_pair pair;
    int words = 0;
    for (const char *at = heading; (at = heading_next(at, &pair));) {
        fprintf(to, "%s\"%s\": \"", words++ ? ", " : "", pair.key);
        for (const char *letter = pair.value; *letter; letter++)
            fprintf(to, *letter == '"' || *letter == '\\' ? "\\%c" : "%c", *letter);
        fprintf(to, "\"");
    }
}

static void json_misses(FILE *to, const summary *s)
{
    for (int i = 0; i < s->misses; i++) {
        const block_miss *m = &s->miss[i]->first;
        fprintf(
            to,
            "%s\n    { \"block\": %lld, \"failed\": %lld, \"cell\": \"d%c\", \"dy\": \"0x%04x\", \"a\": \"0x%04x\", "
            "\"b\": \"0x%04x\", \"got\": \"0x%04x\", \"want\": \"0x%04x\", \"clause\": \"%s\" }",
            i ? "," : "", (long long)s->miss[i]->block, (long long)s->miss[i]->failed, m->out, m->dy, m->a, m->b,
            m->got, m->want, m->clause);
    }
}

void summary_json(FILE *to, const collection *c, const summary *s)
{
    char missing[1024];
    missing_blocks(c, s->shard, s->shards, missing, sizeof missing);
    fprintf(to, "{ \"format\": 1,\n  \"sweep\": { ");
    json_words(to, c->heading);
    fprintf(to, " },\n  \"part\": \"%d/%d\",\n  \"good\": %s,\n", s->shard, s->shards,
            summary_is_good(s) ? "true" : "false");
    fprintf(to, "  \"planned\": %lld, \"done\": %lld, \"missing\": \"%s\",\n", (long long)s->planned,
            (long long)s->done, missing);
    fprintf(to, "  \"pairs\": %lld, \"cells\": %lld, \"edges\": %lld, \"bounded\": %lld, \"close\": %lld,\n",
            (long long)(s->done * BLOCK), (long long)s->cells, (long long)s->edges, (long long)s->bounded,
            (long long)s->close);
    fprintf(to, "  \"worst\": %.17g, \"worst_block\": %lld, \"digest\": \"%016llx\",\n", s->worst,
            (long long)s->worst_block, (unsigned long long)s->digest);
    fprintf(to, "  \"failed\": %lld, \"failed_blocks\": %lld, \"failures\": [", (long long)s->failed,
            (long long)s->failed_blocks);
    json_misses(to, s);
    fprintf(to, "] }\n");
}
