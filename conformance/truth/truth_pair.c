/* exp and log of pairs of doubles. */
#include "truth_pair.h"

_Thread_local int pair_left_range, pair_is_narrow;

static const real ln2 = { 0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56 };

static real scaled(real a, int exponent) { return (real){ ldexp(a.high, exponent), ldexp(a.low, exponent) }; }

/* a - times * ln2, times below 2^11. */
static real reduced(real a, double times)
{
    pair_sum product = two_product(times, ln2.high);
    return real_sub(real_sub(a, (real){ product.high, product.low }), real_of(times * ln2.low));
}

/* exp(r) - 1 for |r| below 2^-11, by the series up to r^8 / 8!; the next term is below 2^-117. */
static real series(real r)
{
    real sum = real_of(0);
    for (int k = 8; k >= 1; k--)
        sum = real_div(real_mul(r, real_add(real_of(1), sum)), real_of(k));
    return sum;
}

/* exp(a) = 2^times * (1 + e). e = (1 + s)^1024 - 1 with s = exp(r / 1024) - 1: ten times s becomes 2s + s^2, which
 * makes a relative error of 2^-102 at most ten bits larger. */
static real exponential(real a, double times)
{
    real e = series(scaled(reduced(a, times), -10));
    for (int i = 0; i < 10; i++)
        e = real_add(scaled(e, 1), real_mul(e, e));
    return e;
}

real pair_exp(real a)
{
    double times = rint(a.high / ln2.high);
    return scaled(real_add(real_of(1), exponential(a, times)), (int)times);
}

/* In doubles, for 24 bits: the series up to r^13 / 13! leaves 2^-57, and some three roundings come to it. */
real pair_narrow_exp(real a)
{
    double times = rint(a.high / ln2.high);
    double r = (a.high - times * 0x1.62e42feep-1) - times * 0x1.a39ef35793c76p-33, sum = 0;
    r += a.low;
    for (int k = 13; k >= 1; k--)
        sum = r * (1 + sum) / k;
    return real_of(ldexp(1 + sum, (int)times));
}

/* One step of Newton from the double's logarithm, off = a * exp(-near) - 1: its cube is what is lost. Next to 1 the
 * exponential's distance from 1 is what counts. */
real pair_log(real a)
{
    real near = real_of(log(a.high)), one = real_of(1);
    int small = fabs(near.high) < 0.25;
    if (fabs(near.high) > 620) {
        pair_left_range = 1;
        return near;
    }
    real e = small ? exponential(real_neg(near), 0) : pair_exp(real_neg(near));
    real off = small ? real_add(real_sub(a, one), real_mul(a, e)) : real_sub(real_mul(a, e), one);
    return real_add(near, real_sub(off, scaled(real_mul(off, off), -1)));
}
