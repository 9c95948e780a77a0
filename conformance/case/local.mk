# Cases: what an id says, the inputs that it stands for, and the calls that must be refused.
noinst_LTLIBRARIES += libcase.la
libcase_la_CFLAGS = $(ROOM_CFLAGS)
libcase_la_SOURCES = \
	conformance/case/battery.c conformance/case/battery.def conformance/case/battery.h \
	conformance/case/case.c conformance/case/case.h conformance/case/case_draw.c conformance/case/case_draw.h \
	conformance/case/case_shapes.c conformance/case/case_walk.h \
	conformance/case/cases.c conformance/case/cases.h conformance/case/generate.c conformance/case/generate.h \
	conformance/case/clock.h conformance/case/digest.h conformance/case/device_run.c conformance/case/device_run.h \
	conformance/case/generate_exact.c conformance/case/generate_exact.h \
	conformance/case/operand.c conformance/case/operand.h conformance/case/philox.h \
	conformance/case/problem.c conformance/case/problem.h conformance/case/refusal.c \
	conformance/case/refusal.h conformance/case/refusal_table.c conformance/case/shape.c conformance/case/shape.h \
	conformance/case/truth_lines.c \
	conformance/case/told.c conformance/case/told.h conformance/case/truth_lines.h \
	conformance/case/words.c conformance/case/words.h
TESTS_IN_C += conformance/case/test_case conformance/case/test_truth_lines conformance/case/test_shape
QUICK_TESTS += conformance/case/test_case conformance/case/test_truth_lines conformance/case/test_shape
