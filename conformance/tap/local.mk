# TAP for tests in C and in shell: libtap's interface.
noinst_LTLIBRARIES += libtap.la
libtap_la_CFLAGS = $(ROOM_CFLAGS)
libtap_la_SOURCES = \
	conformance/tap/tap.c conformance/tap/tap.h
EXTRA_DIST += conformance/tap/tap.sh
TESTS_IN_C += conformance/tap/test_tap
QUICK_TESTS += conformance/tap/test_tap
