/* Huffman codes of literals: a code is described by the weights of its symbols. */
#include "zstd.h"

enum { MOST_WEIGHTS = 256 };

/* Two interleaved states share the stream; where it is used up, the other state has one more weight. */
static u32 fse_weights(const u8 *p, size_t n, u8 *weights)
{
    fse_table t;
    bits b;
    size_t used = fse_read(&t, p, n, 6);
    u32 state[2], count = 0;
    if (!used || !bits_start(&b, p + used, n - used))
        return 0;
    state[0] = bits_read(&b, t.log);
    state[1] = bits_read(&b, t.log);
    for (u32 turn = 0; count < MOST_WEIGHTS - 2; turn ^= 1) {
        u32 s = state[turn];
        weights[count++] = t.rows[s].symbol;
        state[turn] = t.rows[s].base + bits_read(&b, t.rows[s].bits);
        if (b.left >= 0)
            continue;
        weights[count++] = t.rows[state[turn ^ 1]].symbol;
        return count;
    }
    return 0;
}

static u32 plain_weights(const u8 *p, u32 count, u8 *weights)
{
    for (u32 i = 0; i < count; i++)
        weights[i] = i % 2 ? p[i / 2] & 15 : p[i / 2] >> 4;
    return count;
}

static void fill_table(huffman_table *t, const u8 *weights, u32 count)
{
    u32 at = 0;
    for (u32 w = 1; w <= t->bits; w++)
        for (u32 s = 0; s < count; s++) {
            if (weights[s] != w)
                continue;
            for (u32 i = 0; i < 1u << (w - 1); i++, at++) {
                t->rows[at].symbol = (u8)s;
                t->rows[at].bits = (u8)(t->bits + 1 - w);
            }
        }
}

/* The last weight is left out: it makes the sum a power of two. */
static bool build(huffman_table *t, u8 *weights, u32 count)
{
    u32 sum = 0;
    for (u32 i = 0; i < count; i++) {
        if (weights[i] > HUFFMAN_MOST_BITS)
            return false;
        sum += weights[i] ? 1u << (weights[i] - 1) : 0;
    }
    if (!sum || high_bit(sum) + 1 > HUFFMAN_MOST_BITS)
        return false;
    t->bits = high_bit(sum) + 1;
    u32 rest = (1u << t->bits) - sum;
    if (rest & (rest - 1))
        return false;
    weights[count] = (u8)(high_bit(rest) + 1);
    fill_table(t, weights, count + 1);
    return t->valid = true;
}

size_t huffman_read(huffman_table *t, const u8 *p, size_t n)
{
    u8 weights[MOST_WEIGHTS];
    t->valid = false;
    if (!n)
        return 0;
    bool plain = p[0] >= 128;
    u32 size = plain ? (p[0] - 127u + 1) / 2 : p[0];
    if (size > n - 1)
        return 0;
    u32 count = plain ? plain_weights(p + 1, p[0] - 127u, weights) : fse_weights(p + 1, size, weights);
    return count && build(t, weights, count) ? size + 1 : 0;
}

bool huffman_decode(const huffman_table *t, const u8 *p, size_t n, u8 *out, size_t count)
{
    bits b;
    if (!t->valid || !bits_start(&b, p, n))
        return false;
    u32 mask = (1u << t->bits) - 1, state = bits_read(&b, t->bits);
    for (size_t i = 0; i < count; i++) {
        if (b.left <= -(s64)t->bits)
            return false;
        u32 used = t->rows[state].bits;
        out[i] = t->rows[state].symbol;
        state = ((state << used) + bits_read(&b, used)) & mask;
    }
    return b.left == -(s64)t->bits;
}
