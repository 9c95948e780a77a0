# Numbers and memory of the device: arenas, decimal, software floating point.
noinst_LTLIBRARIES += libsg_base.la
libsg_base_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_base_la_SOURCES = \
	softgpu/base/base.c softgpu/base/base.h softgpu/base/decimal.c softgpu/base/decimal.h \
	softgpu/base/draft.c softgpu/base/draft.h softgpu/base/fp.h \
	softgpu/base/matrix.h softgpu/base/mem.h softgpu/base/minifloat.c softgpu/base/minifloat.h \
	softgpu/base/softfloat.c softgpu/base/softfloat.h softgpu/base/special.def \
	softgpu/base/special.h softgpu/base/tensor_map.h
