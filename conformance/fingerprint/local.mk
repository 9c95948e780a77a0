# What a backend does, found from outside: the order of its sums, and what it does at the edges.
noinst_LTLIBRARIES += libfingerprint.la
libfingerprint_la_CFLAGS = $(ROOM_CFLAGS)
libfingerprint_la_SOURCES = conformance/fingerprint/arithmetic.c conformance/fingerprint/arithmetic.h \
	conformance/fingerprint/asked.c conformance/fingerprint/asked.h \
	conformance/fingerprint/fingerprint.c conformance/fingerprint/fingerprint.h \
	conformance/fingerprint/named.c conformance/fingerprint/named.h conformance/fingerprint/ordered.c \
	conformance/fingerprint/ordered.h conformance/fingerprint/reveal.c conformance/fingerprint/reveal.h \
	conformance/fingerprint/sum_tree.c conformance/fingerprint/sum_tree.h conformance/fingerprint/ways.c \
	conformance/fingerprint/ways.h
TESTS_IN_C += conformance/fingerprint/test_reveal
