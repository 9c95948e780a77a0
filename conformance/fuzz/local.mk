# Bytes of all kinds into whatever reads bytes: kept inputs in make check, libFuzzer with make fuzz TIME=60.
FUZZ_SOURCES = conformance/fuzz/targets.c conformance/fuzz/targets.h conformance/fuzz/fuzz_call.c \
	conformance/fuzz/fuzz_files.c conformance/fuzz/fuzz_results.c
EXTRA_PROGRAMS += conformance/fuzz/replay conformance/fuzz/libfuzzer
conformance_fuzz_replay_SOURCES = $(FUZZ_SOURCES) conformance/fuzz/replay.c
conformance_fuzz_replay_LDADD = $(LDADD)
conformance_fuzz_libfuzzer_SOURCES = $(FUZZ_SOURCES) conformance/fuzz/libfuzzer.c
conformance_fuzz_libfuzzer_LDADD = $(LDADD)
conformance_fuzz_libfuzzer_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
CLEANFILES += conformance/fuzz/replay$(EXEEXT) conformance/fuzz/libfuzzer$(EXEEXT)
dist_check_SCRIPTS += conformance/fuzz/test_fuzz.sh
EXTRA_DIST += conformance/fuzz/corpus conformance/fuzz/fuzz
conformance/fuzz/test_fuzz.log: conformance/fuzz/replay$(EXEEXT)
fuzz:
	$(top_srcdir)/conformance/fuzz/fuzz $(top_srcdir) $(abs_builddir)/fuzz $(TIME) $(TARGETS)
.PHONY: fuzz
