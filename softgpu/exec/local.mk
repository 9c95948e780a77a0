# Warps, blocks, launches.
noinst_LTLIBRARIES += libsg_exec.la
libsg_exec_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_exec_la_SOURCES = \
	softgpu/exec/access.inc softgpu/exec/atomic.c softgpu/exec/bad_access.c softgpu/exec/barrier.c \
	softgpu/exec/builtin.c softgpu/exec/bulk.inc \
	softgpu/exec/group.inc softgpu/exec/tensor.c softgpu/exec/matrix_number.h softgpu/exec/wgmma.c \
	softgpu/exec/collective.c softgpu/exec/cta.c softgpu/exec/device.h softgpu/exec/exec.inc \
	softgpu/exec/exec_checked.c softgpu/exec/exec_checked_avx2.c softgpu/exec/exec_plain.c \
	softgpu/exec/exec_plain_avx2.c softgpu/exec/frame.c softgpu/exec/hooks.def softgpu/exec/late.c \
	softgpu/exec/launch.c softgpu/exec/matrix.c softgpu/exec/mbarrier.c softgpu/exec/memory.c \
	softgpu/exec/observer.c softgpu/exec/observer.h softgpu/exec/tile.inc softgpu/exec/warp.c
