#!/bin/sh
# The page in a browser, where it was built and there is a browser to see it with: the program of this script's name.
: "${srcdir:=.}" "${builddir:=.}"
skip() { echo "1..0 # SKIP $1"; exit 0; }
[ -e "$builddir/web/index.html" ] || skip "this build has no page"
command -v chromium > /dev/null && command -v chromedriver > /dev/null ||
    skip "no chromium (Debian: chromium, chromium-driver)"
/usr/bin/python3 -c 'import selenium' 2> /dev/null || skip "no selenium (Debian: python3-selenium)"
export srcdir builddir
PYTHONDONTWRITEBYTECODE=1 exec /usr/bin/python3 "$srcdir/web/$(basename "$0" .sh).py"
