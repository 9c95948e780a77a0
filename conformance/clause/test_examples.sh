#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Every example of doc/SPEC.md, on the reference and in doc/spec.py; and one that is wrong is seen.
. "$srcdir/conformance/tap/tap.sh"
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! "$python" -c 'import numpy, gmpy2' 2> /dev/null; then
    skip "the spec's examples" "no numpy and gmpy2 for $python"
    done_testing
fi
run() { "$python" -B "$srcdir/conformance/clause/examples.py" "$builddir/cotangent" "$1" > "$work/report" 2>&1; }

run "$srcdir/doc/SPEC.md"
result $? "$(grep -c 'example: ' "$srcdir/doc/SPEC.md") examples give what the spec says"
grep -a '^not ok' -A1 "$work/report" | sed 's/^/# /'
[ "$(grep -c '^ok' "$work/report")" -gt 150 ]
result $? "$(grep -c '^ok' "$work/report") checks"

# ---- an example with another result, a clause without one
cp "$srcdir"/doc/spec*.py "$work"
sed 's/example: mul f32 dy=\[5\] a=\[2\] b=\[3\] -> da=\[15\]/example: mul f32 dy=[5] a=[2] b=[3] -> da=[14]/
    /example: add /d' "$srcdir/doc/SPEC.md" > "$work/SPEC.md"
run "$work/SPEC.md"
[ $? = 1 ] && [ "$(grep -c '^not ok' "$work/report")" = 3 ]
result $? "a wrong result is seen, in both, and a clause without an example"
grep -q '^not ok .* ADD has an example' "$work/report"
result $? "which is named"
done_testing
