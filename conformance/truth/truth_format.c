/* Floating-point formats, and rounding to them in plain doubles. */
#include "truth_format.h"
#include "truth.h"

#include <math.h>

const real_format compute_float = { 24, -148, 128, 0x1p-24, 0x1p-149, 0x1p-126 },
                  compute_double = { 53, -1073, 1024, 0x1p-53, 0x1p-1074, 0x1p-1022 };

const real_format element_formats[] = {
    [COT_F16] = { 11, -23, 16, 0x1p-11, 0x1p-24, 0x1p-14 },
    [COT_BF16] = { 8, -132, 128, 0x1p-8, 0x1p-133, 0x1p-126 },
    [COT_F32] = { 24, -148, 128, 0x1p-24, 0x1p-149, 0x1p-126 },
    [COT_F64] = { 53, -1073, 1024, 0x1p-53, 0x1p-1074, 0x1p-1022 },
};

const real_format *compute_format(cot_element element) { return element == COT_F64 ? &compute_double : &compute_float; }

double format_largest(const real_format *format)
{
    return ldexp(1 - ldexp(1, -format->bits), (int)format->most - 1) * 2;
}

double truth_round(cot_element element, double value)
{
    const real_format *to = &element_formats[element];
    if (!isfinite(value) || value == 0 || element == COT_F64 || (element == COT_F32 && value == (double)(float)value))
        return value;
    int exponent;
    frexp(value, &exponent);
    int last = exponent - to->bits > (int)to->least - 1 ? exponent - to->bits : (int)to->least - 1;
    double nearest = ldexp(rint(ldexp(value, -last)), last); /* to even: the default mode */
    double largest = format_largest(to);
    return fabs(nearest) > largest ? copysign((double)INFINITY, value) : copysign(nearest, value);
}
