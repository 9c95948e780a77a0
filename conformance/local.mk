# The suite and its command.
noinst_LTLIBRARIES += libtap.la libsuite.la
libtap_la_SOURCES = conformance/tap.c conformance/tap.h

libsuite_la_SOURCES = conformance/case.c conformance/case.h conformance/direct.c conformance/direct.h conformance/generate.c \
	conformance/generate.h conformance/judge.c conformance/judge.h conformance/philox.h conformance/problem.c conformance/problem.h

bin_PROGRAMS += cotangent
cotangent_SOURCES = conformance/main.c conformance/cli.c conformance/cli.h conformance/clauses.h \
	conformance/cmd_check.c conformance/cmd_explain.c conformance/cmd_ops.c
nodist_cotangent_SOURCES = conformance/clauses.c
cotangent_LDADD = libsuite.la $(LDADD)

conformance/clauses.c: doc/SPEC.md conformance/clauses.awk
	$(AM_V_GEN)$(MKDIR_P) conformance && $(AWK) -f $(top_srcdir)/conformance/clauses.awk $(top_srcdir)/doc/SPEC.md > $@.tmp && mv $@.tmp $@
CLEANFILES += conformance/clauses.c
EXTRA_DIST += conformance/clauses.awk conformance/house conformance/tap.sh conformance/cotangent.bash
dist_man_MANS += doc/cotangent.1
completiondir = $(datadir)/bash-completion/completions
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)' && $(INSTALL_DATA) $(top_srcdir)/conformance/cotangent.bash '$(DESTDIR)$(completiondir)/cotangent'
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/cotangent'

check_PROGRAMS += conformance/test_tap conformance/test_case
conformance_test_case_LDADD = libsuite.la $(LDADD)
dist_check_SCRIPTS += conformance/test_cli.sh conformance/test_house.sh conformance/test_readme.sh conformance/test_install.sh
