# PTX text to a syntax tree.
noinst_LTLIBRARIES += libsg_ptx.la
libsg_ptx_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_ptx_la_SOURCES = \
	softgpu/ptx/lex.c softgpu/ptx/lex.h softgpu/ptx/parse.c softgpu/ptx/parse.h \
	softgpu/ptx/parse_const.c softgpu/ptx/parse_ins.c softgpu/ptx/parse_table.c softgpu/ptx/parse_var.c \
	softgpu/ptx/ptx.h softgpu/ptx/symbols.c
TESTS_IN_C += softgpu/ptx/test_parse
QUICK_TESTS += softgpu/ptx/test_parse
softgpu_ptx_test_parse_LDADD = libtap.la $(SOFTGPU_LIBS)
