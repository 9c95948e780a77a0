# The reference backend. Its loops are built once for each instruction set, from the same source.
noinst_LTLIBRARIES += libref_baseline.la
REF_LOOPS = backend_ref/kernels.c backend_ref/ref_problem.h backend_ref/twice.inc backend_ref/loops.inc \
	backend_ref/move.inc backend_ref/cells.inc backend_ref/fold.inc backend_ref/scan.inc backend_ref/winners.inc \
	backend_ref/winners_packed.inc backend_ref/winners_cols.inc backend_ref/recurrence.inc backend_ref/rows.inc \
	backend_ref/long.inc backend_ref/cols.inc backend_ref/run.inc
REF_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) -fno-tree-slp-vectorize # chains of additions are interleaved by hand

libref_baseline_la_SOURCES = $(REF_LOOPS)
libref_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_REF_KERNELS=cot_ref_baseline '-DCOT_REF_ISA="cpu, baseline"'
libref_baseline_la_CFLAGS = $(REF_CFLAGS)
libref_baseline_la_LDFLAGS = # not -static: its objects go into a shared library too

noinst_LTLIBRARIES += libref.la
libref_la_SOURCES = backend_ref/ref.c backend_ref/ref_arrange.c backend_ref/environment.c backend_ref/forward.c \
	backend_ref/forward.inc backend_ref/policy.c backend_ref/policy_memory.inc
libref_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
libref_la_LDFLAGS =
libcotangent_la_LIBADD += libref.la libref_baseline.la $(OPENMP_CFLAGS) -lm

if HAVE_AVX2
noinst_LTLIBRARIES += libref_avx2.la
libref_avx2_la_SOURCES = $(REF_LOOPS)
libref_avx2_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_REF_KERNELS=cot_ref_avx2 '-DCOT_REF_ISA="cpu, AVX2"'
libref_avx2_la_CFLAGS = $(REF_CFLAGS) $(AVX2_CFLAGS)
libref_avx2_la_LDFLAGS =
libcotangent_la_LIBADD += libref_avx2.la
endif

if HAVE_AVX512
noinst_LTLIBRARIES += libref_avx512.la
libref_avx512_la_SOURCES = $(REF_LOOPS)
libref_avx512_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_REF_KERNELS=cot_ref_avx512 '-DCOT_REF_ISA="cpu, AVX-512"'
libref_avx512_la_CFLAGS = $(REF_CFLAGS) $(AVX512_CFLAGS)
libref_avx512_la_LDFLAGS =
libcotangent_la_LIBADD += libref_avx512.la
endif
EXTRA_DIST += doc/reference.md

TESTS_IN_C += backend_ref/test_digest backend_ref/test_options backend_ref/test_loops
QUICK_TESTS += backend_ref/test_digest backend_ref/test_options backend_ref/test_loops
backend_ref_test_digest_SOURCES = backend_ref/test_digest.c backend_ref/test_witness.h
backend_ref_test_digest_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) # to know whether there are threads
backend_ref_test_options_SOURCES = backend_ref/test_options.c backend_ref/test_witness.h
backend_ref_test_options_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) # likewise
backend_ref_test_loops_SOURCES = backend_ref/test_loops.c backend_ref/test_witness.h backend_ref/test_orders.inc
EXTRA_DIST += backend_ref/digests.txt
