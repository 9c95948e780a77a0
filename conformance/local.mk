# The suite: a library a room, all of them in libsuite.la.
# -static, for libtool: no second, position-independent object; the suite is in no shared library.
ROOM_CFLAGS = $(AM_CFLAGS) -static
SUITE_ROOMS = libarchive.la libhtml.la libsweep.la \
	libreport.la librun.la libport.la libfingerprint.la libmutant.la libinnocent.la libdescribe.la libjudge.la \
	libclause.la libfile.la libcase.la
noinst_LTLIBRARIES += libsuite.la
libsuite_la_SOURCES =
libsuite_la_LIBADD = $(SUITE_ROOMS)

include conformance/tap/local.mk
include conformance/case/local.mk
include conformance/clause/local.mk
include conformance/truth/local.mk
include conformance/judge/local.mk
include conformance/describe/local.mk
include conformance/mutant/local.mk
include conformance/innocent/local.mk
include conformance/fingerprint/local.mk
include conformance/port/local.mk
include conformance/adapter/local.mk
include conformance/run/local.mk
include conformance/report/local.mk
include conformance/file/local.mk
include conformance/sweep/local.mk
include conformance/html/local.mk
include conformance/archive/local.mk
include conformance/cmd/local.mk
include conformance/fuzz/local.mk
include conformance/house/local.mk
include conformance/fixture/local.mk
