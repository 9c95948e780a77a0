# Images of modules: fat binaries, and the decoders of their PTX.
noinst_LTLIBRARIES += libsg_image.la
libsg_image_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_image_la_SOURCES = \
	softgpu/image/fatbin.c softgpu/image/fse.c softgpu/image/huffman.c softgpu/image/image.h softgpu/image/lz4.c \
	softgpu/image/sequences.c softgpu/image/zstd.c softgpu/image/zstd.h
TESTS_IN_C += softgpu/image/test_image
QUICK_TESTS += softgpu/image/test_image
softgpu_image_test_image_LDADD = libsg_image.la libtap.la
EXTRA_DIST += softgpu/image/fixture_kernels.cu softgpu/image/fixture_none.fatbin softgpu/image/fixture_lz4.fatbin \
	softgpu/image/fixture_zstd.fatbin
