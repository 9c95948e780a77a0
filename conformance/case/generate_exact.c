/* Numbers on which an op's sum is exact whatever its order, as long as the line is shorter than a million cells or two:
 * then a result can be known without asking in which order it was made. */
#include "generate_exact.h"
#include "philox.h"

#include <math.h>

static uint32_t drawn(const draw *d) { return philox_at(d->seed, (uint64_t)d->operand, (uint64_t)d->index).word[0]; }

/* The same for a line and a place on it, whatever the operand's shape. */
static uint32_t drawn_on_line(const draw *d, int64_t along)
{
    return philox_at(d->seed, 200 + (uint64_t)d->operand, (uint64_t)d->line << 32 | (uint64_t)along).word[0];
}

static double small_integer(const draw *d) /* but not 0: one dy may be a whole line's */
{
    double magnitude = (double)(drawn(d) % 3) + 1;
    return drawn(d) & 0x100 ? -magnitude : magnitude;
}

/* In 64ths, for a sum of 2^17 of them is a number of f16. */
double exact_logs(const draw *d)
{
    return d->operand == COT_X || d->operand == COT_Y ? 0 : ((double)(drawn(d) % 3) + 1) / 64;
}

/* A walk between two exponents: the product of steps is where it is now over where it began. */
double exact_powers(const draw *d)
{
    if (d->operand == COT_DY)
        return small_integer(d);
    int before = (int)(drawn_on_line(d, d->along) & 1), after = (int)(drawn_on_line(d, d->along + 1) & 1);
    double step = ldexp(1, after - before);
    return drawn_on_line(d, d->along) & 2 ? -step : step;
}

/* Neighbours are as far above 5 as below it; the last of an odd number is 5. */
double exact_balanced(const draw *d)
{
    if (d->operand == COT_DY)
        return small_integer(d);
    double off = (double)(drawn_on_line(d, d->along / 2) % 7) - 3;
    int alone = d->along == d->extent - 1 && d->extent % 2;
    return alone ? 5 : 5 + (d->along % 2 ? -off : off);
}

static const struct {
    cot_op op;
    const char *generator;
} exact_for[] = {
    { COT_VAR, "exactbalanced" },     { COT_STD, "exactbalanced" }, { COT_CUMSUM, "integers" },
    { COT_CUMMAX, "exactlogs" },      { COT_CUMMIN, "exactlogs" },  { COT_LOGCUMSUMEXP, "exactlogs" },
    { COT_CUMPROD, "exactpowers" },   { COT_PROD, "exactpowers" },  { COT_SOFTMAX, "integers" },
    { COT_LOG_SOFTMAX, "exactlogs" },
};

int exact_generator(cot_op op)
{
    for (size_t i = 0; i < sizeof exact_for / sizeof *exact_for; i++)
        if (exact_for[i].op == op)
            return generator_find(exact_for[i].generator);
    return -1;
}
