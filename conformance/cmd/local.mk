# The command `cotangent`.
bin_PROGRAMS += cotangent
cotangent_SOURCES = \
	conformance/cmd/bench.c conformance/cmd/bench.h conformance/cmd/cli.c conformance/cmd/cli.h \
	conformance/cmd/cmd_accuracy.c conformance/cmd/cmd_bench.c conformance/cmd/cmd_check.c \
	conformance/cmd/cmd_emit.c conformance/cmd/cmd_explain.c conformance/cmd/cmd_gradcheck.c \
	conformance/cmd/cmd_fingerprint.c conformance/cmd/fingerprint_say.c conformance/cmd/fingerprint_say.h \
	conformance/cmd/cmd_judge.c conformance/cmd/cmd_list.c conformance/cmd/cmd_ops.c \
	conformance/cmd/cmd_replay.c conformance/cmd/cmd_run.c conformance/cmd/cmd_serve.c \
	conformance/cmd/cmd_spec.c conformance/cmd/edges.c \
	conformance/cmd/edges.h conformance/cmd/file_call.c conformance/cmd/file_call.h \
	conformance/cmd/gradcheck.c conformance/cmd/gradcheck.h conformance/cmd/judge_say.c \
	conformance/cmd/judge_say.h conformance/cmd/judge_files.c conformance/cmd/judge_files.h \
	conformance/cmd/main.c conformance/cmd/names.c conformance/cmd/points.c conformance/cmd/points.h \
	conformance/cmd/replay.c conformance/cmd/replay.h conformance/cmd/request.c conformance/cmd/request.h \
	conformance/cmd/selection.c conformance/cmd/selection.h
cotangent_SOURCES += conformance/cmd/cmd_merge.c conformance/cmd/cmd_report.c conformance/cmd/cmd_submit.c \
	conformance/cmd/cmd_sweep.c conformance/cmd/cmd_verify.c conformance/cmd/keep.c conformance/cmd/keep.h \
	conformance/cmd/planned.c conformance/cmd/planned.h conformance/cmd/shard.c conformance/cmd/shard.h
dist_man_MANS += doc/cotangent.1

# The measured errors of the reference, as a document.
accuracy: cotangent
	./cotangent accuracy > $(top_srcdir)/doc/accuracy.md.tmp
	mv $(top_srcdir)/doc/accuracy.md.tmp $(top_srcdir)/doc/accuracy.md
.PHONY: accuracy
EXTRA_DIST += doc/accuracy.md

completiondir = $(datadir)/bash-completion/completions
install-data-local:
	$(MKDIR_P) '$(DESTDIR)$(completiondir)'
	$(INSTALL_DATA) $(top_srcdir)/conformance/cmd/cotangent.bash '$(DESTDIR)$(completiondir)/cotangent'
	test ! -e web/index.html || { $(MKDIR_P) '$(DESTDIR)$(docdir)' && \
		$(INSTALL_DATA) web/index.html '$(DESTDIR)$(docdir)/page.html'; }
uninstall-local:
	rm -f '$(DESTDIR)$(completiondir)/cotangent' '$(DESTDIR)$(docdir)/page.html'

QUICK_TESTS += conformance/cmd/test_shard.sh
LONG_SHELL += conformance/cmd/test_suite.sh conformance/cmd/test_faults.sh conformance/cmd/test_files.sh
SLOWEST_TESTS += conformance/cmd/test_suite.sh
dist_check_SCRIPTS += conformance/cmd/test_cli.sh conformance/cmd/test_check.sh conformance/cmd/test_run.sh \
	conformance/cmd/test_battery.sh conformance/cmd/test_fingerprint.sh conformance/cmd/test_files.sh \
	conformance/cmd/test_replay.sh conformance/cmd/test_faults.sh
EXTRA_DIST += conformance/cmd/test_suite.sh conformance/cmd/test_battery.py conformance/cmd/test_check.py \
	conformance/cmd/test_faults.py conformance/cmd/test_numpy.py conformance/cmd/test_shard.sh \
	conformance/cmd/cotangent.bash
