# Speed, as ratios within one run. Built on demand: make bench.
EXTRA_PROGRAMS += bench/bench_ref
bench_bench_ref_SOURCES = bench/bench_ref.c
bench_bench_ref_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
bench_bench_ref_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += bench/bench_ref
bench: bench/bench_ref
	./bench/bench_ref
.PHONY: bench

# The GPU kernels' counters against a table.
dist_check_SCRIPTS += bench/test_counters.sh
LONG_SHELL += bench/test_counters.sh
EXTRA_DIST += bench/counters.txt bench/cycle doc/cycle.txt

# Random cases on the reference and on what must have its bits: make soak TIME=600
TIME = 60
soak: cotangent$(EXEEXT)
	$(PYTHON3) $(top_srcdir)/bench/soak.py . $(TIME)
.PHONY: soak
dist_check_SCRIPTS += bench/test_soak.sh
EXTRA_DIST += bench/soak.py
CLEANFILES += soak.json soak.differences
bench/test_soak.log: cotangent$(EXEEXT)

# Which gradients get lost on the way, and that doc/lost.md says so.
dist_check_SCRIPTS += bench/test_lost.sh
EXTRA_DIST += bench/lost_cells.py doc/lost.md
bench/test_lost.log: cotangent$(EXEEXT)

# The software device's speed, and the same work under Debian's oclgrind: make softgpu-bench
EXTRA_PROGRAMS += bench/softgpu_speed
bench_softgpu_speed_SOURCES = bench/softgpu_speed_main.c
bench_softgpu_speed_LDADD = $(SOFTGPU_LIBS)
softgpu-bench: bench/softgpu_speed$(EXEEXT)
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' $(top_srcdir)/bench/softgpu_speed.sh
.PHONY: softgpu-bench
EXTRA_DIST += bench/softgpu_speed.sh bench/softgpu_speed.cu bench/softgpu_peer.c
CLEANFILES += bench/softgpu_speed$(EXEEXT)

# WebAssembly's speed against the host's: make wasm-bench
EXTRA_PROGRAMS += bench/wasm_speed
bench_wasm_speed_LDADD = libsuite.la libcotangent.la -lm
CLEANFILES += bench/wasm_speed$(EXEEXT)
EXTRA_DIST += bench/wasm_speed.sh
wasm-bench: bench/wasm_speed$(EXEEXT)
	+@$(MKDIR_P) web && $(WEB_MAKE) programs > web/programs.log 2>&1 || { tail -20 web/programs.log; exit 1; }
	builddir='$(abs_top_builddir)' $(top_srcdir)/bench/wasm_speed.sh
.PHONY: wasm-bench
bench/test_counters.log: cotangent$(EXEEXT) softgpu/libcuda.so.1
