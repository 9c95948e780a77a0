# The tree to instructions with slots, labels and reconvergence points.
noinst_LTLIBRARIES += libsg_decode.la
libsg_decode_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_decode_la_SOURCES = \
	softgpu/decode/decode.c softgpu/decode/decode_call.c softgpu/decode/decode_mem.c softgpu/decode/decode_mov.c \
	softgpu/decode/decode_bulk.c softgpu/decode/decode_group.c \
	softgpu/decode/decode_tile.c softgpu/decode/forms_group.def \
	softgpu/decode/flow.c softgpu/decode/form.c \
	softgpu/decode/form.h softgpu/decode/forms.def softgpu/decode/forms_cvt.def softgpu/decode/forms_matrix.def \
	softgpu/decode/forms_mem.def softgpu/decode/forms_more.def \
	softgpu/decode/forms_video.def \
	softgpu/decode/kernel.h softgpu/decode/link.c softgpu/decode/operands.c softgpu/decode/refs.c \
	softgpu/decode/slots.c
