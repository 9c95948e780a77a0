#!/bin/sh
# The page in a browser (test_page.py), where it was built and there is a browser to see it with.
: "${srcdir:=.}" "${builddir:=.}"
skip() { echo "1..0 # SKIP $1"; exit 0; }
[ -e "$builddir/web/index.html" ] || skip "this build has no page"
command -v chromium > /dev/null && command -v chromedriver > /dev/null ||
    skip "no chromium (Debian: chromium, chromium-driver)"
/usr/bin/python3 -c 'import selenium' 2> /dev/null || skip "no selenium (Debian: python3-selenium)"
export srcdir builddir
exec /usr/bin/python3 "$srcdir/web/test_page.py"
