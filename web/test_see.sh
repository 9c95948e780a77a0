#!/bin/sh
# The same browser for test_see.py.
: "${srcdir:=.}"
. "$srcdir/web/test_page.sh"
