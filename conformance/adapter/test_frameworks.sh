#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# The page of frameworks, from reports of a mutant: every deviation needs a class, and runs that end early have a page.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
here=$srcdir/conformance/adapter
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! command -v python3 > /dev/null || "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "the page of frameworks" "it needs Python and MPFR"
    done_testing
fi
python3() { command python3 -B "$@"; }
page() { python3 "$here/frameworks.py" --reasons "$work" "$work/page" "$work/list" "$@"; }

"$cotangent" check --backend mutant:max_tie_split --op max --dtype f32,f64 --generator 'ties*' --level B \
    --format json > "$work/wrong.json"
"$cotangent" check --backend mutant:none --op max --dtype f32 --generator ties2 --level B --format json \
    > "$work/right.json"
wrong=$(grep -c '"id": "max/f[0-9]*/.*"level"' "$work/wrong.json")
ok "there are deviations" test "$wrong" -gt 2

printf 'class split It splits ties.\nsplit any/glob\nclass other Nobody does.\n' > "$work/artefacts.txt"
echo '# none' > "$work/deviations.txt"
exits 1 "deviations without a class fail" page "$work/wrong.json"
[ "$(grep -c '^no class: mutant:max_tie_split B MAX-TIE max/' "$output")" = "$wrong" ]
result $? "each is named"
not_ok "and no page is written" test -e "$work/page"
echo 'split mutant:* E,B max f32 * ties* MAX-TIE' > "$work/deviations.txt"
exits 1 "a row for f32 does not do for f64" page "$work/wrong.json"
not_ok "nor is f32 named then" grep -q max/f32 "$output"
echo 'split mutant:max_tie_split B min,max f32,f64 * none,ties* MAX-*' >> "$work/deviations.txt"
ok "a row for both does" page "$work/wrong.json"
[ "$(grep -c '^split mutant:max_tie_split B MAX-TIE max/f[36]' "$work/list")" = "$wrong" ]
result $? "and the list has every case"
ok "the page how many" grep -q "cases judged, $wrong deviate" "$work/page"
ok "and what an example is" grep -qE '^\| split \| `max` \| f32 [0-9]+, f64 [0-9]+ \| B [0-9]+ \| `max/f' "$work/page"
ok "and why" grep -qF "| split | It splits ties. | $wrong | \`any/glob\` |" "$work/page"
ok "a framework without deviations" page "$work/right.json"
ok "has a page too" grep -q "cases judged, 0 deviate" "$work/page"

sed 's/"ended": null/"ended": "interrupted after 3 of 9 cases"/' "$work/wrong.json" > "$work/ended.json"
head -c 400 "$work/wrong.json" > "$work/cut.json"
ok "reports that ended early, were cut off or are not there" \
    page "$work/ended.json" "$work/cut.json" "$work/nowhere.json"
ok "the first says so" grep -q "did not come to its end: interrupted after 3 of 9 cases" "$work/page"
[ "$(grep -c 'The check left no report' "$work/page")" = 2 ]
result $? "and so do the others"
sed 's/"lost": null/"lost": "late"/' "$work/wrong.json" > "$work/late.json"
exits 1 "a call that does not come back has no class" page "$work/late.json"
echo 'mystery mutant:* * * * * * *' > "$work/deviations.txt"
exits 1 "nor is a class that artefacts.txt has not one" page "$work/wrong.json"

# ---- what is committed
ok "doc/frameworks.md, its list and the rows fit each other" \
    python3 "$here/test_frameworks.py" "$srcdir/doc/frameworks.md" "$srcdir/doc/frameworks.txt"
python3 "$here/subset.py" "$cotangent" jax 1/4000 > "$work/cases"
ok "the cases for JAX are cases" sh -c '"$1" list --cases "$2" | cmp - "$2"' sh "$cotangent" "$work/cases"
kinds=$(awk -F/ '{print $1 $2 $6}' "$work/cases" | sort -u | wc -l)
ok "of every op, type and generator" test "$kinds" = $((26 * 4 * $("$cotangent" list --generators | wc -l)))
done_testing
