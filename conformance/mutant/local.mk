# Mutants: backends that are wrong on purpose, each of which the suite must catch.
noinst_LTLIBRARIES += libmutant.la
libmutant_la_CFLAGS = $(ROOM_CFLAGS)
libmutant_la_SOURCES = \
	conformance/mutant/mutant.c conformance/mutant/mutant.h conformance/mutant/mutant_call.c \
	conformance/mutant/mutant_call.h conformance/mutant/mutant_cells.c conformance/mutant/mutant_checks.c \
	conformance/mutant/mutant_defects.h conformance/mutant/mutant_foreign.c conformance/mutant/mutant_forward.c \
	conformance/mutant/mutant_lcse.c \
	conformance/mutant/mutant_lines.c conformance/mutant/mutant_memory.c conformance/mutant/mutant_number.c \
	conformance/mutant/mutant_products.c conformance/mutant/mutant_range.c conformance/mutant/mutant_rare.c \
	conformance/mutant/mutant_shapes.c conformance/mutant/mutant_vacuous.c \
	conformance/mutant/mutants.def
