# The reference backend. Its loops are built once for each instruction set, from the same source.
noinst_LTLIBRARIES += libref_baseline.la
REF_LOOPS = backend_ref/kernels.c backend_ref/problem.h backend_ref/twice.inc backend_ref/loops.inc backend_ref/move.inc backend_ref/cells.inc \
	backend_ref/fold.inc backend_ref/scan.inc backend_ref/winners.inc backend_ref/winners_packed.inc \
	backend_ref/winners_cols.inc backend_ref/recurrence.inc backend_ref/rows.inc \
	backend_ref/long.inc backend_ref/cols.inc backend_ref/run.inc
REF_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) -fno-tree-slp-vectorize # chains of additions are interleaved by hand

libref_baseline_la_SOURCES = $(REF_LOOPS)
libref_baseline_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_REF_KERNELS=cot_ref_baseline '-DCOT_REF_ISA="cpu, baseline"'
libref_baseline_la_CFLAGS = $(REF_CFLAGS)
libref_baseline_la_LDFLAGS = # not -static: its objects go into a shared library too

libcotangent_la_SOURCES += backend_ref/ref.c backend_ref/arrange.c backend_ref/environment.c backend_ref/forward.c backend_ref/forward.inc \
	backend_ref/order.inc backend_ref/policy.c backend_ref/policy_lines.inc
libcotangent_la_LIBADD = libref_baseline.la -lm

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
