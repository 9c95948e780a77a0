#!/bin/sh
# The same browser for test_look.py.
: "${srcdir:=.}"
. "$srcdir/web/test_page.sh"
