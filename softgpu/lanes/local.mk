# One instruction on 32 lanes.
noinst_LTLIBRARIES += libsg_lanes.la
libsg_lanes_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_lanes_la_SOURCES = \
	softgpu/lanes/approx.c softgpu/lanes/lanes.h softgpu/lanes/lanes.inc softgpu/lanes/lanes_avx2.c \
	softgpu/lanes/lanes_base.c softgpu/lanes/lanes_cvt.inc softgpu/lanes/lanes_float.inc \
	softgpu/lanes/lanes_half.inc softgpu/lanes/lanes_int.h softgpu/lanes/lanes_int.inc \
	softgpu/lanes/lanes_more.inc \
	softgpu/lanes/lanes_video.inc \
	softgpu/lanes/target_avx2.h softgpu/lanes/target_end.h
