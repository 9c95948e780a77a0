# The backend-agnostic core, and the library that it makes together with the backends.
lib_LTLIBRARIES += libcotangent.la
include_HEADERS += core/cotangent.h
pkgconfigdir = $(libdir)/pkgconfig
pkgconfig_DATA = core/cotangent.pc
# Directories are said from where the file lies: it holds wherever `make install prefix=...` has put it.
install-data-hook:
	file='$(DESTDIR)$(pkgconfigdir)/cotangent.pc'; \
	for name in prefix exec_prefix libdir includedir; do \
		case $$name in prefix) to='$(prefix)' ;; exec_prefix) to='$(exec_prefix)' ;; \
		libdir) to='$(libdir)' ;; *) to='$(includedir)' ;; esac; \
		path=`realpath -m --relative-to='$(pkgconfigdir)' "$$to"` || exit 0; \
		sed "s|^$$name=.*|$$name=\$${pcfiledir}/$$path|" "$$file" > "$$file.tmp" && \
			mv "$$file.tmp" "$$file"; done
EXTRA_DIST += core/tables

noinst_LTLIBRARIES += libcore.la
libcore_la_SOURCES = core/cotangent.h core/ops.def core/operands.def core/families.def core/policies.def \
	core/internal.h core/policy_bits.h core/builtin.h core/lines.h core/lines.c core/math/real.h core/math/half.h \
	core/formula/formula.inc core/formula/policy.inc core/formula/policy_steps.inc core/formula/policy_lines.inc \
	core/formula/heeds.h core/formula/only.h core/formula/spec.h core/formula/order.inc core/backend.c \
	core/bound.c core/cells.c core/element.c core/error.c core/overlap.c core/plan.c core/family.c core/table.c \
	core/validate.c core/view.c
libcore_la_CPPFLAGS = $(AM_CPPFLAGS)
libcore_la_LDFLAGS = # not -static: its objects go into a shared library too
libcotangent_la_SOURCES =
libcotangent_la_LDFLAGS = -version-info 0:0:0 -no-undefined
libcotangent_la_LIBADD = libcore.la

# What the header and the documents say of an op or a policy is made anew where a table has changed.
core/tables.stamp: core/ops.def core/operands.def core/families.def core/policies.def core/tables doc/SPEC.md \
	conformance/mutant/mutants.def
	$(AM_V_GEN)$(MKDIR_P) core && $(top_srcdir)/core/tables && touch $@
BUILT_SOURCES = core/tables.stamp
CLEANFILES += core/tables.stamp

TESTS_IN_C += core/test_validate core/test_table core/test_backend core/test_cells core/test_lines \
	core/test_modes
dist_check_SCRIPTS += core/test_family.sh
EXTRA_DIST += core/fixture_norm.c conformance/house/toy/norm.edits
core_test_validate_SOURCES = core/test_validate.c core/test_call.h
core_test_backend_SOURCES = core/test_backend.c core/test_call.h
QUICK_TESTS += core/test_validate core/test_table core/test_backend
