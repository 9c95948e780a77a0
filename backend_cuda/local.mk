# The CUDA backend: kernels compiled to PTX, which the library holds as text, and the host's side of them.
CUDA_MODULES = backend_cuda/elementwise backend_cuda/reduce backend_cuda/fold backend_cuda/fold_columns \
	backend_cuda/scan backend_cuda/scan_columns backend_cuda/winners backend_cuda/winners_columns \
	backend_cuda/recurrence backend_cuda/recurrence_columns backend_cuda/policy backend_cuda/policy_binary
CUDA_SHARED = backend_cuda/launch.h backend_cuda/device.h backend_cuda/element.h backend_cuda/places.h \
	backend_cuda/tiles.h backend_cuda/fold.h backend_cuda/scan.h backend_cuda/scan_short.h \
	backend_cuda/winners.h backend_cuda/recurrence.h
CUDA_KERNELS = $(CUDA_MODULES:=.cu) $(CUDA_SHARED)
CUDA_PTX = $(CUDA_MODULES:=_f16.ptx) $(CUDA_MODULES:=_bf16.ptx) $(CUDA_MODULES:=_f32.ptx) $(CUDA_MODULES:=_f64.ptx)
CUDA_CORE = core/ops.def core/formula.inc core/policy.inc core/real.h core/math/math.h core/math/poly.h core/math/parts.inc \
	core/math/exp.inc core/math/log.inc core/math/pow.inc core/math/hypot.inc
CUDA_TOOLS = NVCC='$(NVCC)' CLANG='$(CLANG)' PTXAS='$(PTXAS)'
EXTRA_DIST += $(CUDA_KERNELS) backend_cuda/compile backend_cuda/embed

if HAVE_PTX
libcotangent_la_SOURCES += backend_cuda/cuda.c backend_cuda/backend.h backend_cuda/driver.c backend_cuda/driver.h backend_cuda/driver.def \
	backend_cuda/modules.c backend_cuda/run.c backend_cuda/arrange.c backend_cuda/strategy.h backend_cuda/strategy_elementwise.c \
	backend_cuda/strategy_reduce.c backend_cuda/strategy_sum.h backend_cuda/strategy_fold.c backend_cuda/strategy_scan.c backend_cuda/strategy_policy.c
nodist_libcotangent_la_SOURCES = backend_cuda/embedded.c
libcotangent_la_CPPFLAGS += -I$(top_srcdir)/backend_cuda -DCOT_SOFTGPU='"$(pkglibdir)/softgpu/libcuda.so.1"'
libcotangent_la_LIBADD += -lpthread

$(CUDA_PTX): $(CUDA_KERNELS) $(CUDA_CORE) backend_cuda/compile
	$(AM_V_GEN)$(MKDIR_P) backend_cuda && $(CUDA_TOOLS) $(top_srcdir)/backend_cuda/compile $(PTX_COMPILER) $(top_srcdir) $@

backend_cuda/embedded.c: $(CUDA_PTX) $(CUDA_FATBINS) backend_cuda/embed
	$(AM_V_GEN)$(top_srcdir)/backend_cuda/embed backend_cuda $(CUDA_PTX) > $@.tmp && mv $@.tmp $@
CLEANFILES += $(CUDA_PTX) $(CUDA_FATBINS) backend_cuda/embedded.c
if ENABLE_CUBINS
CUDA_FATBINS = $(CUDA_PTX:.ptx=.fatbin)
$(CUDA_FATBINS): $(CUDA_KERNELS) $(CUDA_CORE) backend_cuda/compile
	$(AM_V_GEN)$(MKDIR_P) backend_cuda && $(CUDA_TOOLS) $(top_srcdir)/backend_cuda/compile $(PTX_COMPILER) $(top_srcdir) $@
endif

# Tests. A driver that fails stands between the backend and the software device in backend_cuda/test_faults.
CUDA_TEST_FLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) -I$(top_srcdir)/backend_cuda
check_PROGRAMS += backend_cuda/test_sums backend_cuda/test_bits backend_cuda/test_host backend_cuda/test_faults
backend_cuda_test_bits_SOURCES = backend_cuda/test_bits.c backend_cuda/test_trial.c backend_cuda/test_trial.h backend_cuda/test_device.h
backend_cuda_test_bits_CPPFLAGS = $(CUDA_TEST_FLAGS)
backend_cuda_test_sums_SOURCES = backend_cuda/test_sums.c backend_cuda/test_trial.c backend_cuda/test_trial.h backend_cuda/test_device.h
backend_cuda_test_sums_CPPFLAGS = $(CUDA_TEST_FLAGS)
backend_cuda_test_host_SOURCES = backend_cuda/test_host.c backend_cuda/test_trial.c backend_cuda/test_trial.h backend_cuda/test_device.h
backend_cuda_test_host_CPPFLAGS = $(CUDA_TEST_FLAGS)
backend_cuda_test_faults_SOURCES = backend_cuda/test_faults.c backend_cuda/test_faulty.h backend_cuda/test_trial.c backend_cuda/test_trial.h \
	backend_cuda/test_device.h
backend_cuda_test_faults_CPPFLAGS = $(CUDA_TEST_FLAGS)
check_LTLIBRARIES += cuda_faulty.la
cuda_faulty_la_SOURCES = backend_cuda/test_faulty.c backend_cuda/test_faulty.h
cuda_faulty_la_CPPFLAGS = $(CUDA_TEST_FLAGS)
cuda_faulty_la_LDFLAGS = $(PLUGIN_FLAGS)
endif
dist_check_SCRIPTS += backend_cuda/test_command.sh backend_cuda/test_ptx.sh backend_cuda/test_clang.sh
LONG_SHELL += backend_cuda/test_ptx.sh backend_cuda/test_clang.sh
EXTRA_DIST += backend_cuda/registers.txt doc/cuda.md
