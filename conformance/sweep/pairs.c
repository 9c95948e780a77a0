/* The pairs of a block, and what a sweep is called. */
#include "pairs.h"
#include "conformance/clause/clauses.h"

#include <stdio.h>
#include <string.h>

int64_t sweep_all(const sweep *s) { return s->dys * s->blocks; }

int sweep_is_own(const sweep *s, int64_t block)
{
    return block >= s->first && block <= s->last && block % s->shards == s->shard - 1;
}

/* ---- operands -------------------------------------------------------------------------------- */

static void every_pair(uint16_t a, uint16_t *first, uint16_t *second)
{
    for (int i = 0; i < BLOCK; i++) {
        first[i] = a;
        second[i] = (uint16_t)i;
    }
}

/* Multiples of the inverses of the number whose cube is itself and 1, and of its square, modulo 1: of all such
 * sequences in the plane that with the least discrepancy. */
static void sampled_pairs(uint64_t from, uint32_t *first, uint32_t *second)
{
    for (uint64_t i = 0; i < BLOCK; i++) {
        first[i] = (uint32_t)((from + i) * 0xc13fa9a902a6328fu >> 32);
        second[i] = (uint32_t)((from + i) * 0x91e10da5c79e7b1du >> 32);
    }
}

void block_operands(const sweep *s, int64_t block, void *dy, void *a, void *b)
{
    size_t size = cot_element_size(s->desc.element);
    double g = s->dy[block / s->blocks];
    uint64_t within = (uint64_t)(block % s->blocks);
    cot_cell_set(s->desc.element, dy, g);
    for (size_t filled = size; filled < BLOCK * size; filled *= 2)
        memcpy((char *)dy + filled, dy, filled);
    if (size == 2)
        every_pair((uint16_t)within, a, b);
    else
        sampled_pairs(within * BLOCK, a, b);
}

/* ---- names ----------------------------------------------------------------------------------- */

static uint64_t digest_text(uint64_t digest, const char *text)
{
    for (; *text; text++)
        digest = (digest ^ (unsigned char)*text) * 0x100000001b3u;
    return digest;
}

uint64_t text_digest(const char *text) { return digest_text(0xcbf29ce484222325u, text); }

static uint64_t spec_digest(void)
{
    uint64_t digest = text_digest("");
    const clause *c;
    for (int i = 0; (c = clause_at(i)); i++)
        digest = digest_text(digest_text(digest_text(digest, c->id), c->scope), c->text);
    return digest;
}

/* Words are parted by blanks, so what is in them has none. */
static void add_word(char *text, const char *key, const char *value)
{
    size_t used = strlen(text);
    snprintf(text + used, HEADING_SIZE - used, " %s=%s", key, value);
    for (char *at = text + used + 1; *at; at++)
        if (*at <= ' ')
            *at = '_';
}

static void add_number(char *text, const char *key, double value)
{
    char word[40];
    snprintf(word, sizeof word, "%.17g", value);
    add_word(text, key, word);
}

void sweep_name(sweep *s, const cot_backend *backend, const char *name, const char *claim)
{
    const cot_backend_info *about = cot_backend_about(backend);
    const cot_op_info *op = cot_op_get(s->desc.op);
    char dys[SWEEP_DYS * 26] = "", spec[17], range[64];
    for (int i = 0; i < s->dys; i++)
        snprintf(dys + strlen(dys), sizeof dys - strlen(dys), "%s%.17g", i ? "," : "", s->dy[i]);
    snprintf(spec, sizeof spec, "%016llx", (unsigned long long)spec_digest());
    snprintf(range, sizeof range, "%lld-%lld/%lld", (long long)s->first, (long long)s->last, (long long)sweep_all(s));
    snprintf(s->heading, HEADING_SIZE, "cotangent-sweep 1");
    add_word(s->heading, "version", COT_VERSION);
    add_word(s->heading, "spec", spec);
    add_word(s->heading, "op", op->name);
    add_word(s->heading, "dtype", cot_element_name(s->desc.element));
    if (cot_op_takes(op, COT_TAKES_PARAM))
        add_number(s->heading, "param", s->desc.param);
    add_word(s->heading, "dy", dys);
    add_word(s->heading, "blocks", range);
    add_word(s->heading, "backend", name);
    add_word(s->heading, "device", about && *about->device ? about->device : "-");
    add_word(s->heading, "judged", claim);
}
