#!/bin/sh
# The same browser for test_stories.py.
: "${srcdir:=.}"
. "$srcdir/web/test_page.sh"
