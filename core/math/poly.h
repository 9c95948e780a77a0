/* Made by coefficients.py; do not edit. Horner's rule, lowest power last. */
#ifndef COT_MATH_POLY_H
#define COT_MATH_POLY_H

#include "real.h"

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2, relative to exp(r); error about 2^-56.7. */
COT_FN double exp_poly_d(double r)
{
    double p = 0x1.1ff0744599bf8p-29;
    p = p * r + 0x1.af6ef8a1d749ep-26;
    p = p * r + 0x1.27e453f58809ap-22;
    p = p * r + 0x1.71ddeb7706ebp-19;
    p = p * r + 0x1.a01a01e6d461ap-16;
    p = p * r + 0x1.a01a01b5d132bp-13;
    p = p * r + 0x1.6c16c16c0a578p-10;
    p = p * r + 0x1.111111110e56ap-7;
    p = p * r + 0x1.555555555556cp-5;
    p = p * r + 0x1.555555555555dp-3;
    p = p * r + 0x1p-1;
    return p;
}

/* The same, for float, in two chains; error about 2^-52.0. */
COT_FN double exp_near_poly_d(double r, double square)
{
    double even = 0x1.28afeda1d95dcp-22;
    even = even * square + 0x1.a019986de8981p-16;
    even = even * square + 0x1.6c16c184bc227p-10;
    even = even * square + 0x1.55555555505f3p-5;
    even = even * square + 0x1.000000000000ap-1;
    double odd = 0x1.ad6959158ed04p-26;
    odd = odd * square + 0x1.71df0f1894b7ep-19;
    odd = odd * square + 0x1.a01a01372f4b8p-13;
    odd = odd * square + 0x1.1111111125a84p-7;
    odd = odd * square + 0x1.55555555555p-3;
    return even + r * odd;
}

/* (2 atanh(s) - 2s - 2/3 s^3) / s^5 with z = s^2, relative to 2 atanh(s); error about 2^-73.5. */
COT_FN double log_poly_d(double z)
{
    double p = 0x1.eac642d5b4673p-4;
    p = p * z + 0x1.de3d628e08288p-4;
    p = p * z + 0x1.11206f7873f98p-3;
    p = p * z + 0x1.3b1364c7c82adp-3;
    p = p * z + 0x1.745d18295a4e5p-3;
    p = p * z + 0x1.c71c71c5968bep-3;
    p = p * z + 0x1.2492492492f51p-2;
    p = p * z + 0x1.9999999999996p-2;
    return p;
}

/* The same, for float, in two chains; error about 2^-59.0. */
COT_FN double log_near_poly_d(double z, double square)
{
    double even = 0x1.39c7ca4cae151p-3;
    even = even * square + 0x1.c71c5ab29353ep-3;
    even = even * square + 0x1.999999998ff3fp-2;
    double odd = 0x1.2da0abc0e793ep-3;
    odd = odd * square + 0x1.7464a3ebe09cdp-3;
    odd = odd * square + 0x1.24924935dacebp-2;
    return even + z * odd;
}

/* (atan(t) - t) / t^3 with z = t^2, relative to atan(t); error about 2^-63.5. */
COT_FN double atan_poly_d(double z)
{
    double p = 0x1.e84e7b2bd2de3p-7;
    p = p * z + -0x1.0fd090beba43ap-5;
    p = p * z + 0x1.6fe12bf757cefp-5;
    p = p * z + -0x1.ab3abd00ed877p-5;
    p = p * z + 0x1.e167852dbbcc6p-5;
    p = p * z + -0x1.110be8a83e183p-4;
    p = p * z + 0x1.3b1364c2a9e8dp-4;
    p = p * z + -0x1.745d144e86b88p-4;
    p = p * z + 0x1.c71c71b44eb1bp-4;
    p = p * z + -0x1.249249246f49fp-3;
    p = p * z + 0x1.9999999999583p-3;
    p = p * z + -0x1.5555555555554p-2;
    return p;
}

#endif
