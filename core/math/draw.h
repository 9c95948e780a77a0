/* Points to try the functions at: every binade, near 1, near the ends of the range, subnormals, the whole range of
 * results. */
#ifndef COT_MATH_DRAW_H
#define COT_MATH_DRAW_H

#include "measure.h"

enum { KINDS = 8 };

typedef struct {
    double x, y;
} point;
typedef struct {
    uint64_t state;
    const format *f;
} source; /* of numbers that the format can hold */

/* ---- numbers --------------------------------------------------------------------------------- */

static inline uint64_t random_bits(source *s)
{
    uint64_t v = s->state += 0x9e3779b97f4a7c15u; /* splitmix64 */
    v = (v ^ v >> 30) * 0xbf58476d1ce4e5b9u;
    v = (v ^ v >> 27) * 0x94d049bb133111ebu;
    return v ^ v >> 31;
}

static inline int is_float(const source *s) { return s->f == &format_f; }

/* gcc 12 at -O3 leaves out the rounding to float and back of two numbers side by side, unless it cannot see it. */
static inline double held(const source *s, double v)
{
    volatile float narrow = (float)v;
    return is_float(s) ? (double)narrow : v;
}

/* Any pattern: every binade, subnormals, infinities, NaN. */
static inline double any(source *s)
{
    uint64_t u = random_bits(s);
    return is_float(s) ? (double)real_f((uint32_t)u) : real_d(u);
}

static inline double between(source *s, double low, double high)
{
    return held(s, low + (high - low) * ((double)(random_bits(s) >> 11) * 0x1p-53));
}

/* v, moved by up to 2^k of its ULP, k uniform. */
static inline double near(source *s, double v)
{
    uint64_t reach = (uint64_t)1 << random_bits(s) % (is_float(s) ? 24 : 52),
             move = random_bits(s) % (2 * reach) - reach;
    return is_float(s) ? (double)real_f(bits_f((float)v) + (uint32_t)move) : real_d(bits_d(v) + move);
}

static inline double subnormal(source *s)
{
    uint64_t shift = random_bits(s) % 52, u = random_bits(s) >> shift;
    return is_float(s) ? (double)real_f((uint32_t)u & 0x807fffffu) : real_d(u & 0x800fffffffffffffu);
}

/* The arguments of exp at which results overflow, become subnormal, and vanish. */
static inline double edge_of_exp(const source *s, int which)
{
    static const double edges[2][3] = { { 88.72283905206835, -87.33654475055310, -103.97207708399179 },
                                        { 709.782712893384, -708.3964185322641, -745.1332191019411 } };
    return edges[!is_float(s)][which];
}

/* ---- points per function, by kind ------------------------------------------------------------ */

static inline point draw_exp(source *s, int kind)
{
    point p = { 0, 0 };
    switch (kind) {
    case 0: p.x = any(s); break;
    case 1: p.x = near(s, held(s, edge_of_exp(s, (int)(random_bits(s) % 3)))); break;
    case 2: p.x = between(s, edge_of_exp(s, 2), edge_of_exp(s, 1)); break;
    case 3: p.x = between(s, -1, 1); break;
    default: p.x = between(s, edge_of_exp(s, 1), edge_of_exp(s, 0)); break;
    }
    return p;
}

static inline point draw_log(source *s, int kind)
{
    point p = { 0, 0 };
    switch (kind) {
    case 0: p.x = any(s); break;
    case 1: p.x = subnormal(s); break;
    case 2: p.x = near(s, 1); break;
    default: p.x = between(s, 0.5, kind == 3 ? 2 : 10); break;
    }
    return p;
}

/* y such that x^y spans the whole range of results. Roughly log(x), from the exponent and the mantissa. */
static inline double exponent_for(source *s, double x)
{
    double log_x = ((double)(bits_d(x) & 0x7fffffffffffffffu) * 0x1p-52 - 1023) * 0.6931;
    return held(s, between(s, edge_of_exp(s, 2) * 1.01, edge_of_exp(s, 0) * 1.01) / log_x);
}

static inline point draw_pow(source *s, int kind)
{
    point p = { any(s), 0 };
    switch (kind) {
    case 0: p.y = any(s); break;
    case 1: p.y = (double)(random_bits(s) % 41) / 2 - 10; break;
    case 2:
        p.x = near(s, 1);
        p.y = exponent_for(s, p.x);
        break;
    case 3:
        p.x = between(s, 0.5, 2);
        p.y = exponent_for(s, p.x);
        break;
    case 4:
        p.x = between(s, -100, 100);
        p.y = between(s, -10, 10);
        break;
    case 5:
        p.x = subnormal(s);
        p.y = exponent_for(s, p.x);
        break;
    default:
        p.x = held(s, real_d(bits_d(p.x) & 0x7fffffffffffffffu));
        p.y = exponent_for(s, p.x);
        break;
    }
    return p;
}

static inline point draw_pair(source *s, int kind)
{
    point p = { any(s), 0 };
    switch (kind) {
    case 0: p.y = any(s); break;
    case 1:
        p.x = subnormal(s);
        p.y = subnormal(s);
        break;
    case 2: p.y = subnormal(s); break;
    case 3:
        p.x = near(s, 1);
        p.y = near(s, 1);
        break;
    case 4: p.y = held(s, p.x * between(s, -2, 2)); break;
    case 5: p.y = held(s, p.x * between(s, -0x1p-20, 0x1p-20)); break;
    default:
        p.x = between(s, -1, 1);
        p.y = between(s, -1, 1);
        break;
    }
    if (random_bits(s) & 1) {
        point turned = { p.y, p.x };
        p = turned;
    }
    return p;
}

typedef point (*drawing)(source *s, int kind);

static const drawing drawings[FUNCTIONS] = { draw_exp, draw_log, draw_pow, draw_pair, draw_pair };

#endif
