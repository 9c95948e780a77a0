# exp, log, pow, hypot and atan2: what a formula includes, what makes the coefficients, and the tests against MPFR.
math_headers = core/math/math.h core/math/poly.h core/math/pairs.h core/math/wide.h core/math/edges.inc \
	core/math/exp.h core/math/log.h core/math/pow.h core/math/hypot.h core/math/atan2.h
EXTRA_DIST += $(math_headers) core/math/coefficients.py core/math/measure.h core/math/draw.h doc/math.md

TESTS_IN_C += core/math/test_half
QUICK_TESTS += core/math/test_half
if HAVE_MPFR
TESTS_IN_C += core/math/test_math core/math/test_special
QUICK_TESTS += core/math/test_special
core_math_test_math_LDADD = libtap.la -lmpfr -lgmp
core_math_test_special_LDADD = libtap.la -lmpfr -lgmp

# All 2^32 floats, in minutes.
EXTRA_PROGRAMS += core/math/long_math
LONG_TESTS += core/math/long_math
core_math_long_math_CFLAGS = $(AM_CFLAGS) -O3 $(OPENMP_CFLAGS)
core_math_long_math_LDADD = libtap.la -lmpfr -lgmp -lm

# The worst errors in double, by climbing to them, in minutes.
EXTRA_PROGRAMS += core/math/long_climb
LONG_TESTS += core/math/long_climb
core_math_long_climb_CFLAGS = $(AM_CFLAGS) -O2 $(OPENMP_CFLAGS)
core_math_long_climb_LDADD = libtap.la -lmpfr -lgmp -lm
endif
