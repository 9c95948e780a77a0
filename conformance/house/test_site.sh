#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The documents as a site (make site): it is built, its links lead somewhere, every clause has its anchor.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! command -v python3 > /dev/null || ! command -v cmark-gfm > /dev/null || ! command -v mandoc > /dev/null; then
    skip "the site" "no python3, cmark-gfm or mandoc"
    done_testing
    exit
fi
python3 "$srcdir/conformance/house/plot.py" "$srcdir/doc/accuracy.md" > "$work/accuracy.svg"
ok "doc/accuracy.svg is drawn from doc/accuracy.md (conformance/house/plot.py)" \
    cmp "$work/accuracy.svg" "$srcdir/doc/accuracy.svg"
ok "the site is built" python3 "$srcdir/conformance/house/site.py" "$srcdir" "$work/site"
ok "its links lead somewhere, and every clause has its anchor" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"
sed -i 's/href="suite.html/href="sweet.html/; s/id="MAX-TIE"/id="MAX-TIES"/' "$work"/site/*.html
exits 1 "a link that leads nowhere is found" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"
says "clause MAX-TIE has no anchor" "and so is a clause without an anchor" \
    python3 "$srcdir/conformance/house/test_site.py" "$work/site" "$srcdir/doc/SPEC.md"
done_testing
