#!/bin/sh
# The same browser for test_hostile.py.
: "${srcdir:=.}"
. "$srcdir/web/test_page.sh"
