# The rules of the house that a program can see, and what a newcomer does first: README, installation, an op.
dist_check_SCRIPTS += conformance/house/test_house.sh conformance/house/test_readme.sh \
	conformance/house/test_install.sh conformance/house/test_mutations.sh conformance/house/test_docs.sh \
	conformance/house/test_editors.sh
QUICK_TESTS += conformance/house/test_house.sh
EXTRA_DIST += conformance/house/house conformance/house/rooms conformance/house/room_table.py \
	conformance/house/picture.py conformance/house/compile_commands.awk

# README's pictures of a terminal, from runs of the command: a part of the suite that takes a minute.
pictures: cotangent$(EXEEXT)
	PATH="$(abs_top_builddir):$$PATH" $(top_srcdir)/conformance/house/terminal.py cotangent check --shard 1/24 \
		> check.svg.tmp && mv check.svg.tmp $(top_srcdir)/doc/check.svg
	PATH="$(abs_top_builddir):$$PATH" $(top_srcdir)/conformance/house/terminal.py cotangent check \
		--backend mutant:max_tie_split --op max --dtype f32 --shard 1/3 > failed.svg.tmp && \
		mv failed.svg.tmp $(top_srcdir)/doc/failed.svg
.PHONY: pictures
EXTRA_DIST += conformance/house/terminal.py doc/check.svg doc/failed.svg

# The documents as a site, site/index.html; with the page, where it has been built: make web site.
site:
	@command -v cmark-gfm > /dev/null && command -v mandoc > /dev/null || \
		{ echo "make site needs cmark-gfm and mandoc: apt-get install cmark-gfm mandoc"; exit 1; }
	$(PYTHON3) $(top_srcdir)/conformance/house/site.py $(top_srcdir) site \
		$$(test ! -e web/index.html || echo web/index.html)
.PHONY: site
dist_check_SCRIPTS += conformance/house/test_site.sh
EXTRA_DIST += conformance/house/site.py conformance/house/test_site.py conformance/house/plot.py

# Tests that can fail: all mutations of the source. make check tries a few.
LONG_SHELL += conformance/house/test_mutations.sh
check-mutations: all $(TESTS_IN_C) $(filter-out web-for-test,$(check_DATA))
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/conformance/house/test_mutations.sh --long
.PHONY: check-mutations
EXTRA_DIST += conformance/house/mutate conformance/house/mutations.txt

# ThreadSanitizer, in a build of its own.
dist_check_SCRIPTS += conformance/house/test_races.sh
LONG_SHELL += conformance/house/test_races.sh
EXTRA_DIST += conformance/house/races

# CONTRIBUTING's list for a new op, followed in a copy of the tree.
SLOWEST_TESTS += conformance/house/test_op.sh
EXTRA_DIST += conformance/house/test_op.sh conformance/house/toy/add conformance/house/toy/logaddexp.edits

# Every generated file of the source tree anew; make tables STEPS="header digests" makes some of them.
STEPS =
tables: all backend_ref/test_digest
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/conformance/house/remake $(STEPS)
.PHONY: tables
EXTRA_DIST += conformance/house/remake
EXTRA_DIST += conformance/house/tree.py conformance/house/dialect conformance/house/ruff.toml .clang-format
EXTRA_DIST += conformance/house/pins/axe.txt conformance/house/pins/clients.txt conformance/house/pins/cuda.txt \
	conformance/house/pins/dialect.txt \
	conformance/house/pins/frameworks.txt
