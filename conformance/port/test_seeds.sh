#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Section 15 of SPEC.md: in each of its cases doc/seeds.py differs, at the level that is stated, and doc/spec.py does
# not.
. "$srcdir/conformance/tap/tap.sh"
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! "$python" -c 'import numpy, gmpy2' 2> /dev/null; then
    skip "doc/seeds.py" "no numpy and gmpy2 for $python"
    done_testing
fi
sed -n '/^# 15 /,/^# 16 /p' "$srcdir/doc/SPEC.md" | sed -nE 's/^\|.*\| (edges|bound|bits) (`.*`) \|$/\1 \2/p' |
    tr -d '`' | sed 's/^edges /E /; s/^bound /B /; s/^bits /X /' |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' > "$work/rows"
cut -d' ' -f2 "$work/rows" > "$work/cases"
count=$(wc -l < "$work/cases")
[ "$count" -ge 17 ]
result $? "section 15 has $count cases"
judged() {
    "$builddir/cotangent" check --backend "process:$python -B $srcdir/doc/$1" --cases "$work/cases" --level X \
        --format tap
}

judged seeds.py > "$work/report" 2>&1
sed -nE '/^not ok/ { s/^not ok [0-9]+ - ([^ ]+) .*/\1/; h; }; /^  level: / { s/^  level: (.)/\1/; G; s/\n/ /; p; }' \
    "$work/report" | sort > "$work/seen"
sort "$work/rows" | diff - "$work/seen" > "$output"
result $? "seeds.py differs in each of them, at the level that is stated"
judged spec.py > "$output" 2>&1
result $? "spec.py in none"
done_testing
