#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Section 15 of SPEC.md: in each of its cases doc/seeds.py --plans differs, at the level that is stated, or does not
# where "same" is, and doc/spec.py does not. And doc/seeds.py breaks the clauses that doc/baracuda.md says the kernels
# themselves break.
. "$srcdir/conformance/tap/tap.sh"
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! "$python" -c 'import numpy, gmpy2' 2> /dev/null; then
    skip "doc/seeds.py" "no numpy and gmpy2 for $python"
    done_testing
fi
sed -n '/^# 15 /,/^# 16 /p' "$srcdir/doc/SPEC.md" | sed -nE 's/^\|.*\| (edges|bound|bits|same) (`.*`) \|$/\1 \2/p' |
    tr -d '`' | sed 's/^edges /E /; s/^bound /B /; s/^bits /X /' |
    awk '{ for (i = 2; i <= NF; i++) print $1, $i }' > "$work/all"
cut -d' ' -f2 "$work/all" > "$work/cases"
grep -v '^same ' "$work/all" > "$work/rows"
count=$(wc -l < "$work/cases")
[ "$count" -ge 29 ]
result $? "section 15 has $count cases"
for row in 'select checks axis, extents, rank, kind' 'dx is checked before dy' 'dy_shape()' \
    'the first of equal cells'; do
    grep -F "$row" "$srcdir/doc/SPEC.md" | grep -qE '^\|.*\| (edges|bound|bits|same) `'
    result $? "the row on \"$row\" has one"
done
judged() {
    "$builddir/cotangent" check --backend "process:$python -B $srcdir/doc/$1" --cases "$work/cases" --level X \
        --format tap
}

judged "seeds.py --plans" > "$work/report" 2>&1
sed -nE '/^not ok/ { s/^not ok [0-9]+ - ([^ ]+) .*/\1/; h; }; /^  level: / { s/^  level: (.)/\1/; G; s/\n/ /; p; }' \
    "$work/report" | sort > "$work/seen"
sort "$work/rows" | diff - "$work/seen" > "$output"
result $? "seeds.py differs in each of them, at the level that is stated"
[ "$(grep '^ok [0-9]* - [a-z0-9]*/' "$work/report" | grep -vc ' # SKIP')" = "$(grep -c '^same ' "$work/all")" ]
result $? "and not in those that are said to be the same: $(grep -c '^same ' "$work/all")"
judged spec.py > "$output" 2>&1
result $? "spec.py in none"

# ---- what the kernels themselves were found to do: a row has its level, its clause and its cases
sed -nE 's/^\|.*\| (edges|bound) \| ([A-Z0-9-]+) \| (`.*`) \|$/\1 \2 \3/p' "$srcdir/doc/baracuda.md" |
    tr -d '`' | sed 's/^edges /E /; s/^bound /B /' |
    awk '{ for (i = 3; i <= NF; i++) print $i, $1, $2 }' | sort > "$work/rows"
cut -d' ' -f1 "$work/rows" > "$work/cases"
count=$(wc -l < "$work/cases")
[ "$count" -ge 20 ]
result $? "doc/baracuda.md has $count cases"
judged seeds.py 2>&1 | sed -nE '/^not ok/ { s/^not ok [0-9]+ - ([^ ]+) .*/\1/; h; }
    /^  level: / { s/^  level: //; H; }; /^  clause: / { s/^  clause: //; H; g; s/\n/ /g; p; }' | sort > "$work/seen"
diff "$work/rows" "$work/seen" > "$output"
result $? "seeds.py breaks the same clause in each of them, at the same level"
done_testing
