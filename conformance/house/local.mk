# The rules of the house that a program can see, and what a newcomer does first: README, installation, an op.
dist_check_SCRIPTS += conformance/house/test_house.sh conformance/house/test_readme.sh \
	conformance/house/test_install.sh conformance/house/test_mutations.sh
QUICK_TESTS += conformance/house/test_house.sh
EXTRA_DIST += conformance/house/house conformance/house/rooms conformance/house/room_table.py \
	conformance/house/picture.py conformance/house/compile_commands.awk

# Tests that can fail: all mutations of the source. make check tries a few.
LONG_SHELL += conformance/house/test_mutations.sh
check-mutations: all $(TESTS_IN_C) $(check_DATA)
	@$(AM_TESTS_ENVIRONMENT) $(top_srcdir)/conformance/house/test_mutations.sh --long
.PHONY: check-mutations
EXTRA_DIST += conformance/house/mutate conformance/house/mutations.txt

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
