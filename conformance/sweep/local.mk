# Sweeps: every pair of f16 and bf16 on a backend, judged block by block.
noinst_LTLIBRARIES += libsweep.la
libsweep_la_CFLAGS = $(ROOM_CFLAGS) $(OPENMP_CFLAGS)
libsweep_la_SOURCES = conformance/sweep/block.c conformance/sweep/block.h conformance/sweep/collect.c \
	conformance/sweep/collect.h conformance/sweep/doubt.c conformance/sweep/doubt.h conformance/sweep/expect.c \
	conformance/sweep/expect.h conformance/sweep/expect_lines.c conformance/sweep/expect_near.h \
	conformance/sweep/heading.c conformance/sweep/heading.h conformance/sweep/line.c conformance/sweep/line.h \
	conformance/sweep/sweep_pairs.c conformance/sweep/sweep_pairs.h \
	conformance/sweep/part.c conformance/sweep/part.h conformance/sweep/run.c conformance/sweep/run.h \
	conformance/sweep/summary.c conformance/sweep/summary.h
if HAVE_MPFR
TESTS_IN_C += conformance/sweep/test_expect conformance/sweep/test_block conformance/sweep/test_heading \
	conformance/sweep/test_libm
QUICK_TESTS += conformance/sweep/test_expect conformance/sweep/test_block
dist_check_SCRIPTS += conformance/sweep/test_sweep.sh
else
libsweep_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_WITHOUT_MPFR
EXTRA_DIST += conformance/sweep/test_sweep.sh
endif
LONG_SHELL += conformance/sweep/test_slurm.sh conformance/sweep/test_everywhere.sh
EXTRA_DIST += conformance/sweep/test_slurm.sh conformance/sweep/test_everywhere.sh
EXTRA_DIST += doc/scale.md conformance/sweep/whole.py conformance/sweep/whole.tsv conformance/sweep/parts.txt
EXTRA_DIST += conformance/sweep/digests.sh conformance/sweep/digests.tsv conformance/sweep/on_device.py
