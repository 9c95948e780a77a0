/* The generators: values for the cells of a case. */
#include "generate.h"
#include "generate_exact.h"
#include "philox.h"
#include "core/formula/spec.h"

#include <math.h>
#include <string.h>

static philox random_at(const draw *d) { return philox_at(d->seed, (uint64_t)d->operand, (uint64_t)d->index); }

/* The same for all cells of a line, and for all operands. */
static philox random_of_line(const draw *d) { return philox_at(d->seed, 100, (uint64_t)d->line); }

/* ---- numbers --------------------------------------------------------------------------------- */

typedef struct range {
    int smallest, least, most; /* binary exponents of the smallest number, the least normal one, and the top binade */
    double largest;
} range;

static const range ranges[] = {
    [COT_F16] = { -24, -14, 15, 0x1.ffcp15 },
    [COT_BF16] = { -133, -126, 127, 0x1.fep127 },
    [COT_F32] = { -149, -126, 127, 0x1.fffffep127 },
    [COT_F64] = { -1074, -1022, 1023, 0x1.fffffffffffffp1023 },
};

static double uniform(const draw *d) /* in [-1, 1): 24 random bits, and 53 where there is room for them */
{
    philox r = random_at(d);
    double fine = d->element == COT_F64 ? (double)(r.word[3] >> 3) * 0x1p-52 : 0;
    return (double)(r.word[0] >> 8) * 0x1p-23 - 1 + fine;
}

static double normal(const draw *d) /* nearly: the sum of eight uniform numbers, of variance 1 but for a thousandth */
{
    philox r = random_at(d);
    double sum = -8 * 32767.5;
    for (int i = 0; i < 4; i++)
        sum += (double)(r.word[i] & 0xffff) + (double)(r.word[i] >> 16);
    return sum * 0x1.39cp-16;
}

static double wide(const draw *d) /* up to 256, most of it far from 1 */
{
    return ldexp(uniform(d), (int)(random_at(d).word[1] % 17) - 8);
}

static double integers(const draw *d) /* small enough that sums are exact in every order */
{
    return (double)(random_at(d).word[0] % 7) - 3;
}

static double foreign(const draw *d) { return d->operand == COT_DY ? uniform(d) : integers(d); }

static double in_binade(const draw *d, int exponent) /* of either sign */
{
    double magnitude = ldexp(1 + (uniform(d) + 1) / 2, exponent);
    magnitude = magnitude > ranges[d->element].largest ? ranges[d->element].largest : magnitude;
    return random_at(d).word[2] & 1 ? -magnitude : magnitude;
}

static double exponents(const draw *d)
{
    const range *r = &ranges[d->element];
    return in_binade(d, r->smallest + (int)(random_at(d).word[1] % (unsigned)(r->most - r->smallest + 1)));
}

static double huge(const draw *d) { return in_binade(d, ranges[d->element].most - (int)(random_at(d).word[1] % 2)); }

static double tiny(const draw *d) { return in_binade(d, ranges[d->element].least + (int)(random_at(d).word[1] % 4)); }

static double subnormals(const draw *d)
{
    return ldexp((double)(random_at(d).word[0] % 15) - 7, ranges[d->element].smallest);
}

static double cancel(const draw *d) /* neighbours along the axis are nearly each other's opposite */
{
    draw even = *d;
    even.index = d->line * (d->extent + 1) + d->along / 2;
    return ldexp(d->along % 2 ? -uniform(&even) : uniform(&even), 7) + ldexp(uniform(d), -7);
}

static double rising(const draw *d) { return 4 * ((double)d->along + (uniform(d) + 1) / 2) / (double)d->extent - 2; }

static double falling(const draw *d) { return -rising(d); }

static double constant(const draw *d)
{
    draw line = *d;
    line.index = d->line;
    return uniform(&line);
}

/* 1 and a little, or the reciprocal of that: the product of a line wanders, and stays near 1 however long it is. */
static double near1(const draw *d)
{
    double number = 1 + ldexp(uniform(d), -5);
    return d->operand == COT_DY ? uniform(d) : random_at(d).word[2] & 1 ? 1 / number : number;
}

/* Exponents that everybody has a shortcut for, in b; its bases are ordinary numbers, and now and then special ones. */
static double powers(const draw *d)
{
    static const double exponent[] = { 2, 3, 4, 0.5, 1.5, -1 };
    static const double special[] = { 0.0, -0.0, 1, -1, (double)INFINITY, -(double)INFINITY };
    philox r = random_at(d);
    if (d->operand == COT_B)
        return exponent[r.word[1] % 6];
    return d->operand == COT_DY || r.word[1] % 8 ? 4 * uniform(d) : special[r.word[2] % 6];
}

/* ---- ties: dy is uniform, the others have equal greatest cells, and equal least ones --------- */

static double ties(const draw *d) /* three values only, so that every line has equal cells */
{
    return (double)(random_at(d).word[0] % 3);
}

/* Places of a line that are different from each other for k up to 5, where there is room. */
static int64_t place(const draw *d, int k)
{
    philox r = random_of_line(d);
    int64_t step = 1 + (d->extent > 10 ? r.word[1] % ((d->extent - 1) / 5) : 0);
    return (r.word[0] % d->extent + k * step) % d->extent;
}

static double tie(const draw *d, int greatest, int least)
{
    return d->operand == COT_DY ? uniform(d) : greatest ? 2 : least ? -2 : uniform(d);
}

static double ties2(const draw *d)
{
    return tie(d, d->along == place(d, 0) || d->along == place(d, 1),
               d->along == place(d, 2) || d->along == place(d, 3));
}

static double ties3(const draw *d)
{
    int greatest = 0, least = 0;
    for (int k = 0; k < 3; k++) {
        greatest |= d->along == place(d, k);
        least |= d->along == place(d, k + 3);
    }
    return tie(d, greatest, least);
}

static double tiesall(const draw *d) { return d->operand == COT_DY ? uniform(d) : 1.5; }

static double tiesends(const draw *d)
{
    int64_t from_end = d->extent - 1 - d->along;
    return tie(d, d->along == 0 || from_end == 0, d->along == 1 || from_end == 1);
}

static double tiestile(const draw *d) /* on both sides of where a segment ends, and a tile */
{
    int64_t end = d->extent <= COT_TILE ? COT_SEGMENT : COT_TILE, at = d->along % end;
    return tie(d, at == end - 1 || (at == 0 && d->along), at == end - 2 || at == 1);
}

/* ---- special values -------------------------------------------------------------------------- */

static double sometimes(const draw *d, double special, unsigned one_in)
{
    return random_at(d).word[1] % one_in ? uniform(d) : special;
}

static double nans(const draw *d) { return sometimes(d, (double)NAN, 5); }

static double infinite(const draw *d) { return random_at(d).word[2] & 1 ? (double)INFINITY : -(double)INFINITY; }

static double zero(const draw *d) { return random_at(d).word[2] & 1 ? 0.0 : -0.0; }

static double infinities(const draw *d) { return sometimes(d, infinite(d), 5); }

static double infmix(const draw *d) { return sometimes(d, infinite(d), 2); }

static double zeros(const draw *d) { return sometimes(d, zero(d), 2); }

static double zeroall(const draw *d) { return zero(d); }

/* Special cells are in what was saved, in dy, or in both: lines and seeds take turns. */
static int struck(const draw *d, int64_t along)
{
    uint64_t turn = ((uint64_t)d->line + d->seed) % 3;
    return d->along == along && (d->operand == COT_DY ? turn != 0 : turn != 1);
}

static double nanfirst(const draw *d) { return struck(d, 0) ? (double)NAN : uniform(d); }

static double nanmid(const draw *d) { return struck(d, d->extent / 2) ? (double)NAN : uniform(d); }

static double nanlast(const draw *d) { return struck(d, d->extent - 1) ? (double)NAN : uniform(d); }

static double nanall(const draw *d) { return struck(d, d->along) ? (double)NAN : uniform(d); }

static double infone(const draw *d) { return struck(d, place(d, 0)) ? infinite(d) : uniform(d); }

static double zeroone(const draw *d) { return struck(d, place(d, 0)) ? zero(d) : uniform(d); }

static double zerotwo(const draw *d) { return struck(d, place(d, 0)) || struck(d, place(d, 1)) ? zero(d) : uniform(d); }

static double nansave(const draw *d)
{
    return d->operand == COT_Y && ((uint64_t)d->line + d->seed) % 2 && d->along == place(d, 0) ? (double)NAN
                                                                                               : uniform(d);
}

/* Every pair of special values in a and b, which is every neighbourhood of them elsewhere; dy changes from one round of
 * all pairs to the next. */
static double pairs(const draw *d)
{
    const range *r = &ranges[d->element];
    const double largest = r->largest, normal_least = ldexp(1, r->least), smallest = ldexp(1, r->smallest);
    const double special[] = { 0.0,
                               -0.0,
                               1,
                               -1,
                               2,
                               -2,
                               0.5,
                               -0.5,
                               3,
                               -3,
                               2.5,
                               -1.5,
                               (double)INFINITY,
                               -(double)INFINITY,
                               (double)NAN,
                               largest,
                               -largest,
                               normal_least,
                               -normal_least,
                               smallest,
                               -smallest };
    const double upstream[] = { 1, -1.5, (double)INFINITY, -0.0, (double)NAN, 0.0, largest, -smallest };
    const int64_t count = sizeof special / sizeof *special, rounds = sizeof upstream / sizeof *upstream;
    int64_t index = d->index + (int64_t)(d->seed % 1000) * 185;
    switch (d->operand) {
    case COT_DY: return upstream[index / (count * count) % rounds];
    case COT_A: return special[index / count % count];
    default: return special[index % count];
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static const generator generators[] = {
    { "uniform", uniform, "[-1, 1)", 1, 0, MAKE_Y },
    { "wide", wide, "[-256, 256), in 17 binades", 1, 0, MAKE_Y },
    { "integers", integers, "-3 to 3", 1, 0, KEEP_SOFTMAX_Y },
    { "ties", ties, "0, 1 and 2", 1, 0, MAKE_Y },
    { "nan", nans, "uniform, every fifth a NaN", 1, 0, MAKE_Y },
    { "inf", infinities, "uniform, every fifth infinite", 1, 0, MAKE_Y },
    { "zeros", zeros, "uniform, every second a zero of either sign", 1, 0, MAKE_Y },
    { "subnormal", subnormals, "up to 7 times the smallest number", 1, 0, MAKE_Y },
    { "normal", normal, "of mean 0 and variance 1", 1, 0, MAKE_Y },
    { "exponents", exponents, "from the smallest number to the largest", 1, 0, MAKE_Y },
    { "huge", huge, "in the two binades below overflow", 1, 0, MAKE_Y },
    { "tiny", tiny, "in the four binades above underflow", 1, 0, MAKE_Y },
    { "ties2", ties2, "two greatest and two least cells in a line", 4, 0, MAKE_Y },
    { "ties3", ties3, "three of each", 6, 0, MAKE_Y },
    { "tiesall", tiesall, "all equal, but for dy", 2, 0, MAKE_Y },
    { "tiesends", tiesends, "equal at both ends of a line", 4, 0, MAKE_Y },
    { "tiestile", tiestile, "equal across the end of a segment or a tile", 34, 0, MAKE_Y },
    { "nanfirst", nanfirst, "a NaN at a line's start", 2, 0, MAKE_Y },
    { "nanmid", nanmid, "a NaN in its middle", 3, 0, MAKE_Y },
    { "nanlast", nanlast, "a NaN at its end", 2, 0, MAKE_Y },
    { "nanall", nanall, "nothing but NaN", 1, 0, MAKE_Y },
    { "nanbits", nans, "NaNs of every sign and payload, quiet and signalling", 5, 1, MAKE_Y },
    { "infone", infone, "one infinity in a line", 2, 0, MAKE_Y },
    { "infmix", infmix, "uniform, every second infinite", 2, 0, MAKE_Y },
    { "zeroone", zeroone, "one zero in a line", 2, 0, MAKE_Y },
    { "zerotwo", zerotwo, "two zeros in a line", 3, 0, MAKE_Y },
    { "zeroall", zeroall, "nothing but zeros of either sign", 1, 0, MAKE_Y },
    { "cancel", cancel, "neighbours that nearly cancel", 4, 0, MAKE_Y },
    { "rising", rising, "sorted, greatest last", 3, 0, MAKE_Y },
    { "falling", falling, "sorted, greatest first", 3, 0, MAKE_Y },
    { "constant", constant, "one value in a line", 2, 0, MAKE_Y },
    { "pairs", pairs, "every pair of special values", 1, 0, MAKE_Y },
    { "foreign", foreign, "a y that the forward does not give", 1, 0, KEEP_Y },
    { "near1", near1, "1 and a little: products stay near 1", 1, 0, MAKE_Y },
    { "powers", powers, "small numbers and their usual exponents, in b", 1, 0, MAKE_Y },
    { "nansave", nansave, "a NaN in y alone, in every second line", 2, 0, KEEP_Y },
    { "exactlogs", exact_logs, "exponents of 0, and a dy of 1, 2 and 3 64ths", 1, 0, KEEP_Y },
    { "exactpowers", exact_powers, "powers of two whose products stay near 1", 1, 0, MAKE_Y },
    { "exactbalanced", exact_balanced, "integers whose mean is 5", 1, 0, MAKE_Y },
};

const generator *generator_at(int index)
{
    return index >= 0 && index < (int)(sizeof generators / sizeof *generators) ? &generators[index] : NULL;
}

int generator_find(const char *name)
{
    for (int i = 0; generator_at(i); i++)
        if (!strcmp(generators[i].name, name))
            return i;
    return -1;
}

/* A NaN with random bits where the format has any to choose: sign, quiet bit and payload, which is not 0. */
static void random_nan(const draw *d, void *cell)
{
    static const uint64_t exponent_bits[] = {
        [COT_F16] = 0x7c00, [COT_BF16] = 0x7f80, [COT_F32] = 0x7f800000, [COT_F64] = 0x7ff0000000000000
    };
    philox r = random_at(d);
    uint64_t bits = (uint64_t)r.word[3] << 32 | r.word[2] | 1;
    bits |= exponent_bits[d->element];
    unsigned char *byte = cell;
    for (size_t i = 0, size = cot_element_size(d->element); i < size; i++) {
        union {
            uint16_t number;
            unsigned char first;
        } order = { 1 };
        byte[order.first ? i : size - 1 - i] = (unsigned char)(bits >> 8 * i);
    }
}

void generate(int which, const draw *d, void *cell)
{
    double value = generators[which].value(d);
    if (generators[which].payloads && isnan(value))
        random_nan(d, cell);
    else
        cot_cell_set(d->element, cell, value);
}
