# The backend-agnostic core, and the library that it makes together with the backends.
lib_LTLIBRARIES += libcotangent.la
include_HEADERS += core/cotangent.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/cotangent.pc
EXTRA_DIST += core/tables

libcotangent_la_SOURCES = \
	core/cotangent.h core/ops.def core/policies.def core/internal.h core/builtin.h core/real.h core/half.h core/formula.inc \
	core/backend.c core/bound.c core/element.c core/error.c core/overlap.c core/plan.c core/table.c core/validate.c core/view.c
libcotangent_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
libcotangent_la_LDFLAGS = -version-info 0:0:0 -no-undefined

# Adding an op is one row: what the header and the documents say of it is made anew.
$(top_srcdir)/core/cotangent.h: $(top_srcdir)/core/ops.def $(top_srcdir)/core/policies.def
	$(AM_V_GEN)$(top_srcdir)/core/tables
BUILT_SOURCES = $(top_srcdir)/core/cotangent.h

# What tests compile against: the library's own files, not only what it exports.
TEST_LIBS = libcotangent.la

check_PROGRAMS += core/test_half core/test_validate core/test_table core/test_backend
TESTS += core/test_half core/test_validate core/test_table core/test_backend
core_test_half_LDADD = libtap.la $(TEST_LIBS)
core_test_validate_LDADD = libtap.la $(TEST_LIBS)
core_test_table_LDADD = libtap.la $(TEST_LIBS)
core_test_backend_LDADD = libtap.la $(TEST_LIBS)
