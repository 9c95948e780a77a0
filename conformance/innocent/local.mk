# Innocents: right backends that differ from the reference, each of which the suite must acquit.
noinst_LTLIBRARIES += libinnocent.la
libinnocent_la_CFLAGS = $(ROOM_CFLAGS)
libinnocent_la_SOURCES = \
	conformance/innocent/evaluate.h conformance/innocent/evaluate.inc conformance/innocent/innocent_formula.inc \
	conformance/innocent/function.inc conformance/innocent/innocent.c conformance/innocent/innocent.h \
	conformance/innocent/innocent_call.c conformance/innocent/innocent_call.h \
	conformance/innocent/innocent_double.c \
	conformance/innocent/innocent_float.c conformance/innocent/innocent_long.c conformance/innocent/innocents.def \
	conformance/innocent/innocent_scan.inc conformance/innocent/sum.inc
dist_check_SCRIPTS += conformance/innocent/test_innocents.sh
LONG_SHELL += conformance/innocent/test_innocents.sh
EXTRA_DIST += conformance/innocent/readme_port.py
