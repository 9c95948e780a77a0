/* Floating-point formats, and rounding to them in plain doubles. */
#include "truth_format.h"
#include "truth.h"

#include <math.h>

const real_format compute_float = { 24, -148, 128 }, compute_double = { 53, -1073, 1024 };

const real_format element_formats[] = {
    [COT_F16] = { 11, -23, 16 },
    [COT_BF16] = { 8, -132, 128 },
    [COT_F32] = { 24, -148, 128 },
    [COT_F64] = { 53, -1073, 1024 },
};

const real_format *compute_format(cot_element element) { return element == COT_F64 ? &compute_double : &compute_float; }

double format_least_normal(const real_format *format) { return ldexp(1, (int)format->least + format->bits - 2); }

double format_largest(const real_format *format)
{
    return ldexp(1 - ldexp(1, -format->bits), (int)format->most - 1) * 2;
}

double format_unit(const real_format *format) { return ldexp(1, -format->bits); }

double format_smallest(const real_format *format) { return ldexp(1, (int)format->least - 1); }

double truth_round(cot_element element, double value)
{
    const real_format *to = &element_formats[element];
    if (!isfinite(value) || value == 0 || element == COT_F64)
        return value;
    int exponent;
    frexp(value, &exponent);
    int last = exponent - to->bits > (int)to->least - 1 ? exponent - to->bits : (int)to->least - 1;
    double nearest = ldexp(rint(ldexp(value, -last)), last); /* to even: the default mode */
    double largest = format_largest(to);
    return fabs(nearest) > largest ? copysign((double)INFINITY, value) : copysign(nearest, value);
}
