# The result of a check or a sweep as one page of HTML.
noinst_LTLIBRARIES += libhtml.la
libhtml_la_CFLAGS = $(ROOM_CFLAGS)
libhtml_la_SOURCES = conformance/html/failures.c conformance/html/html.c conformance/html/html.h \
	conformance/html/matrix.c conformance/html/sweep_page.c conformance/html/tree.c conformance/html/tree.h
TESTS_IN_C += conformance/html/test_tree
QUICK_TESTS += conformance/html/test_tree
dist_check_SCRIPTS += conformance/html/test_html.sh
EXTRA_DIST += conformance/html/test_html.py conformance/html/test_picture.py
