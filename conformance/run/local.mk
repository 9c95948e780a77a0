# Running many cases: in processes of their own, counted, and made small where they fail.
noinst_LTLIBRARIES += librun.la
librun_la_CFLAGS = $(ROOM_CFLAGS)
librun_la_SOURCES = \
	conformance/run/court.c conformance/run/court.h conformance/run/device_checks.c \
	conformance/run/device_checks.h conformance/run/failures.c conformance/run/failures.h \
	conformance/run/pool.c conformance/run/pool.h conformance/run/shrink.c conformance/run/shrink.h \
	conformance/run/sound.c conformance/run/sound.h conformance/run/tally.c conformance/run/tally.h \
	conformance/run/unchecked.c conformance/run/unchecked.h conformance/run/undone.c conformance/run/undone.h \
	conformance/run/waivers.c conformance/run/waivers.h \
	conformance/run/worker.c conformance/run/worker.h
TESTS_IN_C += conformance/run/test_unchecked conformance/run/test_device_checks conformance/run/test_tally \
	conformance/run/test_pool \
	conformance/run/test_sound
QUICK_TESTS += conformance/run/test_unchecked conformance/run/test_device_checks conformance/run/test_tally
if HAVE_MPFR
librun_la_SOURCES += conformance/run/mutant_trial.c conformance/run/mutant_trial.h \
	conformance/run/innocent_trial.c conformance/run/innocent_trial.h
SLOW_TESTS_IN_C += conformance/run/test_mutants conformance/run/test_innocents
TESTS_IN_C += conformance/run/test_battery conformance/run/test_wasm conformance/run/test_court \
	conformance/run/test_hunt conformance/run/test_narrow conformance/run/test_vacuity \
	conformance/run/test_sampled conformance/run/test_unclaimed
QUICK_TESTS += conformance/run/test_court

# All 2^32 floats through every execution, in an hour.
EXTRA_PROGRAMS += conformance/run/long_floats
LONG_TESTS += conformance/run/long_floats
conformance_run_long_floats_CFLAGS = $(AM_CFLAGS) -O2 $(OPENMP_CFLAGS)
conformance_run_long_floats_LDADD = $(LDADD) -lmpfr -lgmp
endif

# The hunt for counterexamples to the bounds, at length: its last result is doc/hunt.txt.
HUNT_STEPS = 250
hunt: conformance/run/test_hunt
	./conformance/run/test_hunt --steps $(HUNT_STEPS) > hunt.tmp 2>&1
	sed -n 's/^# //p' hunt.tmp > $(top_srcdir)/doc/hunt.txt; rm hunt.tmp
.PHONY: hunt

# The battery of each op, chosen anew by the mutants that its cases catch; minutes.
EXTRA_PROGRAMS += conformance/run/choose
battery: conformance/run/choose
	./conformance/run/choose > $(top_srcdir)/conformance/case/battery.def.tmp
	mv $(top_srcdir)/conformance/case/battery.def.tmp $(top_srcdir)/conformance/case/battery.def
.PHONY: battery
