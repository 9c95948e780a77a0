#include "generate.h"
#include "philox.h"

#include <math.h>

static philox random_at(const draw *d)
{
    return philox_at(d->seed, (uint64_t)d->operand, (uint64_t)d->index);
}

static double uniform(const draw *d) /* in [-1, 1): 24 random bits, and 53 where there is room for them */
{
    philox r = random_at(d);
    double fine = d->element == COT_F64 ? (double)(r.word[3] >> 3) * 0x1p-52 : 0;
    return (double)(r.word[0] >> 8) * 0x1p-23 - 1 + fine;
}

static double wide(const draw *d) /* up to 256, most of it far from 1 */
{
    return ldexp(uniform(d), (int)(random_at(d).word[1] % 17) - 8);
}

static double integers(const draw *d) /* small enough that sums are exact in every order */
{
    return (double)(random_at(d).word[0] % 7) - 3;
}

static double ties(const draw *d) /* three values only, so that every line has equal cells */
{
    return (double)(random_at(d).word[0] % 3);
}

static double sometimes(const draw *d, double special, unsigned one_in)
{
    return random_at(d).word[1] % one_in ? uniform(d) : special;
}

static double nans(const draw *d)
{
    return sometimes(d, (double)NAN, 5);
}

static double infinities(const draw *d)
{
    return sometimes(d, random_at(d).word[2] & 1 ? (double)INFINITY : -(double)INFINITY, 5);
}

static double zeros(const draw *d)
{
    return sometimes(d, random_at(d).word[2] & 1 ? 0.0 : -0.0, 2);
}

static double subnormals(const draw *d)
{
    static const int smallest[] = { [COT_F16] = -24, [COT_BF16] = -133, [COT_F32] = -149, [COT_F64] = -1074 };
    return ldexp((double)(random_at(d).word[0] % 15) - 7, smallest[d->element]);
}

static const generator generators[] = {
    { "uniform", uniform, "[-1, 1)" },
    { "wide", wide, "[-256, 256), in 17 binades" },
    { "integers", integers, "-3 to 3" },
    { "ties", ties, "0, 1 and 2" },
    { "nan", nans, "uniform, every fifth a NaN" },
    { "inf", infinities, "uniform, every fifth infinite" },
    { "zeros", zeros, "uniform, every second a zero of either sign" },
    { "subnormal", subnormals, "up to 7 times the smallest number" },
};

const generator *generator_at(int index)
{
    return index >= 0 && index < (int)(sizeof generators / sizeof *generators) ? &generators[index] : NULL;
}
