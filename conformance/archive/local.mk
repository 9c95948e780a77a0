# Submissions: results in one archive, and their audit.
noinst_LTLIBRARIES += libarchive.la
libarchive_la_CFLAGS = $(ROOM_CFLAGS)
libarchive_la_SOURCES = conformance/archive/audit.c conformance/archive/audit.h conformance/archive/members.c \
	conformance/archive/members.h conformance/archive/tar.c conformance/archive/tar.h
if HAVE_MPFR
dist_check_SCRIPTS += conformance/archive/test_submit.sh
else
EXTRA_DIST += conformance/archive/test_submit.sh
endif
EXTRA_DIST += conformance/archive/hostile.py
