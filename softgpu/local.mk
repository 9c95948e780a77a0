# The software CUDA device: a library a room, all of them in libsoftgpu.la; the driver; the command.
# For libtool: one object each, position-independent, for programs and for the driver alike.
SOFTGPU_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS) -fPIC -static
SOFTGPU_ROOMS = libsg_api.la libsg_image.la libsg_check.la libsg_exec.la libsg_lanes.la libsg_decode.la libsg_ptx.la \
	libsg_base.la
SOFTGPU_LIBS = libsoftgpu.la $(OPENMP_CFLAGS) -lpthread
noinst_LTLIBRARIES += libsoftgpu.la
libsoftgpu_la_SOURCES = softgpu/softgpu.h
libsoftgpu_la_LIBADD = $(SOFTGPU_ROOMS)

# The driver, under its own name but never in a system directory.
softgpu/libcuda.so.1: libsoftgpu.la
	$(AM_V_CCLD)$(CC) -shared $(AM_CFLAGS) $(OPENMP_CFLAGS) $(CFLAGS) $(LDFLAGS) -Wl,-soname,libcuda.so.1 -o $@ \
		-Wl,--whole-archive .libs/libsoftgpu.a -Wl,--no-whole-archive -lpthread
softgpudir = $(pkglibdir)/softgpu
include_HEADERS += softgpu/softgpu.h
softgpu_DATA = softgpu/libcuda.so.1
CLEANFILES += softgpu/libcuda.so.1
EXTRA_DIST += doc/softgpu.md doc/softgpu-checkers.md doc/softgpu-programs.md

include softgpu/base/local.mk
include softgpu/ptx/local.mk
include softgpu/decode/local.mk
include softgpu/lanes/local.mk
include softgpu/exec/local.mk
include softgpu/check/local.mk
include softgpu/image/local.mk
include softgpu/api/local.mk
include softgpu/runtime/local.mk
include softgpu/cli/local.mk
include softgpu/test/local.mk
