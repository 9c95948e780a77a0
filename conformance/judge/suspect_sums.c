/* The sums of a line in long double, with the sums of their absolute terms: how far a result is from them, and whether
 * a narrower accumulator goes so far. */
#ifdef __clang__
#pragma clang diagnostic ignored "-Wdouble-promotion" /* suspects are computed in long double on purpose */
#endif

#include "suspects.h"

#include <math.h>
#include <stdlib.h>

/* What a cell would be, what its error is relative to, by how much it changes with its sum, and the sum of that sum's
 * absolute terms. */
typedef struct expected {
    long double value, scale, slope, size;
} expected;

static int64_t place(const exhibit *e, int64_t p) { return e->desc.reverse ? p : e->n - 1 - p; } /* p-th summed */

/* What is summed, of every op whose sum is looked at. */
enum { NOTHING_KNOWN, OF_DY, OF_DY_Y, OF_X };

static int summed(cot_op op)
{
    static const unsigned char terms[] = {
        [COT_VAR] = OF_X,          [COT_STD] = OF_X,     [COT_SOFTMAX] = OF_DY_Y,
        [COT_LOG_SOFTMAX] = OF_DY, [COT_CUMSUM] = OF_DY, [COT_CUMPROD] = OF_DY_Y,
        [COT_CUMMAX] = OF_DY,      [COT_CUMMIN] = OF_DY, [COT_LOGCUMSUMEXP] = OF_DY,
    };
    return (size_t)op < sizeof terms ? terms[op] : NOTHING_KNOWN;
}

static long double term(const exhibit *e, int64_t i)
{
    long double g = exhibit_cell(e, COT_DY, i);
    int of = summed(e->desc.op);
    return of == OF_X ? exhibit_cell(e, COT_X, i) : of == OF_DY_Y ? g * exhibit_cell(e, COT_Y, i) : g;
}

/* ---- folds ----------------------------------------------------------------------------------- */

static expected of_fold(const exhibit *e, int64_t i, long double sum, long double size)
{
    long double g = exhibit_cell(e, COT_DY, i), y = exhibit_cell(e, COT_Y, i);
    long double m = e->n > e->desc.correction ? (long double)e->n - e->desc.correction : 1;
    long double x = exhibit_cell(e, COT_X, i), n = (long double)e->n;
    long double factor = e->desc.op == COT_VAR ? 2 * g / m : g / (m * y);
    if (e->desc.op == COT_SOFTMAX)
        return (expected){ y * (g - sum), fabsl(y) * (fabsl(g) + size), -y, size };
    if (e->desc.op == COT_LOG_SOFTMAX)
        return (expected){ g - expl(y) * sum, fabsl(g) + expl(y) * size, -expl(y), size };
    return (expected){ factor * (x - sum / n), fabsl(factor) * (fabsl(x) + size / n), -factor / n, size };
}

static void fold(const exhibit *e, expected *out)
{
    long double sum = 0, size = 0;
    for (int64_t i = 0; i < e->n; i++)
        sum += term(e, i), size += fabsl(term(e, i));
    for (int64_t i = 0; i < e->n; i++)
        out[i] = of_fold(e, i, sum, size);
}

/* ---- scans ----------------------------------------------------------------------------------- */

/* Which cells win in the forward direction, as CUMMAX has it; NaN never does, but for the first. */
static void mark_winners(const exhibit *e, expected *out)
{
    double best = 0;
    for (int64_t p = e->n - 1; p >= 0; p--) {
        double x = exhibit_cell(e, COT_X, place(e, p));
        int first = p == e->n - 1, wins = first || (e->desc.op == COT_CUMMAX ? x > best : x < best);
        out[place(e, p)].scale = wins;
        best = wins ? x : best;
    }
}

static void winners(const exhibit *e, expected *out)
{
    long double sum = 0, size = 0;
    mark_winners(e, out);
    for (int64_t p = 0; p < e->n; p++) {
        int64_t i = place(e, p);
        int wins = out[i].scale != 0;
        sum += term(e, i), size += fabsl(term(e, i));
        out[i] = wins ? (expected){ sum, size, 1, size } : (expected){ 0, 0, 0, 0 };
        sum = wins ? 0 : sum, size = wins ? 0 : size;
    }
}

static void running(const exhibit *e, expected *out)
{
    long double sum = 0, size = 0;
    for (int64_t p = 0; p < e->n; p++) {
        int64_t i = place(e, p);
        long double x = e->desc.op == COT_CUMPROD ? exhibit_cell(e, COT_X, i) : 1;
        sum += term(e, i), size += fabsl(term(e, i));
        out[i] = (expected){ sum / x, size / fabsl(x), 1 / x, size };
    }
}

static void recurrence(const exhibit *e, expected *out)
{
    long double sum = 0, size = 0, next = 0;
    for (int64_t p = 0; p < e->n; p++) {
        int64_t i = place(e, p);
        long double y = exhibit_cell(e, COT_Y, i), lift = expl(exhibit_cell(e, COT_X, i) - y), weight = expl(y - next);
        sum = term(e, i) + (p ? weight * sum : 0), size = fabsl(term(e, i)) + (p ? weight * size : 0);
        out[i] = (expected){ lift * sum, lift * size, lift, size };
        next = y;
    }
}

static void (*sums_of(const exhibit *e))(const exhibit *e, expected *out)
{
    const cot_op_info *op = cot_op_get(e->desc.op);
    if (op->order == COT_ORDER_NONE || summed(e->desc.op) == NOTHING_KNOWN
        || !cot_uses_spec_policies(e->desc.op, &e->desc.policies))
        return NULL;
    if (op->order == COT_ORDER_FOLD)
        return fold;
    return op->kind == COT_KIND_RECURRENCE ? recurrence : op->kind == COT_KIND_WINNER ? winners : running;
}

/* ---- what the errors look like --------------------------------------------------------------- */

/* Bits of a type, its largest number and its smallest normal one. */
typedef struct accumulator {
    int bits;
    double most, least;
} accumulator;

static const accumulator of_type[] = {
    [COT_F16] = { 11, 65504, 0x1p-14 },
    [COT_BF16] = { 8, 0x1.fep127, 0x1p-126 },
    [COT_F32] = { 24, 0x1.fffffep127, 0x1p-126 },
    [COT_F64] = { 53, 0x1.fffffffffffffp1023, 0x1p-1022 },
};

static int is_in_range(const exhibit *e, const expected *of) /* the element type's, so that errors are relative */
{
    const accumulator *own = &of_type[e->desc.element];
    double most = of_type[e->desc.element == COT_F64 ? COT_F64 : COT_F32].most; /* no order of the sum leaves it */
    return isfinite(of->value) && of->scale >= own->least && fabsl(of->value) <= own->most && of->size <= most;
}

static long double error_at(const exhibit *e, const expected *of, int64_t i)
{
    return fabsl(e->cells[COT_DX][i] - of[i].value);
}

/* What a sum loses below the accumulator's smallest normal number, as the cell shows it. */
static long double underflow(const exhibit *e, const expected *of, const accumulator *a)
{
    return (long double)e->n * ldexpl(a->least, -a->bits) * fabsl(of->slope);
}

/* The largest error of the line in its own scale. Where all are lost that are beyond an accumulator's range: that range
 * explains it; -1 where a cell is lost otherwise. */
static double worst_error(const exhibit *e, const expected *of, const accumulator *a)
{
    long double worst = 0;
    for (int64_t i = 0; i < e->n; i++) {
        if (!is_in_range(e, &of[i]))
            continue;
        if (!isfinite(e->cells[COT_DX][i]) && of[i].size <= a->most)
            return -1;
        long double lost = underflow(e, &of[i], a), error = error_at(e, of, i);
        worst = fmaxl(worst, isfinite(error) ? (error - lost) / of[i].scale : ldexpl(1, -a->bits));
    }
    return (double)worst;
}

/* Some cell is further off than a unit of the accumulator explains away, and than an order of additions in the compute
 * type takes it but by rare chance. */
static int is_noticed(const exhibit *e, const expected *of, const accumulator *a)
{
    int bits = e->desc.element == COT_F64 ? 53 : 24, noticed = 0;
    for (int64_t i = 0; i < e->n; i++) {
        long double error = error_at(e, of, i);
        long double least = fminl(fabsl(of[i].value), fabsl(of[i].slope) * of[i].size);
        noticed |= is_in_range(e, &of[i])
                   && !(error < ldexpl(least, -a->bits - 3)
                        || error < ldexpl(fmin((double)e->n, 4 * sqrt((double)e->n)) + 4, -bits) * of[i].scale);
    }
    return noticed;
}

/* Half a unit in the last place of a number. */
static long double half_unit(long double number, const accumulator *a)
{
    int exponent;
    frexpl(number, &exponent);
    return fmaxl(ldexpl(0.5L, exponent - a->bits), ldexpl(a->least, -a->bits));
}

/* Where a result is rounded to 16 bits anyway: how many cells are further off than that rounding and any order of
 * additions in binary32 can take them. */
static int64_t beyond_store(const exhibit *e, const expected *of)
{
    const accumulator *own = &of_type[e->desc.element];
    long double sum = ldexpl((long double)e->n + 16, -24);
    int64_t beyond = 0;
    for (int64_t i = 0; i < e->n; i++)
        beyond += is_in_range(e, &of[i]) && !(error_at(e, of, i) <= half_unit(of[i].value, own) + sum * of[i].scale);
    return beyond;
}

static int64_t sums_in_range(const exhibit *e, const expected *of)
{
    int64_t count = 0;
    for (int64_t i = 0; i < e->n; i++)
        count += is_in_range(e, &of[i]);
    return count;
}

/* A fold: one sum for the whole line, so that its error shows in every cell, times the cell's slope. What the cell adds
 * is a few roundings of its own. */
static int shares_an_error(const exhibit *e, const expected *of)
{
    long double unit = ldexpl(8, -of_type[e->desc.element].bits), shift;
    int64_t best = 0;
    for (int64_t i = 0; i < e->n; i++)
        if (fabsl(of[i].slope) > fabsl(of[best].slope))
            best = i;
    shift = (e->cells[COT_DX][best] - of[best].value) / of[best].slope;
    for (int64_t i = 0; i < e->n; i++)
        if (fabsl(e->cells[COT_DX][i] - of[i].value - shift * of[i].slope) > unit * of[i].scale)
            return 0;
    return 1;
}

/* A scan: the error is there from the first sums on, and grows with their number. */
static int grows(const exhibit *e, const expected *of, const accumulator *a)
{
    double unit = ldexp(1, -a->bits);
    int64_t early = 0, seen = 0;
    for (int64_t p = 0; p < e->n; p++) {
        const expected *cell = &of[place(e, p)];
        double terms = (double)p + 3, most = fmax(4 * sqrt(terms), terms / 4);
        long double error = error_at(e, of, place(e, p));
        if (!is_in_range(e, cell) || !isfinite(error))
            continue;
        if (error > fmin(terms, most) * unit * cell->scale + underflow(e, cell, a))
            return 0;
        seen += p > 0 && early < 32 && error > unit / 64 * fabsl(cell->value);
        early += p > 0;
    }
    return e->desc.element <= COT_BF16 || 2 * seen >= (early < 32 ? early : 32);
}

/* Neither smaller than the type's roundings nor larger than they add up to: to their root as a rule, and of few terms
 * at most to their number. */
static int fits(const exhibit *e, const expected *of, const accumulator *a)
{
    double unit = ldexp(1, -a->bits), n = (double)e->n, worst = worst_error(e, of, a);
    int folds = cot_op_get(e->desc.op)->order == COT_ORDER_FOLD, narrow = e->desc.element <= COT_BF16;
    if (worst < 0 || !is_noticed(e, of, a)
        || (narrow && beyond_store(e, of) < 1 + (folds ? 0 : sums_in_range(e, of) / 16)))
        return 0;
    return folds ? worst <= fmin(n + 1, sqrt(n)) * unit && shares_an_error(e, of) : grows(e, of, a);
}

/* All cells are a few roundings from what they are with this part of the sum. */
static int takes_part(const exhibit *e, const expected *of, long double sum, long double part)
{
    long double unit = ldexpl(8, -of_type[e->desc.element].bits);
    for (int64_t i = 0; i < e->n; i++) {
        long double value = of[i].value - (1 - part) * sum * of[i].slope,
                    own = of[i].scale - fabsl(of[i].slope) * of->size;
        if (fabsl(e->cells[COT_DX][i] - value) > unit * (own + fabsl(part * sum * of[i].slope)))
            return 0;
    }
    return 1;
}

/* ---- what is asked --------------------------------------------------------------------------- */

static expected *expect(const exhibit *e) /* NULL: no sum, or no memory */
{
    void (*sums)(const exhibit *e, expected *out) = sums_of(e);
    expected *of = sums ? malloc(((size_t)e->n + 1) * sizeof *of) : NULL;
    if (of)
        sums(e, of);
    return of;
}

int line_is_summed_narrowly(const exhibit *e)
{
    expected *of = expect(e);
    int found = 0;
    for (int type = COT_F16; of && type <= COT_F32; type++)
        if (type != COT_F32 || e->desc.element == COT_F64)
            found |= fits(e, of, &of_type[type]);
    free(of);
    return found;
}

sum_taken line_takes_of_sum(const exhibit *e)
{
    int asked = cot_op_get(e->desc.op)->family == COT_SOFTMAX_FAMILY && e->n > 2;
    expected *of = asked ? expect(e) : NULL;
    sum_taken taken = SUM_WHOLE;
    long double sum = 0;
    for (int64_t i = 0; of && i < e->n; i++)
        sum += term(e, i);
    if (of && isfinite(of->size) && !takes_part(e, of, sum, 1))
        taken = takes_part(e, of, sum, 0) ? SUM_LEFT_OUT : takes_part(e, of, sum, 0.5L) ? SUM_HALVED : SUM_WHOLE;
    free(of);
    return taken;
}

int line_is_stored_in(const exhibit *e, cot_element type)
{
    expected *of = expect(e);
    int all = 1;
    for (int64_t i = 0; of && i < e->n; i++) {
        double cell;
        cot_cell_set(type, &cell, (double)of[i].value);
        all &= !isfinite(of[i].value) || e->cells[COT_DX][i] == cot_cell_get(type, &cell);
    }
    free(of);
    return all;
}

int line_can_overflow(const exhibit *e)
{
    long double most = e->desc.element == COT_F64 ? 0x1.fffffffffffffp1023L : 0x1.fffffep127L, size = 0;
    for (int64_t i = 0; i < e->n; i++)
        size += fabsl(term(e, i));
    return size > most;
}

int terms_are_negative_zeros(const exhibit *e)
{
    int scans = cot_op_get(e->desc.op)->order == COT_ORDER_SCAN, all = cot_op_get(e->desc.op)->order != COT_ORDER_NONE;
    if (cot_op_get(e->desc.op)->kind == COT_KIND_WINNER)
        return 1; /* a loser gets +0: a winner's -0 can only be such a sum */
    for (int64_t i = 0; i < e->n; i++) {
        int counts = !scans || (e->desc.reverse ? i <= e->at : i >= e->at);
        all &= !counts || (term(e, i) == 0 && signbit(term(e, i)));
    }
    return all;
}
