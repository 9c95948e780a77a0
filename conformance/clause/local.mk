# The spec's clauses: their texts, which ops they are about, and which cases judge them.
noinst_LTLIBRARIES += libclause.la
libclause_la_CFLAGS = $(ROOM_CFLAGS)
libclause_la_SOURCES = \
	conformance/clause/clauses.h conformance/clause/scope.c conformance/clause/scope.h \
	conformance/clause/sentence.c conformance/clause/digest.c \
	conformance/clause/suite_tests.c conformance/clause/suite_tests.h conformance/clause/tests.def
nodist_libclause_la_SOURCES = conformance/clause/clauses.c
EXTRA_DIST += conformance/clause/clauses.awk conformance/clause/examples.py conformance/clause/raw_call.py
dist_check_SCRIPTS += conformance/clause/test_examples.sh
clause_tables = $(top_srcdir)/doc/SPEC.md $(top_srcdir)/conformance/clause/tests.def
conformance/clause/clauses.c: doc/SPEC.md conformance/clause/tests.def conformance/clause/clauses.awk
	$(AM_V_GEN)$(MKDIR_P) conformance/clause && \
	$(AWK) -f $(top_srcdir)/conformance/clause/clauses.awk $(clause_tables) > $@.tmp && mv $@.tmp $@
CLEANFILES += conformance/clause/clauses.c
