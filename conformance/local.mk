# The suite and its command.
noinst_LTLIBRARIES += libtap.la
libtap_la_SOURCES = conformance/tap.c conformance/tap.h

bin_PROGRAMS += cotangent
cotangent_SOURCES = conformance/main.c conformance/cli.c conformance/cli.h \
	conformance/cmd_check.c conformance/cmd_explain.c conformance/cmd_ops.c \
	conformance/case.c conformance/case.h conformance/clauses.h conformance/generate.c conformance/generate.h \
	conformance/judge.h conformance/philox.h conformance/problem.c conformance/problem.h
nodist_cotangent_SOURCES = conformance/clauses.c

# Truth is in MPFR; without it the program builds, and says so where it is asked to judge.
TRUTH_SOURCES = conformance/truth.c conformance/truth.h conformance/truth_ops.h conformance/truth_scan.h \
	conformance/truth_real.c conformance/truth_real.h conformance/truth_value.c conformance/truth_value.h \
	conformance/truth_order.c conformance/truth_reduce.c conformance/truth_scan.c conformance/truth_logcumsumexp.c \
	conformance/truth_binary.c conformance/truth_softmax.c
EXTRA_DIST += conformance/judge_off.c conformance/oracle_vectors.tsv
if HAVE_MPFR
cotangent_SOURCES += conformance/judge.c conformance/judge_cell.c conformance/judge_cell.h
cotangent_LDADD = libtruth.la $(LDADD)

noinst_LTLIBRARIES += libtruth.la
libtruth_la_SOURCES = $(TRUTH_SOURCES)
libtruth_la_LIBADD = -lmpfr -lgmp
check_PROGRAMS += conformance/test_truth conformance/test_truth_pairs conformance/test_truth_slopes conformance/test_truth_bounds \
	conformance/test_truth_oracle
conformance_test_truth_SOURCES = conformance/test_truth.c conformance/test_truth.h
conformance_test_truth_LDADD = libtruth.la $(LDADD)
conformance_test_truth_pairs_SOURCES = conformance/test_truth_pairs.c conformance/test_truth.h
conformance_test_truth_pairs_LDADD = libtruth.la $(LDADD)
conformance_test_truth_slopes_SOURCES = conformance/test_truth_slopes.c conformance/test_truth.h
conformance_test_truth_slopes_LDADD = libtruth.la $(LDADD)
conformance_test_truth_bounds_SOURCES = conformance/test_truth_bounds.c conformance/test_truth.h conformance/generate.c
conformance_test_truth_bounds_LDADD = libtruth.la $(LDADD)
conformance_test_truth_oracle_SOURCES = conformance/test_truth_oracle.c conformance/test_truth.h
conformance_test_truth_oracle_LDADD = libtruth.la $(LDADD)
else
cotangent_SOURCES += conformance/judge_off.c
endif

conformance/clauses.c: doc/SPEC.md conformance/clauses.awk
	$(AM_V_GEN)$(MKDIR_P) conformance && $(AWK) -f $(top_srcdir)/conformance/clauses.awk $(top_srcdir)/doc/SPEC.md > $@.tmp && mv $@.tmp $@
CLEANFILES += conformance/clauses.c
EXTRA_DIST += conformance/clauses.awk doc/SPEC.md
