# Telling of a run: as text, TAP, JSON and JUnit.
noinst_LTLIBRARIES += libreport.la
libreport_la_CFLAGS = $(ROOM_CFLAGS)
libreport_la_SOURCES = \
	conformance/report/escape.c conformance/report/print_failures.c conformance/report/report.h \
	conformance/report/report_json.c \
	conformance/report/report_junit.c conformance/report/report_tap.c conformance/report/report_text.c \
	conformance/report/text_table.c
TESTS_IN_C += conformance/report/test_report
QUICK_TESTS += conformance/report/test_report
EXTRA_DIST += \
	conformance/report/golden/finished.txt conformance/report/golden/ended.txt \
	conformance/report/golden/finished.tap conformance/report/golden/ended.tap \
	conformance/report/golden/finished.json \
	conformance/report/golden/ended.json conformance/report/golden/finished.xml conformance/report/golden/ended.xml
dist_pkgdata_DATA = conformance/report/report.schema.json
dist_check_SCRIPTS += conformance/report/test_schema.sh
EXTRA_DIST += conformance/report/test_schema.py
