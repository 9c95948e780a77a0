#!/bin/sh
# What a person sees of the page in Firefox.
: "${srcdir:=.}"
command -v firefox-esr > /dev/null || { echo "1..0 # SKIP no firefox-esr (Debian: firefox-esr)"; exit 0; }
. "$srcdir/web/test_page.sh"
