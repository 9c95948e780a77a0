# What a backend does, found from outside: the order of its sums, and what it does at the edges.
noinst_LTLIBRARIES += libfingerprint.la
libfingerprint_la_CFLAGS = $(ROOM_CFLAGS)
libfingerprint_la_SOURCES = conformance/fingerprint/named.c conformance/fingerprint/named.h \
	conformance/fingerprint/reveal.c conformance/fingerprint/reveal.h conformance/fingerprint/sum_tree.c \
	conformance/fingerprint/sum_tree.h
TESTS_IN_C += conformance/fingerprint/test_reveal
