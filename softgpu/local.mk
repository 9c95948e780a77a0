# The software CUDA device: a static part for our own programs, the driver library, the command.
SOFTGPU_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
noinst_LTLIBRARIES += libsoftgpu.la
libsoftgpu_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsoftgpu_la_LDFLAGS = # not -static: the shared driver takes its position-independent half
libsoftgpu_la_SOURCES = \
	softgpu/base.h softgpu/base.c softgpu/decimal.h softgpu/decimal.c softgpu/lex.h softgpu/lex.c \
	softgpu/ptx.h softgpu/parse.h softgpu/parse.c softgpu/parse_ins.c softgpu/parse_var.c softgpu/scope.c \
	softgpu/special.h softgpu/special.def softgpu/form.h softgpu/form.c softgpu/forms.def softgpu/forms_cvt.def softgpu/forms_mem.def \
	softgpu/kernel.h softgpu/flow.c softgpu/refs.c softgpu/slots.c softgpu/operands.c softgpu/decode.c softgpu/decode_mem.c softgpu/link.c \
	softgpu/softfloat.h softgpu/softfloat.c softgpu/fp.h softgpu/approx.c softgpu/mem.h \
	softgpu/lanes.h softgpu/lanes_int.h softgpu/lanes.inc softgpu/lanes_int.inc softgpu/lanes_float.inc softgpu/lanes_cvt.inc \
	softgpu/lanes_half.inc softgpu/lanes_base.c softgpu/lanes_avx2.c \
	softgpu/device.h softgpu/memory.c softgpu/warp.c softgpu/exec.inc softgpu/access.inc softgpu/exec_plain.c softgpu/exec_checked.c \
	softgpu/exec_plain_avx2.c softgpu/exec_checked_avx2.c softgpu/target_avx2.h softgpu/target_end.h \
	softgpu/atomic.c softgpu/collective.c softgpu/barrier.c softgpu/cta.c softgpu/launch.c softgpu/bad_access.c \
	softgpu/observe.h softgpu/observe.c softgpu/report.h softgpu/report.c softgpu/initcheck.h softgpu/initcheck.c \
	softgpu/init_regs.h softgpu/init_regs.c softgpu/racecheck.h softgpu/racecheck.c softgpu/lint.c \
	softgpu/counters.h softgpu/counters.c softgpu/counters_text.c softgpu/softgpu.h \
	softgpu/cuda_abi.h softgpu/errors.def softgpu/api.h softgpu/api_proto.h softgpu/api.def softgpu/api_state.c softgpu/api_device.c \
	softgpu/api_context.c softgpu/api_module.c softgpu/api_memory.c softgpu/api_stream.c softgpu/api_launch.c softgpu/api_error.c \
	softgpu/api_proc.c
SOFTGPU_LIBS = libsoftgpu.la -lpthread

# The driver, under its own name but never in a system directory.
softgpu/libcuda.so.1: libsoftgpu.la
	$(AM_V_CCLD)$(CC) -shared $(SOFTGPU_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-soname,libcuda.so.1 -o $@ \
		-Wl,--whole-archive .libs/libsoftgpu.a -Wl,--no-whole-archive -lpthread
softgpudir = $(pkglibdir)/softgpu
softgpu_DATA = softgpu/libcuda.so.1
CLEANFILES += softgpu/libcuda.so.1

bin_PROGRAMS += softgpu/softgpu
softgpu_softgpu_SOURCES = softgpu/softgpu_main.c softgpu/cli.h softgpu/cli_run.c softgpu/cli_census.c softgpu/npy.c
softgpu_softgpu_CPPFLAGS = $(AM_CPPFLAGS) -DSG_LIBDIR='"$(pkglibdir)/softgpu"'
softgpu_softgpu_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_softgpu_LDADD = $(SOFTGPU_LIBS)
EXTRA_DIST += doc/softgpu.md
dist_man_MANS += doc/softgpu.1

# Tests. Those of forms link the device itself, to see that no row of its table is left out.
SOFTGPU_TEST_LIBS = libtap.la $(SOFTGPU_LIBS) -lm
check_PROGRAMS += softgpu/test_forms
softgpu_test_forms_SOURCES = softgpu/test_forms.h softgpu/test_forms.c softgpu/test_forms_int.c softgpu/test_forms_int.def \
	softgpu/test_forms_float.c softgpu/test_forms_cvt.c softgpu/test_forms_mem.c
softgpu_test_forms_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_test_forms_LDADD = $(SOFTGPU_TEST_LIBS)

check_PROGRAMS += softgpu/test_checks softgpu/test_api
softgpu_test_api_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_test_api_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_checks_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_test_checks_LDADD = $(SOFTGPU_TEST_LIBS)
EXTRA_DIST += softgpu/corpus

# Programs that a script runs with what the compilers make.
EXTRA_PROGRAMS += softgpu/test_kernels softgpu/test_wasm softgpu/fuzz_replay
softgpu_test_wasm_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_test_wasm_LDADD = $(SOFTGPU_LIBS)
softgpu_fuzz_replay_SOURCES = softgpu/fuzz_load.c
softgpu_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -DSG_FUZZ_MAIN
softgpu_fuzz_replay_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_fuzz_replay_LDADD = $(SOFTGPU_LIBS)
softgpu_test_kernels_CFLAGS = $(SOFTGPU_CFLAGS)
softgpu_test_kernels_LDADD = $(SOFTGPU_TEST_LIBS)
dist_check_SCRIPTS += softgpu/test_kernels.sh softgpu/test_cli.sh softgpu/test_wasm.sh softgpu/test_corpus.sh
softgpu/test_wasm.log: softgpu/test_wasm$(EXEEXT)
softgpu/test_corpus.log: softgpu/fuzz_replay$(EXEEXT)
softgpu/test_kernels.log: softgpu/test_kernels$(EXEEXT)
EXTRA_DIST += softgpu/test_kernels.cu
CLEANFILES += softgpu/test_kernels$(EXEEXT) softgpu/test_wasm$(EXEEXT) softgpu/fuzz_replay$(EXEEXT)

# Speed, and the same work under Debian's oclgrind: make softgpu-bench
EXTRA_PROGRAMS += bench/softgpu_speed
bench_softgpu_speed_SOURCES = softgpu/speed_main.c
bench_softgpu_speed_CFLAGS = $(SOFTGPU_CFLAGS)
bench_softgpu_speed_LDADD = $(SOFTGPU_LIBS)
softgpu-bench: bench/softgpu_speed$(EXEEXT)
	srcdir='$(abs_top_srcdir)' builddir='$(abs_top_builddir)' CC='$(CC)' $(top_srcdir)/bench/softgpu_speed.sh
.PHONY: softgpu-bench
EXTRA_DIST += bench/softgpu_speed.sh bench/softgpu_speed.cu bench/softgpu_peer.c
CLEANFILES += bench/softgpu_speed$(EXEEXT)
