/* Made by coefficients.py; do not edit. Horner's rule, lowest power last. */
#ifndef COT_MATH_POLY_H
#define COT_MATH_POLY_H

#include "real.h"

/* (exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2, relative to exp(r); error about 2^-27.8. */
COT_FN float exp_poly_f(float r)
{
    float p = 0x1.6fe472p-10f;
    p = p * r + 0x1.1257a2p-7f;
    p = p * r + 0x1.555302p-5f;
    p = p * r + 0x1.555466p-3f;
    p = p * r + 0x1p-1f;
    return p;
}

/* (2 atanh(s) - 2s - 2/3 s^3) / s^5 with z = s^2, relative to 2 atanh(s); error about 2^-36.8. */
COT_FN float log_poly_f(float z)
{
    float p = 0x1.dfa252p-3f;
    p = p * z + 0x1.24527cp-2f;
    p = p * z + 0x1.999ap-2f;
    return p;
}

/* (atan(t) - t) / t^3 with z = t^2, relative to atan(t); error about 2^-30.5. */
COT_FN float atan_poly_f(float z)
{
    float p = -0x1.f31d54p-5f;
    p = p * z + 0x1.b22ecap-4f;
    p = p * z + -0x1.23ba42p-3f;
    p = p * z + 0x1.9991e8p-3f;
    p = p * z + -0x1.55554ap-2f;
    return p;
}

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
