# Speed, as ratios within one run. Built on demand: make bench.
EXTRA_PROGRAMS += bench/bench_ref
bench_bench_ref_SOURCES = bench/bench_ref.c
bench_bench_ref_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_bench_ref_LDADD = libcotangent.la -lm
CLEANFILES += bench/bench_ref
bench: bench/bench_ref
	./bench/bench_ref
.PHONY: bench

# The GPU kernels' counters against a table.
dist_check_SCRIPTS += bench/test_counters.sh
LONG_SHELL += bench/test_counters.sh
EXTRA_DIST += bench/counters.txt
bench/test_counters.log: cotangent$(EXEEXT) softgpu/libcuda.so.1
