# Submissions: results in one archive, and their audit.
noinst_LTLIBRARIES += libarchive.la
libarchive_la_CFLAGS = $(ROOM_CFLAGS)
libarchive_la_SOURCES = conformance/archive/audit.c conformance/archive/audit.h \
	conformance/archive/audit_kept.c conformance/archive/audit_sweep.c conformance/archive/auditor.h \
	conformance/archive/kept.c \
	conformance/archive/kept.h conformance/archive/members.c \
	conformance/archive/members.h conformance/archive/parts.c conformance/archive/parts.h \
	conformance/archive/parts_row.c conformance/archive/parts_row.h \
	conformance/archive/tar.c conformance/archive/tar.h
if HAVE_MPFR
dist_check_SCRIPTS += conformance/archive/test_submit.sh conformance/archive/test_merge.sh
else
EXTRA_DIST += conformance/archive/test_submit.sh conformance/archive/test_merge.sh
endif
EXTRA_DIST += conformance/archive/hostile.py
LONG_SHELL += conformance/archive/test_merge_range.sh
EXTRA_DIST += conformance/archive/test_merge_range.sh
