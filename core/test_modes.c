/* Cells to and from double under every mode of rounding that a caller may have set, with subnormals kept and flushed.
 */
#include "cotangent.h"
#include "conformance/tap/tap.h"

#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined __SSE__
#include <xmmintrin.h>
#endif

enum { FLUSH = 0x8040, MODES = 4, MOST = 4096 };

static const int modes[MODES] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
static double values[MOST];
static int count;

static void put(double value)
{
    values[count++] = value;
    values[count++] = -value;
}

/* A float's neighbourhood: itself, half a step on and a little beside that. */
static void put_near(uint32_t bits)
{
    float f, next;
    memcpy(&f, &bits, 4);
    bits++;
    memcpy(&next, &bits, 4);
    double half = (double)f + ((double)next - (double)f) / 2;
    put((double)f), put(half), put(nextafter(half, 0)), put(nextafter(half, (double)INFINITY));
}

/* Made in the usual mode: around floats of every exponent, subnormals included, and what no float comes near. */
static void make_values(void)
{
    for (uint32_t exponent = 0; exponent < 254; exponent += exponent < 4 || exponent > 250 ? 1 : 7)
        for (uint32_t fraction = 0; fraction < 0x800000; fraction += 0x123457)
            put_near(exponent << 23 | fraction);
    put_near(1), put_near(0x7fffff), put_near(0x7f7ffffe);
    put(0), put(5e-324), put(1e-310), put(1e308), put((double)INFINITY), put(0x1p128), put(0x1.ffffffp127);
    put(0x1.fffffefffffffp127), put(0x1p-150), put(0x1.0000000000001p-150), put(0x1p-149), put(65520), put(65519.99);
}

static void set_mode(int mode, int flush)
{
    fesetround(mode);
#if defined __SSE__
    _mm_setcsr((_mm_getcsr() & ~(unsigned)FLUSH) | (flush ? FLUSH : 0u));
#else
    (void)flush;
#endif
}

/* The mode is on where a sum shows it: a test that sets none would pass without a word. */
static int mode_is(int mode)
{
    volatile float one = 1, little = 0x1p-30f;
    volatile float up = one + little, down = -one - little;
    return mode == FE_UPWARD ? up > 1 : mode == FE_DOWNWARD ? down < -1 : up == 1;
}

typedef struct cells {
    unsigned char set[4][MOST][8];
    double got[4][MOST];
} cells;

static void convert(cells *c)
{
    memset(c, 0, sizeof *c);
    for (int e = 0; e < 4; e++)
        for (int i = 0; i < count; i++) {
            cot_cell_set((cot_element)(COT_F16 + e), c->set[e][i], values[i]);
            c->got[e][i] = cot_cell_get((cot_element)(COT_F16 + e), c->set[e][i]);
        }
}

/* What the processor's own conversions give in the usual mode, for f32. */
static int is_right(const cells *c)
{
    int wrong = 0;
    for (int i = 0; i < count; i++) {
        volatile double value = values[i];
        volatile float f = (float)value;
        float own = f;
        double back = (double)f;
        wrong += memcmp(&own, c->set[COT_F32 - COT_F16][i], 4) || memcmp(&back, &c->got[COT_F32 - COT_F16][i], 8);
    }
    return !wrong;
}

int main(void)
{
    static cells usual, other;
    make_values();
    convert(&usual);
    cmp_ok(count, ">", 2000, "%d numbers", count);
    ok(is_right(&usual), "f32 is as the processor converts it");
    for (int m = 0; m < MODES; m++)
        for (int flush = 0; flush < 2; flush++) {
            set_mode(modes[m], flush);
            int on = mode_is(modes[m]);
            convert(&other);
            set_mode(FE_TONEAREST, 0);
            ok(on && !memcmp(&usual, &other, sizeof usual), "the same bits in mode %d, subnormals %s", m,
               flush ? "flushed" : "kept");
        }
    return done_testing();
}
