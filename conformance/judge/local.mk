# The judge: runs a problem on a backend, and compares every cell with truth. Without MPFR it can only say that it
# cannot judge.
noinst_LTLIBRARIES += libjudge.la
libjudge_la_CFLAGS = $(ROOM_CFLAGS)
libjudge_la_LIBADD = -lpthread
libjudge_la_SOURCES = \
	conformance/judge/guess.c conformance/judge/guess.h conformance/judge/judge.h \
	conformance/judge/judge_views.h conformance/judge/no_mpfr.c conformance/judge/trial.c \
	conformance/judge/trial.h conformance/judge/pattern.c \
	conformance/judge/pattern.h conformance/judge/reasons.def conformance/judge/unjudged.def \
	conformance/judge/verdict.c \
	conformance/judge/verdict.h
dist_check_SCRIPTS += conformance/judge/test_levels.sh
TESTS_IN_C += conformance/judge/test_pattern
QUICK_TESTS += conformance/judge/test_pattern
if HAVE_MPFR
libjudge_la_SOURCES += \
	conformance/judge/circumstances.c conformance/judge/circumstances.h \
	conformance/judge/court_run.c conformance/judge/court_run.h conformance/judge/exhibit.c \
	conformance/judge/exhibit.h conformance/judge/judge.c conformance/judge/judge_cell.c \
	conformance/judge/judge_cell.h \
	conformance/judge/judge_clause.c conformance/judge/judge_clause.h conformance/judge/judge_forward.c \
	conformance/judge/judge_forward.h conformance/judge/judge_lines.c conformance/judge/judge_lines.h \
	conformance/judge/judge_refusal.c conformance/judge/judge_refusal.h conformance/judge/judge_views.c \
	conformance/judge/invariance.c conformance/judge/invariance.h conformance/judge/oracle_exact.c \
	conformance/judge/oracle.c conformance/judge/oracle.h conformance/judge/own_sums.c \
	conformance/judge/own_sums.h conformance/judge/suspect_sums.c \
	conformance/judge/suspects.c \
	conformance/judge/suspects.h conformance/judge/walk.c conformance/judge/walk.h
TESTS_IN_C += conformance/judge/test_judge conformance/judge/test_forward conformance/judge/test_clauses \
	conformance/judge/test_threads conformance/judge/test_blame conformance/judge/test_own_sums
QUICK_TESTS += conformance/judge/test_judge conformance/judge/test_blame \
	conformance/judge/test_threads
else
libjudge_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_WITHOUT_MPFR
endif
