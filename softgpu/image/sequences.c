/* The sequences of a block: so many literals, then a match of a length at a distance. */
#include "zstd.h"

/* What a code stands for: a base, plus so many bits of the stream. */
typedef struct code {
    u32 base;
    u8 bits;
} code;

// clang-format off
static const code length_codes[] = {
    { 0, 0 }, { 1, 0 }, { 2, 0 }, { 3, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 }, { 8, 0 }, { 9, 0 }, { 10, 0 },
    { 11, 0 }, { 12, 0 }, { 13, 0 }, { 14, 0 }, { 15, 0 }, { 16, 1 }, { 18, 1 }, { 20, 1 }, { 22, 1 }, { 24, 2 },
    { 28, 2 }, { 32, 3 }, { 40, 3 }, { 48, 4 }, { 64, 6 }, { 128, 7 }, { 256, 8 }, { 512, 9 }, { 1024, 10 },
    { 2048, 11 }, { 4096, 12 }, { 8192, 13 }, { 16384, 14 }, { 32768, 15 }, { 65536, 16 },
};
static const code match_codes[] = {
    { 3, 0 }, { 4, 0 }, { 5, 0 }, { 6, 0 }, { 7, 0 }, { 8, 0 }, { 9, 0 }, { 10, 0 }, { 11, 0 }, { 12, 0 }, { 13, 0 },
    { 14, 0 }, { 15, 0 }, { 16, 0 }, { 17, 0 }, { 18, 0 }, { 19, 0 }, { 20, 0 }, { 21, 0 }, { 22, 0 }, { 23, 0 },
    { 24, 0 }, { 25, 0 }, { 26, 0 }, { 27, 0 }, { 28, 0 }, { 29, 0 }, { 30, 0 }, { 31, 0 }, { 32, 0 }, { 33, 0 },
    { 34, 0 }, { 35, 1 }, { 37, 1 }, { 39, 1 }, { 41, 1 }, { 43, 2 }, { 47, 2 }, { 51, 3 }, { 59, 3 }, { 67, 4 },
    { 83, 4 }, { 99, 5 }, { 131, 7 }, { 259, 8 }, { 515, 9 }, { 1027, 10 }, { 2051, 11 }, { 4099, 12 }, { 8195, 13 },
    { 16387, 14 }, { 32771, 15 }, { 65539, 16 },
};
static const s16 length_counts[] = { 4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1,
                                     1, 1, 1, 1, -1, -1, -1, -1 };
static const s16 offset_counts[] = { 1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1,
                                     -1, -1, -1 };
static const s16 match_counts[] = { 1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
                                    1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1 };

/* The three kinds of codes, in the order of their tables in a block: default counts, and limits. */
static const struct kind { const s16 *counts; u32 symbols, log, most_log, most_symbol; } kinds[] = {
    { length_counts, COUNT(length_counts), 6, 9, COUNT(length_codes) - 1 },
    { offset_counts, COUNT(offset_counts), 5, 8, 31 },
    { match_counts, COUNT(match_counts), 6, 9, COUNT(match_codes) - 1 },
};
// clang-format on
enum { DEFAULT, SINGLE, DESCRIBED, REPEATED };

typedef struct input {
    const u8 *p;
    size_t n;
} input;

static bool read_table(const struct kind *k, fse_table *t, u32 mode, input *in)
{
    size_t used = 0;
    if (mode == DEFAULT)
        return fse_build(t, k->counts, k->symbols, k->log);
    if (mode == REPEATED)
        return t->valid;
    if (mode == SINGLE && in->n) {
        used = 1;
        fse_single(t, in->p[0]);
    }
    if (mode == DESCRIBED)
        used = fse_read(t, in->p, in->n, k->most_log);
    for (u32 i = 0; used && i < 1u << t->log; i++)
        if (t->rows[i].symbol > k->most_symbol)
            used = 0;
    in->p += used;
    in->n -= used;
    return used != 0;
}

/* The number of sequences; false where the block ends before. */
static bool read_count(input *in, u32 *count)
{
    const u8 *p = in->p;
    size_t used = !in->n ? 0 : p[0] < 128 ? 1 : p[0] < 255 ? 2 : 3;
    if (!used || used > in->n)
        return false;
    *count = used == 1 ? p[0] : used == 2 ? (p[0] - 128u) << 8 | p[1] : (p[1] | (u32)p[2] << 8) + 0x7f00;
    in->p += used;
    in->n -= used;
    return true;
}

/* Values up to 3 name one of the last three distances; 0 is none. */
static size_t distance(frame *f, u32 value, u32 literals)
{
    size_t *r = f->repeats;
    u32 which = value > 3 ? 3 : value - 1 + !literals;
    size_t d = value > 3 ? value - 3 : which == 3 ? r[0] - 1 : r[which];
    if (which > 1)
        r[2] = r[1];
    if (which > 0)
        r[1] = r[0];
    r[0] = d;
    return d;
}

static bool copy(frame *f, const u8 **literal, size_t *left, size_t literals, size_t back, size_t match)
{
    if (literals > *left || literals > f->room - f->at || match > f->room - f->at - literals)
        return false;
    memcpy(f->out + f->at, *literal, literals);
    f->at += literals;
    *literal += literals;
    *left -= literals;
    if (match && (!back || back > f->at - f->first))
        return false;
    for (size_t i = 0; i < match; i++, f->at++) /* byte by byte: the match may reach into what it writes */
        f->out[f->at] = f->out[f->at - back];
    return true;
}

static u32 value(const code *c, bits *b) { return c->base + bits_read(b, c->bits); }
static u32 next_state(const fse_table *t, u32 s, bits *b) { return t->rows[s].base + bits_read(b, t->rows[s].bits); }

static bool run_all(frame *f, bits *b, u32 count)
{
    const u8 *literal = f->literals;
    size_t left = f->nliterals;
    u32 l = bits_read(b, f->lengths.log), o = bits_read(b, f->offsets.log), m = bits_read(b, f->matches.log);
    for (u32 i = 0; i < count; i++) {
        u32 shift = f->offsets.rows[o].symbol;
        u32 offset = (u32)((u64)1 << shift) + bits_read(b, shift);
        u32 match = value(&match_codes[f->matches.rows[m].symbol], b);
        u32 literals = value(&length_codes[f->lengths.rows[l].symbol], b);
        if (b->left < 0 || !copy(f, &literal, &left, literals, distance(f, offset, literals), match))
            return false;
        if (i + 1 == count)
            break;
        l = next_state(&f->lengths, l, b);
        m = next_state(&f->matches, m, b);
        o = next_state(&f->offsets, o, b);
    }
    return b->left == 0 && copy(f, &literal, &left, left, 0, 0);
}

bool run_sequences(frame *f, const u8 *p, size_t n)
{
    input in = { p, n };
    const u8 *literal = f->literals;
    size_t left = f->nliterals;
    u32 count;
    bits b;
    if (!read_count(&in, &count))
        return false;
    if (!count)
        return copy(f, &literal, &left, left, 0, 0);
    if (!in.n)
        return false;
    u32 modes = *in.p;
    in = (input){ in.p + 1, in.n - 1 };
    if (modes & 3 || !read_table(&kinds[0], &f->lengths, modes >> 6, &in)
        || !read_table(&kinds[1], &f->offsets, modes >> 4 & 3, &in)
        || !read_table(&kinds[2], &f->matches, modes >> 2 & 3, &in))
        return false;
    return bits_start(&b, in.p, in.n) && run_all(f, &b, count);
}
