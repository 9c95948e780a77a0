"""ARITH-MATH: exp, log, pow and hypot for doc/spec.py.

In binary32 they are correctly rounded: NumPy's functions of binary64 say between which two numbers the result lies, and
MPFR decides where it could be rounded to either side. In binary64 they are the numbered steps of SPEC.md's appendix A,
and each line here names its step.
"""

import gmpy2
import numpy as np

# ---- binary32 --------------------------------------------------------------------------------------------------------

BINARY32 = gmpy2.context(precision=24, emin=-148, emax=128, subnormalize=True)
DOUBT = 2.0**-40  # of itself: thousands of times what a function of binary64 is off by


def rounded(near, exact, *operands):
    """The nearest binary32 number: `near`, in binary64, tells which it is, or `exact`, of MPFR, where that is open."""
    operands = np.broadcast_arrays(*operands)
    value = near(*(v.astype(np.float64) for v in operands))
    low, high = np.float32(value * (1 - DOUBT)), np.float32(value * (1 + DOUBT))
    with gmpy2.local_context(BINARY32):
        for at in zip(*np.nonzero((low < high) | (low > high))):
            low[at] = float(exact(*(gmpy2.mpfr(float(v[at])) for v in operands)))
    return low


def exp32(x):
    return rounded(np.exp, gmpy2.exp, x)


def log32(x):
    return rounded(np.log, gmpy2.log, x)


def pow32(x, y):
    return rounded(np.power, lambda a, b: a**b, x, y)


def hypot32(x, y):
    return rounded(np.hypot, gmpy2.hypot, x, y)


# ---- binary64: appendix A --------------------------------------------------------------------------------------------

numbers = np.vectorize(float.fromhex, otypes=[np.float64])
LOG2_E, LN2_HI, LN2_LO = numbers(["0x1.71547652b82fep0", "0x1.62e42fefa38p-1", "0x1.ef35793c7673p-45"])
TWO_THIRDS_HI, TWO_THIRDS_LO = numbers(["0x1.5555555555555p-1", "0x1.5555555555555p-55"])
EXP_POLY = numbers(
    "0x1.1ff0744599bf8p-29 0x1.af6ef8a1d749ep-26 0x1.27e453f58809ap-22 0x1.71ddeb7706ebp-19 0x1.a01a01e6d461ap-16"
    " 0x1.a01a01b5d132bp-13 0x1.6c16c16c0a578p-10 0x1.111111110e56ap-7 0x1.555555555556cp-5 0x1.555555555555dp-3"
    " 0x1p-1".split()
)
EIGHTH, QUARTER_HI, QUARTER_LO = numbers(["0x1.a827999fcef32p-2", "0x1.921fb54442d18p-1", "0x1.1a62633145c07p-55"])
ATAN_POLY = numbers(
    "0x1.e84e7b2bd2de3p-7 -0x1.0fd090beba43ap-5 0x1.6fe12bf757cefp-5 -0x1.ab3abd00ed877p-5 0x1.e167852dbbcc6p-5"
    " -0x1.110be8a83e183p-4 0x1.3b1364c2a9e8dp-4 -0x1.745d144e86b88p-4 0x1.c71c71b44eb1bp-4 -0x1.249249246f49fp-3"
    " 0x1.9999999999583p-3 -0x1.5555555555554p-2".split()
)
LOG_POLY = numbers(
    "0x1.eac642d5b4673p-4 0x1.de3d628e08288p-4 0x1.11206f7873f98p-3 0x1.3b1364c7c82adp-3 0x1.745d18295a4e5p-3"
    " 0x1.c71c71c5968bep-3 0x1.2492492492f51p-2 0x1.9999999999996p-2".split()
)


def bits(v):
    return np.asarray(v, np.float64).view(np.uint64)


def real(u):
    return np.asarray(u, np.uint64).view(np.float64)


def shifted(u, places):
    return u << np.uint64(places) if places > 0 else u >> np.uint64(-places)


def polynomial(coefficients, v):
    """A.1: Horner's rule, the first coefficient being that of the highest power."""
    result = coefficients[0] + 0 * v
    for coefficient in coefficients[1:]:
        result = result * v + coefficient
    return result


def leading(v):
    """A.2: the first 26 bits."""
    return real(bits(v) & np.uint64(0xFFFFFFFFF8000000))


def sum2(a, b):
    """A.3"""
    hi = a + b
    return hi, (a - hi) + b


def product2(a, b):
    """A.4"""
    a_hi, b_hi = leading(a), leading(b)
    a_lo, b_lo = a - a_hi, b - b_hi
    hi = a * b
    return hi, ((a_hi * b_hi - hi) + (a_hi * b_lo + a_lo * b_hi)) + a_lo * b_lo


def times2(a, b):
    """A.5"""
    hi, lo = product2(a[0], b[0])
    return hi, lo + (a[0] * b[1] + a[1] * b[0])


def quotient2(a, b):
    """A.6"""
    q = a[0] / b[0]
    p = product2(q, b[0])
    return q, (((a[0] - p[0]) - p[1]) + (a[1] - q * b[1])) / b[0]


def apart(x):
    """A.7: e and f with x = 2^e (1 + f)."""
    root_half = np.uint64(0x3FE6A09E667F3BCD)
    subnormal = x < 2.0**-1022
    u = bits(np.where(subnormal, x * 2.0**54, x)) + (np.uint64(0x3FF0000000000000) - root_half)
    e = shifted(u, -52).astype(np.float64) - 1023 - np.where(subnormal, 54.0, 0.0)
    return e, real((u & np.uint64(0x000FFFFFFFFFFFFF)) + root_half) - 1


def exp_tail(x, tail):
    """A.8"""
    x = np.where(x > 710, 710.0, x)
    x = np.where(x < -746, -746.0, x)  # 1
    k = np.rint(x * LOG2_E)  # 2
    r, r_lo = sum2(x - k * LN2_HI, -(k * LN2_LO - tail))  # 3
    one, one_lo = sum2(1.0, r)
    rest = r_lo + r * (r_lo + r * polynomial(EXP_POLY, r))  # 4
    k = np.where(np.isnan(k), 0, k).astype(int)
    return (one + (one_lo + rest)) * np.ldexp(1.0, k // 2) * np.ldexp(1.0, k - k // 2)  # 5


def exp64(x):
    return exp_tail(x, 0.0)


def log64(x):
    """A.9"""
    e, f = apart(x)  # 1
    lead = leading(f)
    square, square_rest = 0.5 * lead * lead, 0.5 * (f + lead) * (f - lead)  # 2
    s = f / (2 + f)
    z = s * s  # 3
    rest = s * ((square + square_rest) + z * (TWO_THIRDS_HI + z * polynomial(LOG_POLY, z))) - square_rest  # 4
    fraction, fraction_lo = sum2(f, -square)  # 5
    total, total_lo = sum2(e * LN2_HI, fraction)
    result = total + (total_lo + (fraction_lo + (rest + e * LN2_LO)))  # 6
    return np.where(x > 0, np.where(x < np.inf, result, x), np.where(x == 0, -np.inf, np.nan))


def log2_pair(x):
    """A.10: log(x) as a pair."""
    e, f = apart(x)  # 1
    s = quotient2((f, 0.0), sum2(2.0, f))  # 2
    z = times2(s, s)
    cubic, cubic_lo = sum2(TWO_THIRDS_HI, z[0] * polynomial(LOG_POLY, z[0]))  # 3
    cubic, cubic_lo = times2(s, times2(z, (cubic, cubic_lo + TWO_THIRDS_LO)))  # 4
    fraction, fraction_lo = sum2(2 * s[0], cubic)  # 5
    total, total_lo = sum2(e * LN2_HI, fraction)
    return total, total_lo + (fraction_lo + (2 * s[1] + cubic_lo) + e * LN2_LO)  # 6


def pow64(x, y):
    """A.11"""
    bounded = np.clip(y, -(2.0**64), 2.0**64)  # 1
    log, log_lo = log2_pair(np.abs(x))
    product, product_lo = product2(bounded, log)  # 2
    tail = product_lo + bounded * log_lo
    result = exp_tail(product, np.where(np.abs(product) < 1000, tail, 0.0))  # 3
    odd = (np.abs(y) < 2.0**53) & (np.abs(np.fmod(y, 2)) == 1)
    result = np.where(odd, np.copysign(result, x), result)  # 4
    special = ~np.isfinite(x) | ~np.isfinite(y) | (x == 0) | (x == 1) | (y == 0) | ((x < 0) & (y != np.rint(y)))
    return np.where(special, np.power(x, y), result)  # 5: Annex F


def hypot64(x, y):
    """A.12"""
    a, b = np.abs(x), np.abs(y)
    larger = np.maximum(a, b)
    scale = np.where(larger > 2.0**500, 2.0**-600, np.where(larger < 2.0**-500, 2.0**600, 1.0))  # 1
    u, v = a * scale, b * scale
    result = np.sqrt(u * u + v * v) * (1 / scale)  # 2
    return np.where(np.isinf(a) | np.isinf(b), np.inf, result)  # 3


def atan2_64(y, x):
    """A.13"""
    a, b = np.abs(x), np.abs(y)
    steep, left = b > a, np.signbit(x)
    high, low = np.maximum(a, b), np.minimum(a, b)
    low = np.where(np.isinf(high), np.isinf(low), low)
    high = np.where(np.isinf(high) | (high == 0), 1.0, high)  # 1
    scale = np.where(high > 2.0**900, 2.0**-100, np.where(high < 2.0**-500, 2.0**600, 1.0))
    high, low = high * scale, low * scale  # 2
    turn = low > EIGHTH * high
    over, under = sum2(-high, low), sum2(high, low)
    over = np.where(turn, over[0], low), np.where(turn, over[1], 0)
    under = np.where(turn, under[0], high), np.where(turn, under[1], 0)
    t, t_lo = quotient2(over, under)  # 3
    t_lo = np.where(np.abs(t) < 2.0**-400, 0, t_lo)
    z = t * t
    rest = t_lo + z * (t * polynomial(ATAN_POLY, z) - t_lo)  # 4
    n = np.where(steep, 2.0 - turn, turn)
    n = np.where(left, 4 - n, n)
    sign = np.where(steep != left, -1.0, 1.0)  # 5
    total, total_lo = sum2(n * QUARTER_HI, sign * t)
    result = np.copysign(total + (total_lo + (sign * rest + n * QUARTER_LO)), y)  # 6
    return np.where(np.isnan(x) | np.isnan(y), np.nan, result)


EXP, LOG = {np.float32: exp32, np.float64: exp64}, {np.float32: log32, np.float64: log64}
POW, HYPOT = {np.float32: pow32, np.float64: pow64}, {np.float32: hypot32, np.float64: hypot64}


def exp(x):
    return EXP[x.dtype.type](x)


def log(x):
    return LOG[x.dtype.type](x)


def pow(x, y):
    return POW[x.dtype.type](x, y)


def hypot(x, y):
    return HYPOT[x.dtype.type](x, y)
