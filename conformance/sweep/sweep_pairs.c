/* The pairs of a block, and what a sweep is called. */
#include "sweep_pairs.h"
#include "conformance/case/words.h"

#include <stdio.h>
#include <string.h>

int64_t sweep_all(const sweep *s) { return s->dys * s->blocks; }

int sweep_is_own(const sweep *s, int64_t block)
{
    return block >= s->first && block <= s->last && block % s->shards == s->shard - 1;
}

/* ---- what a pair is -------------------------------------------------------------------------- */

pairing pairing_of(cot_op which)
{
    const cot_op_info *op = cot_op_get(which);
    switch (op->family) {
    case COT_BINARY:
    case COT_BINARY_PARAM: return PAIRS_AB;
    case COT_REDUCE: return op->needs == (COT_NEEDS_X | COT_NEEDS_Y) && !op->kind ? PAIRS_XY : PAIRS_NONE;
    case COT_SOFTMAX_FAMILY: return PAIRS_LINE;
    case COT_SCAN: return PAIRS_NONE;
    }
    return PAIRS_NONE;
}

int results_of(cot_op op) { return pairing_of(op) == PAIRS_XY ? 1 : 2; }

cot_desc pairs_desc(cot_op op, cot_element element)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1, .shape = { BLOCK } };
    if (pairing_of(op) == PAIRS_AB)
        return desc;
    desc.rank = 2;
    desc.axis = 1;
    desc.shape[1] = pairing_of(op) == PAIRS_LINE ? 2 : 1;
    return desc;
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

void weave(cot_element element, int64_t lines, const void *first, const void *second, void *line)
{
    const uint16_t *a = first, *b = second;
    const uint32_t *wide_a = first, *wide_b = second;
    uint16_t *to = line;
    uint32_t *wide_to = line;
    if (cot_element_size(element) == 2)
        for (int64_t i = 0; i < lines; i++)
            to[2 * i] = a[i], to[2 * i + 1] = b[i];
    else
        for (int64_t i = 0; i < lines; i++)
            wide_to[2 * i] = wide_a[i], wide_to[2 * i + 1] = wide_b[i];
}

void unweave(cot_element element, int64_t lines, const void *line, void *first, void *second)
{
    const uint16_t *from = line;
    const uint32_t *wide_from = line;
    uint16_t *a = first, *b = second;
    uint32_t *wide_a = first, *wide_b = second;
    if (cot_element_size(element) == 2)
        for (int64_t i = 0; i < lines; i++)
            a[i] = from[2 * i], b[i] = from[2 * i + 1];
    else
        for (int64_t i = 0; i < lines; i++)
            wide_a[i] = wide_from[2 * i], wide_b[i] = wide_from[2 * i + 1];
}

/* ---- names ----------------------------------------------------------------------------------- */

static int add_number(char *text, const char *key, double value)
{
    char word[40];
    snprintf(word, sizeof word, "%.17g", value);
    return heading_add(text, key, word);
}

static int add_dys(const sweep *s, char *text)
{
    char dys[SWEEP_DYS * 26] = "";
    for (int i = 0; i < s->dys; i++)
        snprintf(dys + strlen(dys), sizeof dys - strlen(dys), "%s%.17g", i ? "," : "", s->dy[i]);
    return heading_add(text, "dy", dys);
}

static int add_range(const sweep *s, char *text)
{
    char range[64];
    snprintf(range, sizeof range, "%lld-%lld/%lld", (long long)s->first, (long long)s->last, (long long)sweep_all(s));
    return heading_add(text, "blocks", range);
}

static int add_pairs(const sweep *s, char *text)
{
    const cot_op_info *op = cot_op_get(s->desc.op);
    char spec[17];
    snprintf(spec, sizeof spec, "%016llx", (unsigned long long)clauses_digest());
    int lost = heading_add(text, "version", COT_VERSION) | heading_add(text, "spec", spec)
               | heading_add(text, "op", op->name) | heading_add(text, "dtype", cot_element_name(s->desc.element));
    if (cot_op_takes(op, COT_TAKES_PARAM))
        lost |= add_number(text, "param", s->desc.param);
    return lost | add_dys(s, text) | add_range(s, text);
}

int sweep_name(sweep *s, const cot_backend *backend, const char *name, const char *option, const char *claim)
{
    const cot_backend_info *about = cot_backend_about(backend);
    snprintf(s->heading, HEADING_SIZE, "cotangent-sweep 1");
    int lost = add_pairs(s, s->heading) | heading_add(s->heading, "backend", name);
    if (option)
        lost |= heading_add(s->heading, "device_option", option);
    return lost | heading_add(s->heading, "device", about && *about->device ? about->device : "-")
           | heading_add(s->heading, "judged", claim);
}

/* ---- a sweep by its name --------------------------------------------------------------------- */

static int read_dys(const char *list, sweep *s)
{
    for (s->dys = 0; *list && s->dys < SWEEP_DYS; s->dys++) {
        char word[40];
        int length = (int)strcspn(list, ",");
        snprintf(word, sizeof word, "%.*s", length, list);
        if (parse_number(word, &s->dy[s->dys]))
            return -1;
        list += length + (list[length] == ',');
    }
    return s->dys && !*list ? 0 : -1;
}

static int read_pairs(const char *heading, sweep *s)
{
    char range[64], dys[SWEEP_DYS * 26], param[40];
    long long first, last, all;
    if (heading_word(heading, "dy", dys, sizeof dys) || read_dys(dys, s)
        || heading_word(heading, "blocks", range, sizeof range)
        || sscanf(range, "%lld-%lld/%lld", &first, &last, &all) != 3 || first < 0 || last < first || last >= all
        || all % s->dys || all > (int64_t)1 << 24)
        return -1;
    s->first = first, s->last = last, s->blocks = all / s->dys;
    if (!heading_word(heading, "param", param, sizeof param) && parse_number(param, &s->desc.param))
        return -1;
    return s->desc.element == COT_F32 || s->blocks == BLOCK ? 0 : -1;
}

int sweep_from_name(const char *heading, sweep *s)
{
    char version[40], spec[40], own[40], name[40], type[16];
    snprintf(own, sizeof own, "%016llx", (unsigned long long)clauses_digest());
    if (heading_word(heading, "version", version, sizeof version) || heading_word(heading, "spec", spec, sizeof spec)
        || heading_word(heading, "op", name, sizeof name) || heading_word(heading, "dtype", type, sizeof type)
        || strcmp(version, COT_VERSION) || strcmp(spec, own))
        return -1;
    const cot_op_info *op = cot_op_find(name);
    cot_element element = cot_element_find(type);
    *s = (sweep){ .shard = 1, .shards = 1 };
    if (!op || !element || element == COT_F64 || !pairing_of(op->op))
        return -1;
    s->desc = pairs_desc(op->op, element);
    snprintf(s->heading, HEADING_SIZE, "%s", heading);
    return read_pairs(heading, s);
}
