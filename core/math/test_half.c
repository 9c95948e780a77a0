/* f16 and bf16: every pattern to float and back, every rounding boundary from float, against arithmetic in double. */
#include "half.h"
#include "core/cotangent.h"
#include "conformance/tap/tap.h"

#include <math.h>
#include <string.h>

typedef struct format {
    const char *name;
    cot_element element;
    int fraction_bits, exponent_bits;
    uint16_t (*narrow)(float);
    float (*widen)(uint16_t);
} format;

static uint16_t to_f16(float v) { return f16_from_float(v); }
static float from_f16(uint16_t v) { return f16_to_float(v); }
static uint16_t to_bf16(float v) { return bf16_from_float(v); }
static float from_bf16(uint16_t v) { return bf16_to_float(v); }

static const format formats[] = { { "f16", COT_F16, 10, 5, to_f16, from_f16 },
                                  { "bf16", COT_BF16, 7, 8, to_bf16, from_bf16 } };

/* The value of a pattern by the definition of the format; NaN where it is one. */
static double value_of(const format *f, uint32_t pattern)
{
    uint32_t fraction = pattern & ((1u << f->fraction_bits) - 1);
    int exponent = (int)(pattern >> f->fraction_bits & ((1u << f->exponent_bits) - 1));
    int top = (1 << f->exponent_bits) - 1, bias = top / 2;
    double magnitude = exponent == top ? (fraction ? (double)NAN : (double)INFINITY)
                       : exponent
                           ? ldexp((double)(fraction | 1u << f->fraction_bits), exponent - bias - f->fraction_bits)
                           : ldexp((double)fraction, 1 - bias - f->fraction_bits);
    return pattern & 0x8000u ? -magnitude : magnitude;
}

static int same(double a, double b) { return (isnan(a) && isnan(b)) || (a == b && signbit(a) == signbit(b)); }

static void test_widen(const format *f)
{
    int wrong = 0, lost = 0, quiet = 0;
    for (uint32_t p = 0; p < 65536; p++) {
        float wide = f->widen((uint16_t)p);
        uint16_t back = f->narrow(wide);
        wrong += !same((double)wide, value_of(f, p));
        lost += isnan(wide) ? !isnan(f->widen(back)) || (back ^ p) & 0x8000u : back != p;
        quiet += isnan(wide) && !(bits_f(wide) & 0x400000u);
    }
    cmp_ok(wrong, "==", 0, "%s: all 65536 patterns widen to their value", f->name);
    cmp_ok(lost, "==", 0, "%s: all 65536 patterns come back, a NaN as a NaN of its sign", f->name);
    cmp_ok(quiet, "==", 0, "%s: a NaN widens to a quiet NaN", f->name);
}

/* Between neighbours lo and hi, the floats around the middle decide: below it lo, above it hi, on it the even one. */
static int wrong_at(const format *f, uint32_t lo, uint32_t sign)
{
    uint32_t hi = lo + 1;
    double next = isinf(value_of(f, hi)) ? 2 * value_of(f, lo) - value_of(f, lo - 1) : value_of(f, hi);
    float middle = (float)((value_of(f, lo) + next) / 2);
    float s = sign ? -1.0f : 1.0f;
    uint32_t even = lo & 1 ? hi : lo;
    return f->narrow(s * middle) != (sign | even) || f->narrow(s * nextafterf(middle, INFINITY)) != (sign | hi)
           || f->narrow(s * nextafterf(middle, 0)) != (sign | lo)
           || f->narrow(s * nextafterf((float)value_of(f, lo), INFINITY)) != (sign | lo);
}

static void test_boundaries(const format *f)
{
    uint32_t infinity = ((1u << f->exponent_bits) - 1) << f->fraction_bits;
    int wrong = 0;
    for (uint32_t p = 0; p < infinity; p++)
        wrong += wrong_at(f, p, 0) + wrong_at(f, p, 0x8000u);
    cmp_ok(wrong, "==", 0, "%s: %u rounding boundaries of either sign, to nearest even", f->name, infinity);
}

static void test_nans_and_overflow(const format *f)
{
    int wrong = 0;
    for (uint32_t payload = 1; payload < 0x800000u; payload = payload * 2 + 1)
        wrong += !isnan(f->widen(f->narrow(real_f(0x7f800000u | payload))))
                 + !isnan(f->widen(f->narrow(real_f(0xff800000u | payload))));
    wrong += !isnan(f->widen(f->narrow(real_f(0x7f800001u))));
    cmp_ok(wrong, "==", 0, "%s: a NaN stays a NaN, whatever its payload", f->name);
    ok(isinf(f->widen(f->narrow(INFINITY))) && isinf(f->widen(f->narrow(3.4028235e38f))),
       "%s: beyond the largest is infinity", f->name);
}

/* A double that lies just beside a boundary would round wrongly by way of float. */
static void test_from_double(const format *f)
{
    uint32_t infinity = ((1u << f->exponent_bits) - 1) << f->fraction_bits;
    int wrong = 0;
    for (uint32_t p = 0; p + 1 < infinity; p++) {
        double lo = value_of(f, p), middle = (lo + value_of(f, p + 1)) / 2;
        uint16_t below, above, back;
        cot_cell_set(f->element, &below, nextafter(middle, 0));
        cot_cell_set(f->element, &above, nextafter(middle, (double)INFINITY));
        cot_cell_set(f->element, &back, lo);
        wrong += below != p || above != p + 1 || back != p || !same(cot_cell_get(f->element, &back), lo);
    }
    cmp_ok(wrong, "==", 0, "%s: doubles beside every boundary are rounded once", f->name);
}

int main(void)
{
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        test_widen(&formats[i]);
        test_boundaries(&formats[i]);
        test_nans_and_overflow(&formats[i]);
        test_from_double(&formats[i]);
    }
    return done_testing();
}
