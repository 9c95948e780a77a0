/* The number is kept as an exact integer in 32-bit limbs: value = digits * 10^e, compared and divided without rounding.
 * Digits beyond 800 cannot change the nearest double except by being nonzero, so they become one sticky digit. */
#include "decimal.h"
#include <ctype.h>

enum { LIMBS = 192, MAX_DIGITS = 800 };

typedef struct big {
    u32 limb[LIMBS];
    int n;
} big;

static void mul_add(big *b, u32 by, u32 add)
{
    u64 carry = add;
    for (int i = 0; i < b->n; i++) {
        carry += (u64)b->limb[i] * by;
        b->limb[i] = (u32)carry;
        carry >>= 32;
    }
    if (carry && b->n < LIMBS)
        b->limb[b->n++] = (u32)carry;
}

static int bit_length(const big *b) { return b->n ? 32 * b->n - __builtin_clz(b->limb[b->n - 1]) : 0; }

static void shift_left(big *b, int bits)
{
    for (; bits >= 31; bits -= 31)
        mul_add(b, 1u << 31, 0);
    if (bits > 0)
        mul_add(b, 1u << bits, 0);
}

static int compare(const big *a, const big *b)
{
    if (a->n != b->n)
        return a->n < b->n ? -1 : 1;
    for (int i = a->n - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static void subtract(big *a, const big *b)
{
    s64 borrow = 0;
    for (int i = 0; i < a->n; i++) {
        s64 v = (s64)a->limb[i] - (i < b->n ? b->limb[i] : 0) + borrow;
        a->limb[i] = (u32)v;
        borrow = v >> 32;
    }
    while (a->n && !a->limb[a->n - 1])
        a->n--;
}

/* floor(num / den) to 63 or 64 bits by shifting, one bit at a time; *rest says that something is left. */
static u64 divide_bits(big *num, const big *den, int bits, bool *rest)
{
    u64 q = 0;
    for (int i = 0; i < bits; i++) {
        q <<= 1;
        if (compare(num, den) >= 0) {
            subtract(num, den);
            q |= 1;
        }
        mul_add(num, 2, 0);
    }
    *rest = num->n != 0;
    return q;
}

/* num/den in [1/2, 2) scaled by 2^e to the nearest double, ties to even. */
static u64 round_quotient(big *num, big *den, int e)
{
    bool rest;
    if (compare(num, den) < 0) {
        shift_left(num, 1);
        e--;
    }
    u64 q = divide_bits(num, den, 64, &rest); /* leading bit set: q/2^63 in [1, 2) */
    int drop = e < -1022 ? 11 - 1022 - e : 11;
    if (e > 1023)
        return 0x7ff0000000000000;
    if (drop > 65)
        return 0;
    u128 wide = ((u128)q << 2) | rest;
    u128 half = (u128)1 << (drop + 1), kept = wide >> (drop + 2), tail = wide & ((half << 1) - 1);
    u64 m = (u64)kept + (tail > half || (tail == half && (kept & 1)));
    u64 biased = e < -1022 ? 0 : (u64)(e + 1022); /* the leading bit carries into the exponent */
    return (biased << 52) + m;
}

static u64 scale(big *digits, int exponent)
{
    big num = *digits, den = { .limb = { 1 }, .n = 1 };
    if (!num.n || exponent < -1200)
        return 0;
    if (exponent > 400)
        return 0x7ff0000000000000;
    for (int i = 0; i < exponent; i++)
        mul_add(&num, 10, 0);
    for (int i = 0; i > exponent; i--)
        mul_add(&den, 10, 0);
    int e = bit_length(&num) - bit_length(&den);
    if (e > 0)
        shift_left(&den, e);
    else
        shift_left(&num, -e);
    return round_quotient(&num, &den, e);
}

typedef struct reader {
    const char *text;
    size_t len, pos;
} reader;

static bool digit_at(const reader *r) { return r->pos < r->len && isdigit((unsigned char)r->text[r->pos]); }

static void read_digits(reader *r, big *b, int *count, int *exponent, int step)
{
    for (; digit_at(r); r->pos++) {
        u32 d = (u32)(r->text[r->pos] - '0');
        if (*count < MAX_DIGITS) {
            mul_add(b, 10, d);
            *count += b->n != 0;
            *exponent += step;
        } else {
            if (d)
                b->limb[0] |= 1;
            *exponent += step + 1;
        }
    }
}

static int read_exponent(reader *r)
{
    size_t start = r->pos;
    int sign = 1, value = 0;
    if (r->pos >= r->len || (r->text[r->pos] | 32) != 'e')
        return 0;
    r->pos++;
    if (r->pos < r->len && (r->text[r->pos] == '+' || r->text[r->pos] == '-'))
        sign = r->text[r->pos++] == '-' ? -1 : 1;
    if (!digit_at(r)) {
        r->pos = start;
        return 0;
    }
    for (; digit_at(r); r->pos++)
        if (value < 100000)
            value = value * 10 + (r->text[r->pos] - '0');
    return sign * value;
}

u64 decimal_to_f64(const char *text, size_t len, size_t *used)
{
    reader r = { text, len, 0 };
    big b = { .n = 0 };
    int count = 0, exponent = 0;
    read_digits(&r, &b, &count, &exponent, 0);
    if (r.pos < len && text[r.pos] == '.') {
        r.pos++;
        read_digits(&r, &b, &count, &exponent, -1);
    }
    exponent += read_exponent(&r);
    *used = r.pos;
    return scale(&b, exponent);
}
