# The suite and its command.
noinst_LTLIBRARIES += libtap.la
libtap_la_SOURCES = conformance/tap.c conformance/tap.h

bin_PROGRAMS += cotangent
cotangent_SOURCES = conformance/main.c conformance/cli.c conformance/cli.h \
	conformance/cmd_check.c conformance/cmd_explain.c conformance/cmd_ops.c \
	conformance/case.c conformance/case.h conformance/clauses.h conformance/direct.c conformance/direct.h \
	conformance/generate.c conformance/generate.h conformance/judge.c conformance/judge.h conformance/philox.h \
	conformance/problem.c conformance/problem.h
nodist_cotangent_SOURCES = conformance/clauses.c

conformance/clauses.c: doc/SPEC.md conformance/clauses.awk
	$(AM_V_GEN)$(MKDIR_P) conformance && $(AWK) -f $(top_srcdir)/conformance/clauses.awk $(top_srcdir)/doc/SPEC.md > $@.tmp && mv $@.tmp $@
CLEANFILES += conformance/clauses.c
EXTRA_DIST += conformance/clauses.awk doc/SPEC.md
