#!/bin/sh
# The same browser for test_bits.py.
: "${srcdir:=.}"
. "$srcdir/web/test_page.sh"
