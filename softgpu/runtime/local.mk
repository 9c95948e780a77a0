# The CUDA runtime, for programs that are linked with `nvcc -cudart shared`.
noinst_LTLIBRARIES += libsg_runtime.la
libsg_runtime_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_runtime_la_SOURCES = \
	softgpu/runtime/copy.c softgpu/runtime/device.c softgpu/runtime/error.c softgpu/runtime/runtime_errors.def \
	softgpu/runtime/graph.c softgpu/runtime/launch.c softgpu/runtime/memory.c softgpu/runtime/refused.c \
	softgpu/runtime/refused.def softgpu/runtime/registry.c softgpu/runtime/runtime.h softgpu/runtime/stream.c

# The same for programs of CUDA 12.
noinst_LTLIBRARIES += libsg_runtime12.la
libsg_runtime12_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_runtime12_la_CPPFLAGS = $(AM_CPPFLAGS) -DCUDART=12
libsg_runtime12_la_SOURCES = $(libsg_runtime_la_SOURCES) softgpu/runtime/twelve.c
TESTS_IN_C += softgpu/runtime/test_twelve
softgpu_runtime_test_twelve_LDADD = libtap.la -ldl
EXTRA_softgpu_runtime_test_twelve_DEPENDENCIES = softgpu/libcudart.so.12

# Beside the driver, under its own name but never in a system directory.
softgpu/libcudart.so.13: libsg_runtime.la softgpu/libcuda.so.1 softgpu/runtime/exports.map softgpu/runtime/per_thread.ld
	$(AM_V_CCLD)$(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-soname,libcudart.so.13 -o $@ \
		-Wl,--version-script=$(top_srcdir)/softgpu/runtime/exports.map -Wl,-rpath,'$$ORIGIN' \
		-Wl,--whole-archive .libs/libsg_runtime.a -Wl,--no-whole-archive \
		$(top_srcdir)/softgpu/runtime/per_thread.ld softgpu/libcuda.so.1 -lpthread
softgpu/libcudart.so.12: libsg_runtime12.la softgpu/libcuda.so.1 softgpu/runtime/exports12.map \
		softgpu/runtime/per_thread.ld
	$(AM_V_CCLD)$(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-soname,libcudart.so.12 -o $@ \
		-Wl,--version-script=$(top_srcdir)/softgpu/runtime/exports12.map -Wl,-rpath,'$$ORIGIN' \
		-Wl,--whole-archive .libs/libsg_runtime12.a -Wl,--no-whole-archive \
		$(top_srcdir)/softgpu/runtime/per_thread.ld softgpu/libcuda.so.1 -lpthread
softgpu_DATA += softgpu/libcudart.so.13 softgpu/libcudart.so.12
CLEANFILES += softgpu/libcudart.so.13 softgpu/libcudart.so.12
EXTRA_DIST += softgpu/runtime/exports.map softgpu/runtime/exports12.map softgpu/runtime/per_thread.ld
