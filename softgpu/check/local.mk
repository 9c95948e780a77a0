# What watches a launch: races, uninitialised reads, barriers, counters.
noinst_LTLIBRARIES += libsg_check.la
libsg_check_la_CFLAGS = $(SOFTGPU_CFLAGS)
libsg_check_la_SOURCES = \
	softgpu/check/checkers.h softgpu/check/counters.c softgpu/check/counters_text.c softgpu/check/findings.c \
	softgpu/check/findings.h softgpu/check/findings_text.c softgpu/check/fp_origins.c softgpu/check/fp_origins.h \
	softgpu/check/fpcheck.c softgpu/check/text.c softgpu/check/text.h \
	softgpu/check/init_memory.c softgpu/check/init_memory.h softgpu/check/initcheck.c \
	softgpu/check/leakcheck.c softgpu/check/lint.c softgpu/check/memcheck.c softgpu/check/race_cells.c \
	softgpu/check/race_cells.h \
	softgpu/check/race_clocks.c softgpu/check/race_clocks.h \
	softgpu/check/race_order.c softgpu/check/race_order.h softgpu/check/race_sets.c softgpu/check/race_sets.h \
	softgpu/check/racecheck.c \
	softgpu/check/profile.c softgpu/check/profile.h softgpu/check/profile_html.c \
	softgpu/check/synccheck.c softgpu/check/trace.c softgpu/check/watchpoint.c
TESTS_IN_C += softgpu/check/test_async
QUICK_TESTS += softgpu/check/test_async
softgpu_check_test_async_LDADD = libtap.la $(SOFTGPU_LIBS) -lm
