/* Finite state entropy: tables and their descriptions, and the bit stream that is read from its end. */
#include "zstd.h"

bool bits_start(bits *b, const u8 *p, size_t n)
{
    if (!n || !p[n - 1])
        return false;
    *b = (bits){ p, n, (s64)n * 8 - 8 + high_bit(p[n - 1]) };
    return true;
}

/* n bits from position `at` on, which lies in the stream. */
static u32 bits_at(const bits *b, s64 at, u32 n)
{
    size_t first = (size_t)at / 8;
    u64 v = 0;
    for (size_t i = 0; i < 8 && first + i < b->n; i++)
        v |= (u64)b->p[first + i] << 8 * i;
    return (u32)(v >> at % 8 & (((u64)1 << n) - 1));
}

u32 bits_read(bits *b, u32 n)
{
    s64 had = b->left;
    b->left -= n;
    if (b->left >= 0)
        return bits_at(b, b->left, n);
    return had > 0 ? bits_at(b, 0, (u32)had) << (n - (u32)had) : 0;
}

/* Symbols are dealt over the table in steps; those with less than one state come last. */
bool fse_build(fse_table *t, const s16 *counts, u32 symbols, u32 log)
{
    u32 size = 1u << log, high = size, pos = 0, step = (size >> 1) + (size >> 3) + 3;
    u16 next[FSE_MOST_SYMBOLS];
    t->log = log;
    for (u32 s = 0; s < symbols; s++) {
        next[s] = counts[s] < 0 ? 1 : (u16)counts[s];
        if (counts[s] < 0)
            t->rows[--high].symbol = (u8)s;
    }
    for (u32 s = 0; s < symbols; s++)
        for (int i = 0; i < counts[s]; i++) {
            t->rows[pos].symbol = (u8)s;
            do
                pos = (pos + step) & (size - 1);
            while (pos >= high);
        }
    for (u32 i = 0; i < size; i++) {
        u32 n = next[t->rows[i].symbol]++;
        t->rows[i].bits = (u8)(log - high_bit(n));
        t->rows[i].base = (u16)((n << t->rows[i].bits) - size);
    }
    return t->valid = pos == 0;
}

void fse_single(fse_table *t, u8 symbol)
{
    t->log = 0;
    t->rows[0].symbol = symbol;
    t->rows[0].bits = 0;
    t->rows[0].base = 0;
    t->valid = true;
}

/* --- a table's description is read forwards --- */
typedef struct forward {
    bits b;
    s64 at;
} forward;

static u32 take(forward *f, u32 n)
{
    u32 v = f->at < (s64)f->b.n * 8 ? bits_at(&f->b, f->at, n) : 0;
    f->at += n;
    return v;
}

/* A count takes one bit less where its value is small. */
static int read_count(forward *f, u32 remaining)
{
    u32 n = high_bit(remaining + 1) + 1, v = take(f, n), low = (1u << (n - 1)) - 1;
    u32 threshold = (1u << n) - 1 - (remaining + 1);
    if ((v & low) < threshold) {
        f->at--;
        v &= low;
    } else if (v > low) {
        v -= threshold;
    }
    return (int)v - 1;
}

size_t fse_read(fse_table *t, const u8 *p, size_t n, u32 most_log)
{
    forward f = { { p, n, 0 }, 0 };
    s16 counts[FSE_MOST_SYMBOLS];
    u32 symbols = 0, log = take(&f, 4) + 5;
    int remaining = 1 << log;
    t->valid = false;
    if (log > most_log)
        return 0;
    while (remaining > 0 && symbols < FSE_MOST_SYMBOLS) {
        int count = read_count(&f, (u32)remaining);
        remaining -= count < 0 ? -count : count;
        counts[symbols++] = (s16)count;
        for (u32 zeros = count ? 0 : 3; zeros == 3;) {
            zeros = take(&f, 2);
            for (u32 i = 0; i < zeros && symbols < FSE_MOST_SYMBOLS; i++)
                counts[symbols++] = 0;
            if (f.at > (s64)n * 8)
                return 0;
        }
    }
    if (remaining || f.at > (s64)n * 8 || !fse_build(t, counts, symbols, log))
        return 0;
    return (size_t)(f.at + 7) / 8;
}
