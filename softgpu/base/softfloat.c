/* Numbers are unpacked to sign * mant * 2^exp with the mantissa in up to 128 bits. Bits that are shifted out are kept
 * as one sticky bit at the bottom; every intermediate has enough bits below the rounding position for that to be exact.
 */
#include "softfloat.h"

const fmt FMT_F16 = { 10, 5, 0x7fff }, FMT_BF16 = { 7, 8, 0x7fff }, FMT_TF32 = { 10, 8, 0x3ffff };
const fmt FMT_F32 = { 23, 8, 0x7fffffff }, FMT_F64 = { 52, 11, 0xfff8000000000000 };

enum kind { ZERO, FINITE, INF, NAN_ };
typedef struct num {
    enum kind kind;
    bool neg;
    int exp;
    u128 mant;
} num;

static int bias(const fmt *f) { return (1 << (f->exp - 1)) - 1; }
static int max_exp(const fmt *f) { return (1 << f->exp) - 1; }

static int top_bit(u128 v)
{
    u64 hi = (u64)(v >> 64), lo = (u64)v;
    return hi ? 127 - __builtin_clzll(hi) : lo ? 63 - __builtin_clzll(lo) : -1;
}

static u128 shift_right_sticky(u128 v, int n)
{
    if (n <= 0)
        return v;
    if (n > 127)
        return v != 0;
    return (v >> n) | ((v & (((u128)1 << n) - 1)) != 0);
}

static num unpack(const fmt *f, u64 a)
{
    int e = (int)(a >> f->mant) & max_exp(f);
    u64 m = a & (((u64)1 << f->mant) - 1);
    num n = { FINITE, (a & sf_sign(f)) != 0, (e ? e : 1) - bias(f) - f->mant, m };
    if (e == max_exp(f))
        n.kind = m ? NAN_ : INF;
    else if (e)
        n.mant |= (u128)1 << f->mant;
    else if (!m)
        n.kind = ZERO;
    return n;
}

static u64 pack_inf(const fmt *f, bool neg) { return (neg ? sf_sign(f) : 0) | (u64)max_exp(f) << f->mant; }

static bool rounds_up(int rnd, bool neg, bool odd, int tail /* -1 below half, 0 half, 1 above */, bool inexact)
{
    switch (rnd) {
    case RND_NEAREST: return tail > 0 || (tail == 0 && odd);
    case RND_AWAY: return tail >= 0;
    case RND_DOWN: return neg && inexact;
    case RND_UP: return !neg && inexact;
    default: return false;
    }
}

/* Drops the lowest n bits of v by the rounding. */
static u128 round_off(u128 v, int n, bool neg, int rnd)
{
    if (n <= 0)
        return v << -n;
    if (n > 127)
        return rounds_up(rnd, neg, false, -1, v != 0);
    u128 half = (u128)1 << (n - 1), tail = v & (2 * half - 1), kept = v >> n;
    return kept + rounds_up(rnd, neg, kept & 1, tail > half ? 1 : tail == half ? 0 : -1, tail != 0);
}

static u64 overflow(const fmt *f, bool neg, int rnd)
{
    bool to_inf = rnd == RND_NEAREST || rnd == RND_AWAY || rnd == (neg ? RND_DOWN : RND_UP);
    return pack_inf(f, neg) - !to_inf;
}

static u64 pack(const fmt *f, bool neg, int exp, u128 mant, int rnd)
{
    u64 sign = neg ? sf_sign(f) : 0;
    if (!mant)
        return sign;
    int e = top_bit(mant) + exp; /* the value is in [2^e, 2^(e+1)) */
    int emin = 1 - bias(f), lsb = (e < emin ? emin : e) - f->mant;
    u64 m = (u64)round_off(mant, lsb - exp, neg, rnd);
    u64 biased = e < emin ? 0 : (u64)(e - emin); /* the hidden bit adds the missing one */
    if (e > bias(f) || m + (biased << f->mant) >= (u64)max_exp(f) << f->mant)
        return overflow(f, neg, rnd);
    return sign | (m + (biased << f->mant));
}

static u64 sum(const fmt *f, num a, num b, int rnd)
{
    if (a.kind == INF || b.kind == INF) {
        if (a.kind == INF && b.kind == INF && a.neg != b.neg)
            return f->nan;
        return pack_inf(f, a.kind == INF ? a.neg : b.neg);
    }
    if (a.kind == ZERO && b.kind == ZERO)
        return (a.neg == b.neg ? a.neg : rnd == RND_DOWN) ? sf_sign(f) : 0;
    if (a.kind == ZERO)
        return pack(f, b.neg, b.exp, b.mant, rnd);
    if (b.kind == ZERO)
        return pack(f, a.neg, a.exp, a.mant, rnd);
    int up_a = 125 - top_bit(a.mant), up_b = 125 - top_bit(b.mant);
    a.mant <<= up_a;
    a.exp -= up_a;
    b.mant <<= up_b;
    b.exp -= up_b;
    if (a.exp < b.exp || (a.exp == b.exp && a.mant < b.mant)) {
        num t = a;
        a = b;
        b = t;
    }
    b.mant = shift_right_sticky(b.mant, a.exp - b.exp);
    u128 m = a.neg == b.neg ? a.mant + b.mant : a.mant - b.mant;
    if (!m)
        return rnd == RND_DOWN ? sf_sign(f) : 0;
    return pack(f, a.neg, a.exp, m, rnd);
}

u64 sf_add(const fmt *f, u64 a, u64 b, int rnd)
{
    if (sf_is_nan(f, a) || sf_is_nan(f, b))
        return f->nan;
    return sum(f, unpack(f, a), unpack(f, b), rnd);
}

static num product(num a, num b)
{
    num p = { FINITE, a.neg != b.neg, a.exp + b.exp, a.mant * b.mant };
    if (a.kind == NAN_ || b.kind == NAN_)
        p.kind = NAN_;
    else if (a.kind == INF || b.kind == INF)
        p.kind = a.kind == ZERO || b.kind == ZERO ? NAN_ : INF;
    else if (a.kind == ZERO || b.kind == ZERO)
        p.kind = ZERO;
    return p;
}

u64 sf_mul(const fmt *f, u64 a, u64 b, int rnd)
{
    num p = product(unpack(f, a), unpack(f, b));
    if (p.kind == NAN_)
        return f->nan;
    if (p.kind == INF)
        return pack_inf(f, p.neg);
    return pack(f, p.neg, p.exp, p.kind == ZERO ? 0 : p.mant, rnd);
}

u64 sf_fma(const fmt *f, u64 a, u64 b, u64 c, int rnd)
{
    num p = product(unpack(f, a), unpack(f, b));
    if (p.kind == NAN_ || sf_is_nan(f, c))
        return f->nan;
    return sum(f, p, unpack(f, c), rnd);
}

u64 sf_div(const fmt *f, u64 a, u64 b, int rnd)
{
    num x = unpack(f, a), y = unpack(f, b);
    bool neg = x.neg != y.neg;
    if (x.kind == NAN_ || y.kind == NAN_ || (x.kind == y.kind && (x.kind == ZERO || x.kind == INF)))
        return f->nan;
    if (x.kind == INF || y.kind == ZERO)
        return pack_inf(f, neg);
    if (x.kind == ZERO || y.kind == INF)
        return pack(f, neg, 0, 0, rnd);
    int up = 126 - top_bit(x.mant);
    u128 n = x.mant << up, q = n / y.mant;
    q = q << 1 | (n % y.mant != 0);
    return pack(f, neg, x.exp - up - y.exp - 1, q, rnd);
}

u64 sf_sqrt(const fmt *f, u64 a, int rnd)
{
    num x = unpack(f, a);
    if (x.kind == NAN_ || (x.neg && x.kind != ZERO))
        return f->nan;
    if (x.kind != FINITE)
        return a;
    int up = 124 - top_bit(x.mant);
    up -= (x.exp - up) & 1; /* an even exponent */
    u128 v = x.mant << up, root = 0;
    for (int bit = 62; bit >= 0; bit--) {
        u128 t = root | (u128)1 << bit;
        if (t * t <= v)
            root = t;
    }
    return pack(f, false, (x.exp - up) / 2 - 1, root << 1 | (root * root != v), rnd);
}

u64 sf_convert(const fmt *to, const fmt *from, u64 a, int rnd)
{
    num x = unpack(from, a);
    if (x.kind == NAN_)
        return to->nan;
    if (x.kind == INF)
        return pack_inf(to, x.neg);
    return pack(to, x.neg, x.exp, x.kind == ZERO ? 0 : x.mant, rnd);
}

u64 sf_from_int(const fmt *to, u64 magnitude, bool negative, int rnd)
{
    return pack(to, negative && magnitude, 0, magnitude, rnd);
}

u64 sf_round_integral(const fmt *f, u64 a, int rnd)
{
    num x = unpack(f, a);
    if (x.kind == NAN_)
        return f->nan;
    if (x.kind != FINITE || x.exp >= 0)
        return a;
    return pack(f, x.neg, 0, round_off(x.mant, -x.exp, x.neg, rnd), rnd);
}

static u64 clamp_int(u128 m, bool neg, int bits, bool is_signed)
{
    u64 limit = is_signed ? ((u64)1 << (bits - 1)) - !neg : bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1;
    if (neg && !is_signed)
        return 0;
    u64 v = m > limit ? limit : (u64)m;
    return neg ? -v : v;
}

u64 sf_to_int(const fmt *f, u64 a, int bits, bool is_signed, int rnd, u64 nan_result)
{
    num x = unpack(f, a);
    if (x.kind == NAN_)
        return nan_result;
    if (x.kind == ZERO)
        return 0;
    if (x.kind == INF || top_bit(x.mant) + x.exp > 65)
        return clamp_int((u128)1 << 100, x.neg, bits, is_signed);
    return clamp_int(round_off(x.mant, -x.exp, x.neg, rnd), x.neg, bits, is_signed);
}

bool sf_is_nan(const fmt *f, u64 a) { return (a & (sf_sign(f) - 1)) > pack_inf(f, false); }

u64 sf_flush(const fmt *f, u64 a) { return a & (u64)max_exp(f) << f->mant ? a : a & sf_sign(f); }

u64 sf_saturate(const fmt *f, u64 a)
{
    u64 one = (u64)bias(f) << f->mant;
    if (sf_is_nan(f, a) || a & sf_sign(f))
        return 0;
    return a > one ? one : a;
}
