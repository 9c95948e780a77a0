# Tests of the device. Those of forms link the device itself, to see that no row of its table is left out.
SOFTGPU_TEST_LIBS = libtap.la $(SOFTGPU_LIBS) -lm
TESTS_IN_C += softgpu/test/test_forms softgpu/test/test_checks softgpu/test/test_api softgpu/test/test_launch \
	softgpu/test/test_races softgpu/test/test_confine softgpu/test/test_calls softgpu/test/test_driver \
	softgpu/test/test_names
QUICK_TESTS += softgpu/test/test_forms softgpu/test/test_checks softgpu/test/test_api softgpu/test/test_launch \
	softgpu/test/test_confine softgpu/test/test_calls softgpu/test/test_driver \
	softgpu/test/test_names
softgpu_test_test_forms_SOURCES = softgpu/test/test_forms.h softgpu/test/test_forms.c softgpu/test/test_forms_int.c \
	softgpu/test/test_forms_int.def softgpu/test/test_forms_float.c softgpu/test/test_forms_cvt.c \
	softgpu/test/test_forms_mem.c softgpu/test/test_forms_warp.c softgpu/test/test_forms_matrix.c \
	softgpu/test/test_forms_bulk.c softgpu/test/test_forms_group.c \
	softgpu/test/test_forms_more.c softgpu/test/test_forms_video.c
softgpu_test_test_forms_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_api_CFLAGS = $(AM_CFLAGS) $(OPENMP_CFLAGS)
softgpu_test_test_api_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_checks_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_launch_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_races_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_confine_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_driver_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_names_LDADD = $(SOFTGPU_TEST_LIBS)
softgpu_test_test_calls_LDADD = $(SOFTGPU_TEST_LIBS)
EXTRA_DIST += softgpu/test/corpus softgpu/test/kernels softgpu/test/races

# Programs that a script runs with what the compilers make.
EXTRA_PROGRAMS += softgpu/test/test_kernels softgpu/test/test_softgpu_wasm softgpu/test/fuzz_replay \
	softgpu/test/fixture_load
softgpu_test_test_softgpu_wasm_LDADD = $(SOFTGPU_LIBS)
softgpu_test_fuzz_replay_SOURCES = softgpu/test/fuzz_load.c
softgpu_test_fuzz_replay_CPPFLAGS = $(AM_CPPFLAGS) -DSG_FUZZ_MAIN
softgpu_test_fuzz_replay_LDADD = $(SOFTGPU_LIBS)
EXTRA_PROGRAMS += softgpu/test/fuzz_load
softgpu_test_fuzz_load_LDADD = $(SOFTGPU_LIBS)
softgpu_test_fuzz_load_LDFLAGS = $(AM_LDFLAGS) -fsanitize=fuzzer
CLEANFILES += softgpu/test/fuzz_load$(EXEEXT)
softgpu_test_fixture_load_LDADD = $(SOFTGPU_LIBS)
softgpu_test_test_kernels_LDADD = $(SOFTGPU_TEST_LIBS)
dist_check_SCRIPTS += softgpu/test/test_kernels.sh softgpu/test/test_softgpu_cli.sh softgpu/test/test_softgpu_wasm.sh \
	softgpu/test/test_corpus.sh softgpu/test/test_programs.sh softgpu/test/test_census.sh
softgpu/test/test_softgpu_wasm.log: softgpu/test/test_softgpu_wasm$(EXEEXT)
softgpu/test/test_census.log: softgpu/softgpu$(EXEEXT) softgpu/test/fixture_load$(EXEEXT)
softgpu/test/test_corpus.log: softgpu/test/fuzz_replay$(EXEEXT)
softgpu/test/test_kernels.log: softgpu/test/test_kernels$(EXEEXT)
softgpu/test/test_programs.log: softgpu/softgpu$(EXEEXT) softgpu/libcudart.so.13
EXTRA_DIST += softgpu/test/test_kernels.cu softgpu/test/programs
CLEANFILES += softgpu/test/test_kernels$(EXEEXT) softgpu/test/test_softgpu_wasm$(EXEEXT) \
	softgpu/test/fuzz_replay$(EXEEXT) softgpu/test/fixture_load$(EXEEXT)
