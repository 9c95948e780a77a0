# The CUDA runtime, for programs that are linked with `nvcc -cudart shared`.
noinst_LTLIBRARIES += libsg_runtime.la
libsg_runtime_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_runtime_la_SOURCES = \
	softgpu/runtime/copy.c softgpu/runtime/device.c softgpu/runtime/error.c softgpu/runtime/errors.def \
	softgpu/runtime/graph.c softgpu/runtime/launch.c softgpu/runtime/memory.c softgpu/runtime/refused.c \
	softgpu/runtime/refused.def softgpu/runtime/registry.c softgpu/runtime/runtime.h softgpu/runtime/stream.c

# Beside the driver, under its own name but never in a system directory.
softgpu/libcudart.so.13: libsg_runtime.la softgpu/libcuda.so.1 softgpu/runtime/exports.map softgpu/runtime/per_thread.ld
	$(AM_V_CCLD)$(CC) -shared $(AM_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-soname,libcudart.so.13 -o $@ \
		-Wl,--version-script=$(top_srcdir)/softgpu/runtime/exports.map -Wl,-rpath,'$$ORIGIN' \
		-Wl,--whole-archive .libs/libsg_runtime.a -Wl,--no-whole-archive \
		$(top_srcdir)/softgpu/runtime/per_thread.ld softgpu/libcuda.so.1 -lpthread
softgpu_DATA += softgpu/libcudart.so.13
CLEANFILES += softgpu/libcudart.so.13
EXTRA_DIST += softgpu/runtime/exports.map softgpu/runtime/per_thread.ld
