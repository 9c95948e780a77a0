# A verdict in words.
noinst_LTLIBRARIES += libdescribe.la
libdescribe_la_CFLAGS = $(ROOM_CFLAGS)
libdescribe_la_SOURCES = conformance/describe/describe.c conformance/describe/describe.h \
	conformance/describe/describe_guess.c conformance/describe/describe_pattern.c \
	conformance/describe/text.c
TESTS_IN_C += conformance/describe/test_describe
QUICK_TESTS += conformance/describe/test_describe
