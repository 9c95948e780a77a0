# Truth: the exact value of each clause's formula, in MPFR and in pairs of doubles. It shares no source with the
# library.
if HAVE_MPFR
noinst_LTLIBRARIES += libtruth.la
libtruth_la_CFLAGS = $(ROOM_CFLAGS)
libtruth_la_SOURCES = \
	conformance/truth/truth.c conformance/truth/truth.h conformance/truth/truth_binary.inc \
	conformance/truth/truth_engine.h conformance/truth/truth_format.c conformance/truth/truth_format.h \
	conformance/truth/truth_formulas.inc conformance/truth/truth_lines.inc conformance/truth/truth_literal.inc \
	conformance/truth/truth_logcumsumexp.inc conformance/truth/truth_ops.h conformance/truth/truth_order.inc \
	conformance/truth/truth_pair.c conformance/truth/truth_pair.h conformance/truth/truth_quick.c \
	conformance/truth/truth_real.c conformance/truth/truth_real.h conformance/truth/truth_reduce.inc \
	conformance/truth/truth_scan.inc conformance/truth/truth_softmax.inc conformance/truth/truth_value.h \
	conformance/truth/truth_value.inc conformance/truth/truth_wide.c
libtruth_la_LIBADD = -lmpfr -lgmp
SUITE_ROOMS += libtruth.la

TESTS_IN_C += \
	conformance/truth/test_truth conformance/truth/test_truth_pairs conformance/truth/test_truth_slopes \
	conformance/truth/test_truth_bounds conformance/truth/test_truth_oracle conformance/truth/test_truth_quick \
	conformance/truth/test_truth_lcse
QUICK_TESTS += conformance/truth/test_truth conformance/truth/test_truth_slopes conformance/truth/test_truth_oracle
conformance_truth_test_truth_SOURCES = conformance/truth/test_truth.c conformance/truth/test_truth.h
endif
EXTRA_DIST += conformance/truth/oracle_vectors.tsv doc/bounds.md doc/hunt.txt
