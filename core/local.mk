# The backend-agnostic core, and the library that it makes together with the backends.
lib_LTLIBRARIES += libcotangent.la
include_HEADERS += core/cotangent.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/cotangent.pc
EXTRA_DIST += core/tables

libcotangent_la_SOURCES = \
	core/cotangent.h core/ops.def core/policies.def core/internal.h core/builtin.h core/lines.h core/lines.c core/real.h core/half.h core/formula.inc core/policy.inc \
	core/backend.c core/bound.c core/element.c core/error.c core/overlap.c core/plan.c core/table.c core/validate.c core/view.c
libcotangent_la_CPPFLAGS = $(AM_CPPFLAGS)
libcotangent_la_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
libcotangent_la_LDFLAGS = -version-info 0:0:0 -no-undefined

# Adding an op is one row: what the header and the documents say of it is made anew.
$(top_srcdir)/core/cotangent.h: $(top_srcdir)/core/ops.def $(top_srcdir)/core/policies.def
	$(AM_V_GEN)$(top_srcdir)/core/tables
BUILT_SOURCES = $(top_srcdir)/core/cotangent.h

check_PROGRAMS += core/test_half core/test_validate core/test_table core/test_backend
core_test_validate_SOURCES = core/test_validate.c core/test_call.h
core_test_backend_SOURCES = core/test_backend.c core/test_call.h

# Backends in shared libraries for core/test_backend: a good one, and one for each way to be none.
PLUGIN_FLAGS = -module -shared -avoid-version -rpath /nowhere
check_LTLIBRARIES += plugin_good.la plugin_old.la plugin_small.la plugin_empty.la plugin_torn.la
plugin_good_la_SOURCES = core/test_plugin.c
plugin_good_la_LDFLAGS = $(PLUGIN_FLAGS)
plugin_old_la_SOURCES = core/test_plugin.c
plugin_old_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_ABI=0
plugin_old_la_LDFLAGS = $(PLUGIN_FLAGS)
plugin_small_la_SOURCES = core/test_plugin.c
plugin_small_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_SIZE=16
plugin_small_la_LDFLAGS = $(PLUGIN_FLAGS)
plugin_empty_la_SOURCES = core/test_plugin.c
plugin_empty_la_CPPFLAGS = $(AM_CPPFLAGS) -Dcot_backend_entry=cot_backend_exit
plugin_empty_la_LDFLAGS = $(PLUGIN_FLAGS)
plugin_torn_la_SOURCES = core/test_plugin.c
plugin_torn_la_CPPFLAGS = $(AM_CPPFLAGS) -DPLUGIN_FREE=give_back
plugin_torn_la_LDFLAGS = $(PLUGIN_FLAGS)
