/* Lines of finished blocks. */
#include "line.h"
#include "conformance/clause/clauses.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void print_miss(const block_result *r, char *text, size_t size)
{
    const block_miss *m = &r->first;
    if (!r->failed)
        snprintf(text, size, "-");
    else
        snprintf(text, size, "%c:%x:%x:%x:%x:%x:%s", m->out, m->dy, m->a, m->b, m->got, m->want, m->clause);
}

int line_print(const block_result *r, uint64_t key, char text[LINE_SIZE])
{
    char miss[96];
    print_miss(r, miss, sizeof miss);
    int used = snprintf(text, LINE_SIZE, "%lld %016llx %lld %lld %lld %lld %.17g %lld %s %016llx", (long long)r->block,
                        (unsigned long long)r->digest, (long long)r->cells, (long long)r->edges, (long long)r->bounded,
                        (long long)r->close, r->worst, (long long)r->failed, miss, (unsigned long long)key);
    used += snprintf(text + used, (size_t)(LINE_SIZE - used), " %08x\n", (unsigned)(text_digest(text) >> 32));
    return used;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* The last word is the digest of those before it. */
static int is_whole(const char *text)
{
    const char *last = strrchr(text, ' ');
    char before[LINE_SIZE], sum[16];
    if (!last || last - text >= LINE_SIZE)
        return 0;
    snprintf(before, sizeof before, "%.*s", (int)(last - text), text);
    snprintf(sum, sizeof sum, "%08x", (unsigned)(text_digest(before) >> 32));
    return !strcmp(sum, last + 1);
}

static int read_miss(const char *word, block_miss *m)
{
    char id[32];
    if (sscanf(word, "%c:%x:%x:%x:%x:%x:%31s", &m->out, &m->dy, &m->a, &m->b, &m->got, &m->want, id) != 7)
        return -1;
    const clause *c = clause_find(id);
    m->clause = c ? c->id : NULL;
    return m->clause && (strchr("abx", m->out)) ? 0 : -1;
}

int line_read(const char *text, uint64_t key, block_result *r)
{
    long long block, cells, edges, bounded, close, failed;
    unsigned long long digest, own;
    char miss[96];
    double worst;
    if (!is_whole(text)
        || sscanf(text, "%lld %16llx %lld %lld %lld %lld %lg %lld %95s %16llx", &block, &digest, &cells, &edges,
                  &bounded, &close, &worst, &failed, miss, &own)
               != 10
        || own != key || block < 0 || failed < 0)
        return -1;
    *r = (block_result){ block, digest, cells, edges, bounded, close, failed, worst, { 0 } };
    return failed ? read_miss(miss, &r->first) : 0;
}

void miss_print(const block_miss *m, char *text, size_t size)
{
    int lines = m->out == 'x';
    snprintf(text, size, "d%c(dy=0x%04x, %c=0x%04x, %c=0x%04x) = 0x%04x, not 0x%04x: %s", m->out, m->dy,
             lines ? 'x' : 'a', m->a, lines ? 'y' : 'b', m->b, m->got, m->want, m->clause);
}
