#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Every example of doc/SPEC.md, on the reference, gradients in doc/spec.py too; and one that is wrong is seen, of every
# kind, and a clause without one.
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
[ "$(grep -c '^ok' "$work/report")" -gt 400 ]
result $? "$(grep -c '^ok' "$work/report") checks"

for clause in FWD-REDUCE FWD-LSE FWD-SCAN FWD-BINARY FWD-SOFTMAX FWD-EMPTY LAYOUT-ALIAS VALID-OVERLAP BOUND; do
    grep -q "^ok .* $clause has an example" "$work/report"
    result $? "$clause has an example"
done

# ---- examples with another result, clauses without one, of every kind
cp "$srcdir"/doc/spec*.py "$work"
# changed EDIT COUNT NAME: so edited, the text has so many mistakes.
changed() {
    sed "$1" "$srcdir/doc/SPEC.md" > "$work/SPEC.md"
    cmp -s "$work/SPEC.md" "$srcdir/doc/SPEC.md" && { result 1 "$3: the edit has changed nothing"; return; }
    run "$work/SPEC.md"
    [ $? = 1 ] && [ "$(grep -a -c '^not ok' "$work/report")" = "$2" ]
    result $? "$3"
}
changed 's/example: mul f32 dy=\[5\] a=\[2\] b=\[3\] -> da=\[15\]/example: mul f32 dy=[5] a=[2] b=[3] -> da=[14]/
    /example: add /d' 3 "a wrong result is seen, in both, and a clause without an example"
grep -q '^not ok .* ADD has an example' "$work/report"
result $? "which is named"
changed 's/\(example: forward mean .* y=\)\[2.3333333\]/\1[2.3333335]/; /example: forward softmax /d
    /example: forward log_softmax /d' 2 \
    "a wrong result of a forward operation, and a clause about one without an example"
grep -q '^not ok .* FWD-SOFTMAX has an example' "$work/report"
result $? "which is named"
changed 's/\(-> UNSUPPORTED desc needed=8 got=\)9/\110/
    s/x.length=-1 -> dx=\[5 5\]/x.length=-1 -> dx=[5 6]/
    s/\(dx=\[2.333334\*3\] -> \)WRONG/\1right/
    s/\(forward max f32 x=\[\] -> \)refused/\1y=[0]/' 5 \
    "a wrong status, wrong memory, a wrong ruling, a call that is refused"
done_testing
