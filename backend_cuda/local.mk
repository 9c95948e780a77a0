# The CUDA backend: kernels compiled to PTX, which the library holds as text, and the host's side of them.
CUDA_MODULES = backend_cuda/kernels/elementwise backend_cuda/kernels/reduce backend_cuda/kernels/fold \
	backend_cuda/kernels/fold_columns backend_cuda/kernels/scan backend_cuda/kernels/scan_columns \
	backend_cuda/kernels/winners backend_cuda/kernels/winners_columns backend_cuda/kernels/recurrence \
	backend_cuda/kernels/recurrence_columns backend_cuda/kernels/policy backend_cuda/kernels/policy_binary
CUDA_SHARED = backend_cuda/kernels/launch.h backend_cuda/kernels/machine.h backend_cuda/kernels/element.h \
	backend_cuda/kernels/places.h backend_cuda/kernels/tiles.h backend_cuda/kernels/fold.h \
	backend_cuda/kernels/scan.h backend_cuda/kernels/scan_short.h backend_cuda/kernels/winners.h \
	backend_cuda/kernels/recurrence.h
CUDA_KERNELS = $(CUDA_MODULES:=.cu) $(CUDA_SHARED)
CUDA_F16 = $(CUDA_MODULES:=_f16.ptx)
CUDA_BF16 = $(CUDA_MODULES:=_bf16.ptx)
CUDA_F32 = $(CUDA_MODULES:=_f32.ptx)
CUDA_F64 = $(CUDA_MODULES:=_f64.ptx)
CUDA_PTX = $(CUDA_F16) $(CUDA_BF16) $(CUDA_F32) $(CUDA_F64)
CUDA_TOOLS = NVCC='$(NVCC)' CLANG='$(CLANG)' PTXAS='$(PTXAS)'
EXTRA_DIST += $(CUDA_KERNELS) backend_cuda/compile backend_cuda/embed

if HAVE_PTX
noinst_LTLIBRARIES += libcuda_host.la
libcuda_host_la_SOURCES = backend_cuda/cuda.c backend_cuda/backend.h backend_cuda/driver.c backend_cuda/driver.h \
	backend_cuda/driver.def backend_cuda/modules.c backend_cuda/run.c backend_cuda/cuda_arrange.c \
	backend_cuda/strategy.h backend_cuda/strategy_elementwise.c backend_cuda/strategy_reduce.c \
	backend_cuda/strategy_sum.h backend_cuda/strategy_fold.c backend_cuda/strategy_scan.c \
	backend_cuda/strategy_policy.c
nodist_libcuda_host_la_SOURCES = backend_cuda/embedded.c
libcuda_host_la_CPPFLAGS = $(AM_CPPFLAGS) -DCOT_SOFTGPU='"$(pkglibdir)/softgpu/libcuda.so.1"'
libcuda_host_la_LDFLAGS =
libcotangent_la_LIBADD += libcuda_host.la -lpthread

# What a kernel includes is known from its compiler: a change rebuilds the PTX that it is in, and no other. Where that
# is not known, because PTX came from elsewhere without its .d file, a change of anything that kernels may include
# rebuilds it.
CUDA_UNKNOWN = $(filter-out $(patsubst %.d,%,$(wildcard $(CUDA_PTX:=.d))),$(CUDA_PTX))
$(CUDA_UNKNOWN): $(CUDA_SHARED) $(filter %.h %.inc %.def,$(libcore_la_SOURCES)) $(math_headers)
$(CUDA_F16): %_f16.ptx: %.cu
$(CUDA_BF16): %_bf16.ptx: %.cu
$(CUDA_F32): %_f32.ptx: %.cu
$(CUDA_F64): %_f64.ptx: %.cu
$(CUDA_PTX): backend_cuda/compile
	$(AM_V_GEN)$(MKDIR_P) backend_cuda/kernels && \
		$(CUDA_TOOLS) $(top_srcdir)/backend_cuda/compile $(PTX_COMPILER) $(abs_top_srcdir) $@
-include $(CUDA_PTX:=.d)

backend_cuda/embedded.c: $(CUDA_PTX) $(CUDA_FATBINS) backend_cuda/embed
	$(AM_V_GEN)$(top_srcdir)/backend_cuda/embed backend_cuda/kernels $(CUDA_PTX) > $@.tmp && mv $@.tmp $@
CLEANFILES += $(CUDA_PTX) $(CUDA_PTX:=.d) $(CUDA_FATBINS) backend_cuda/embedded.c
if ENABLE_CUBINS
CUDA_FATBINS = $(CUDA_PTX:.ptx=.fatbin)
$(CUDA_FATBINS): $(CUDA_PTX) backend_cuda/compile
	$(AM_V_GEN)$(CUDA_TOOLS) $(top_srcdir)/backend_cuda/compile $(PTX_COMPILER) $(abs_top_srcdir) $@
endif

# Tests. A driver that fails stands between the backend and the software device in backend_cuda/test_faults.
TESTS_IN_C += backend_cuda/test_sums backend_cuda/test_bits backend_cuda/test_host backend_cuda/test_faults \
	backend_cuda/test_concurrent
QUICK_TESTS += backend_cuda/test_host
backend_cuda_test_bits_SOURCES = backend_cuda/test_bits.c backend_cuda/test_trial.c backend_cuda/test_trial.h \
	backend_cuda/test_device.h backend_cuda/test_seed.h
backend_cuda_test_sums_SOURCES = backend_cuda/test_sums.c backend_cuda/test_trial.c backend_cuda/test_trial.h \
	backend_cuda/test_device.h
backend_cuda_test_host_SOURCES = backend_cuda/test_host.c backend_cuda/test_trial.c backend_cuda/test_trial.h \
	backend_cuda/test_device.h
backend_cuda_test_faults_SOURCES = backend_cuda/test_faults.c backend_cuda/fixture_driver.h backend_cuda/test_trial.c \
	backend_cuda/test_trial.h backend_cuda/test_device.h
backend_cuda_test_concurrent_SOURCES = backend_cuda/test_concurrent.c backend_cuda/test_trial.c \
	backend_cuda/test_trial.h backend_cuda/test_device.h
check_DATA += backend_cuda/fixture_driver.so
backend_cuda/fixture_driver.so: backend_cuda/fixture_driver.c backend_cuda/fixture_driver.h $(PLUGIN_NEEDS)
	$(PLUGIN) $(top_srcdir)/backend_cuda/fixture_driver.c
EXTRA_DIST += backend_cuda/fixture_driver.c
CLEANFILES += backend_cuda/fixture_driver.so
endif
dist_check_SCRIPTS += backend_cuda/test_command.sh backend_cuda/test_ptx.sh backend_cuda/test_clang.sh
if HAVE_PTX
backend_cuda/test_clang.log: backend_cuda/test_bits$(EXEEXT)
endif
LONG_SHELL += backend_cuda/test_ptx.sh backend_cuda/test_clang.sh
EXTRA_DIST += backend_cuda/registers.txt doc/cuda.md
