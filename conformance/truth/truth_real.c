/* Real numbers over MPFR: 256 bits wide, or rounded once to a floating-point format. */
#include "truth_real.h"

#include <math.h>

/* ---- 256 bits -------------------------------------------------------------------------------- */

/* An MPFR variable over the limbs of a real. MPFR does not write to a source. */
static void open_real(mpfr_ptr m, const real *r)
{
    mpfr_custom_init_set(m, r->kind, r->exponent, REAL_BITS, (void *)r->limb);
}

static void open_result(mpfr_ptr m, real *r) { mpfr_custom_init_set(m, MPFR_ZERO_KIND, 0, REAL_BITS, r->limb); }

static void close_result(mpfr_srcptr m, real *r)
{
    r->kind = mpfr_custom_get_kind(m);
    r->exponent = mpfr_regular_p(m) ? mpfr_custom_get_exp(m) : 0;
}

real real_of(double value)
{
    real r = { 0 };
    mpfr_t m;
    open_result(m, &r);
    mpfr_set_d(m, value, MPFR_RNDN);
    close_result(m, &r);
    return r;
}

real real_apply1(real_fn1 *f, real a)
{
    real r = { 0 };
    mpfr_t result, first;
    open_result(result, &r);
    open_real(first, &a);
    f(result, first, MPFR_RNDN);
    close_result(result, &r);
    return r;
}

real real_apply2(real_fn2 *f, real a, real b)
{
    real r = { 0 };
    mpfr_t result, first, second;
    open_result(result, &r);
    open_real(first, &a);
    open_real(second, &b);
    f(result, first, second, MPFR_RNDN);
    close_result(result, &r);
    return r;
}

real real_abs(real a)
{
    a.kind = a.kind < 0 ? -a.kind : a.kind;
    return a;
}

real real_neg(real a)
{
    a.kind = -a.kind;
    return a;
}

int real_is_nan(real a) { return a.kind == MPFR_NAN_KIND; }
int real_is_finite(real a) { return real_is_zero(a) || real_abs(a).kind == MPFR_REGULAR_KIND; }
int real_is_zero(real a) { return real_abs(a).kind == MPFR_ZERO_KIND; }
double real_to(real a)
{
    mpfr_t m;
    open_real(m, &a);
    return mpfr_get_d(m, MPFR_RNDN);
}

long double real_size(real a)
{
    mpfr_t m;
    real size = real_abs(a);
    open_real(m, &size);
    return mpfr_get_ld(m, MPFR_RNDN);
}

void real_split(real a, int exponent, double *high, double *low)
{
    if (!real_is_finite(a) || real_is_zero(a)) {
        *high = real_to(a);
        *low = 0;
        return;
    }
    a.exponent -= exponent;
    *high = real_to(a);
    *low = isfinite(*high) ? real_to(real_apply2(mpfr_sub, a, real_of(*high))) : 0;
}

void real_begin(void)
{
    mpfr_set_emin(mpfr_get_emin_min());
    mpfr_set_emax(mpfr_get_emax_max());
}

void real_end(void) { mpfr_free_cache(); }

int real_allows_threads(void) { return mpfr_buildopt_tls_p(); }

/* ---- rounded to a format --------------------------------------------------------------------- */

typedef struct small {
    mpfr_t m;
    mp_limb_t limb[1]; /* 64 bits hold a double */
} small;

static void open_small(small *s, int bits, double value)
{
    mpfr_custom_init_set(s->m, MPFR_ZERO_KIND, 0, bits, s->limb);
    mpfr_set_d(s->m, value, MPFR_RNDN);
}

/* Ends an operation that ran in the format's exponent range: rounds subnormals to their coarser grid. */
static double settle(small *result, int ternary, int *inexact)
{
    *inexact = mpfr_subnormalize(result->m, ternary, MPFR_RNDN) != 0;
    double value = mpfr_get_d(result->m, MPFR_RNDN);
    real_begin();
    return value;
}

static void narrow(const real_format *to)
{
    mpfr_set_emin(to->least);
    mpfr_set_emax(to->most);
}

double rounded_apply1(const real_format *to, real_fn1 *f, double a, int *inexact)
{
    small result, first;
    open_small(&result, to->bits, 0);
    open_small(&first, 53, a);
    narrow(to);
    return settle(&result, f(result.m, first.m, MPFR_RNDN), inexact);
}

double rounded_apply2(const real_format *to, real_fn2 *f, double a, double b, int *inexact)
{
    small result, first, second;
    open_small(&result, to->bits, 0);
    open_small(&first, 53, a);
    open_small(&second, 53, b);
    narrow(to);
    return settle(&result, f(result.m, first.m, second.m, MPFR_RNDN), inexact);
}
