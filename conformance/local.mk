# The suite and its command.
noinst_LTLIBRARIES += libtap.la libsuite.la
libtap_la_SOURCES = conformance/tap.c conformance/tap.h

# Running cases in processes, and telling of it.
libsuite_la_SOURCES = conformance/device_checks.c conformance/device_checks.h conformance/worker.c conformance/worker.h conformance/pool.c conformance/pool.h conformance/runner.c conformance/runner.h \
	conformance/shrink.c conformance/shrink.h conformance/tally.c conformance/tally.h conformance/failures.c conformance/failures.h \
	conformance/report.h conformance/describe.c conformance/report_text.c conformance/report_tap.c conformance/report_json.c \
	conformance/report_junit.c conformance/clauses.h
nodist_libsuite_la_SOURCES = conformance/clauses.c

libsuite_la_SOURCES += conformance/backends.c conformance/backends.h conformance/case.c conformance/case.h conformance/case_draw.c \
	conformance/case_draw.h conformance/cases.c \
	conformance/cases.h conformance/court.c conformance/fault.c conformance/fault.h conformance/generate.c \
	conformance/generate.h conformance/judge.h conformance/npy.c conformance/npy.h conformance/npy_header.c \
	conformance/npy_header.h conformance/npy_write.c conformance/operand.c conformance/operand.h conformance/parse.c \
	conformance/mutant.c conformance/mutant.h conformance/mutant_call.c \
	conformance/mutant_call.h conformance/mutant_cells.c conformance/mutant_checks.c conformance/mutant_faults.h \
	conformance/mutant_forward.c conformance/mutant_lcse.c conformance/mutant_lines.c conformance/mutant_memory.c \
	conformance/mutant_number.c conformance/mutants.def conformance/scope.c conformance/scope.h conformance/suite_tests.c \
	conformance/suite_tests.h conformance/tests.def \
	conformance/parse.h conformance/philox.h conformance/problem.c conformance/problem.h \
	conformance/trial.c conformance/trial.h conformance/verdict.c conformance/verdict.h

bin_PROGRAMS += cotangent
cotangent_CPPFLAGS = $(AM_CPPFLAGS) -I$(top_srcdir) # for softgpu/softgpu.h
cotangent_SOURCES = conformance/main.c conformance/cli.c conformance/cli.h \
	conformance/bench.c conformance/bench.h conformance/cmd_accuracy.c conformance/cmd_bench.c conformance/cmd_check.c conformance/cmd_list.c \
	conformance/cmd_explain.c conformance/cmd_gradcheck.c conformance/cmd_ops.c conformance/cmd_run.c conformance/cmd_spec.c \
	conformance/edges.c conformance/edges.h conformance/execute.c conformance/execute.h conformance/gradcheck.c conformance/gradcheck.h conformance/points.c \
	conformance/points.h conformance/request.c conformance/request.h conformance/selection.c conformance/selection.h conformance/tensors.c conformance/tensors.h

# Truth is in MPFR. Without it everything builds all the same, and says so where it is asked to judge.
if HAVE_MPFR
libsuite_la_SOURCES += conformance/mutant_trial.c conformance/mutant_trial.h conformance/judge_forward.c \
	conformance/judge_forward.h conformance/judge.c conformance/judge_cell.c conformance/judge_cell.h conformance/judge_clause.c \
	conformance/judge_clause.h conformance/judge_fault.c conformance/judge_fault.h conformance/judge_lines.c conformance/judge_lines.h \
	conformance/oracle.c conformance/oracle.h \
	conformance/truth.c conformance/truth.h conformance/truth_ops.h conformance/truth_scan.h \
	conformance/truth_real.c conformance/truth_real.h conformance/truth_value.c conformance/truth_value.h \
	conformance/truth_order.c conformance/truth_reduce.c conformance/truth_scan.c conformance/truth_logcumsumexp.c \
	conformance/truth_binary.c conformance/truth_softmax.c
libsuite_la_LIBADD = -lmpfr -lgmp
check_PROGRAMS += conformance/test_truth conformance/test_truth_pairs conformance/test_truth_slopes \
	conformance/test_truth_bounds conformance/test_truth_oracle conformance/test_forward conformance/test_judge
conformance_test_truth_SOURCES = conformance/test_truth.c conformance/test_truth.h
check_PROGRAMS += conformance/test_mutants
conformance_test_mutants_SOURCES = conformance/test_mutants.c
else
libsuite_la_SOURCES += conformance/judge_off.c
endif

# The measured errors of the reference, as a document.
accuracy: cotangent
	./cotangent accuracy > $(top_srcdir)/doc/accuracy.md.tmp && mv $(top_srcdir)/doc/accuracy.md.tmp $(top_srcdir)/doc/accuracy.md
.PHONY: accuracy
EXTRA_DIST += doc/accuracy.md conformance/judge_off.c conformance/oracle_vectors.tsv

conformance/clauses.c: doc/SPEC.md conformance/clauses.awk
	$(AM_V_GEN)$(MKDIR_P) conformance && $(AWK) -f $(top_srcdir)/conformance/clauses.awk $(top_srcdir)/doc/SPEC.md > $@.tmp && mv $@.tmp $@
CLEANFILES += conformance/clauses.c
EXTRA_DIST += conformance/clauses.awk conformance/test_check.py conformance/test_numpy.py conformance/house conformance/tap.sh conformance/cotangent.bash
dist_man_MANS += doc/cotangent.1
completiondir = $(datadir)/bash-completion/completions
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)' && $(INSTALL_DATA) $(top_srcdir)/conformance/cotangent.bash '$(DESTDIR)$(completiondir)/cotangent'
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/cotangent'

check_PROGRAMS += conformance/test_tap conformance/test_runner conformance/test_case conformance/test_digest conformance/test_npy
EXTRA_DIST += conformance/digests.txt
LONG_SHELL += conformance/test_suite.sh
dist_check_SCRIPTS += conformance/test_cli.sh conformance/test_check.sh conformance/test_suite.sh conformance/test_run.sh conformance/test_house.sh conformance/test_readme.sh \
	conformance/test_install.sh

# A backend with memory of its own, for conformance/test_run.sh.
check_LTLIBRARIES += test_device.la
test_device_la_SOURCES = conformance/test_device.c
test_device_la_LDFLAGS = $(PLUGIN_FLAGS)

# A backend that is wrong in the ways that conformance/test_check.sh asks for.
check_LTLIBRARIES += test_wrong.la
test_wrong_la_SOURCES = conformance/test_wrong.c
test_wrong_la_LDFLAGS = $(PLUGIN_FLAGS)
