#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2086 # make check sets srcdir and builddir
# Innocents as other people's backends: behind the protocol, the ports of doc/template, README's gradient in NumPy.
# With --long also every innocent on the whole quick range, and README's gradient on every case that it can do.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if "$cotangent" check --case mul/f32/4/-/contig/uniform/1 2>&1 | grep -q 'truth in MPFR, and this build has none'; then
    echo "1..0 # SKIP this build cannot judge"
    exit 0
fi

share= # of cases, where there are many
every=1
[ "${1:-}" = --long ] || { share="--shard 1/5" && every=4; }

# ---- behind the protocol: the same verdict as in the suite's own process
judge() {
    "$cotangent" check --backend "$1" --level D --op "$2" --dtype "$3" $share --format tap |
        grep '^\(not \)\?ok' > "$4"
}
for innocent in sequential random_trees; do
    judge innocent:$innocent softmax f32 "$work/here"
    judge "process:$cotangent serve innocent:$innocent" softmax f32 "$work/there"
    ok "innocent:$innocent is judged, with cases enough" test "$(wc -l < "$work/here")" -gt 50
    ok "and behind the protocol alike" diff "$work/here" "$work/there"
done

# ---- a line of equal numbers: what is zero after the spec's order of additions alone is no edge
exits 0 "another order's zeros are judged by their bound" "$cotangent" check --backend innocent:sequential --level B \
    --case var/f64/256/0/contig/constant/1,corr=256 --case softmax/f64/1x1x64x4/2/contig/constant/1

# ---- the ports that others start from
ok "the template compiles" $CC $SANITIZE -O2 -ffp-contract=off -shared -fPIC -I"$srcdir/core" -o "$work/port.so" \
    "$srcdir/doc/template/port.c"
ok "and is acquitted, in f32 and f64" "$cotangent" check --backend "$work/port.so" --op mul $share
python=/usr/bin/python3
$python -c 'import numpy' 2> /dev/null || python=
if [ -n "$python" ]; then
    ok "the template in Python is acquitted" "$cotangent" check \
        --backend "process:$python $srcdir/doc/template/port.py" --op mul $share
else
    skip "the template in Python is acquitted" "no numpy for /usr/bin/python3"
fi

# ---- README's gradient: cases of two dimensions along the second, in the types that NumPy computes in
sed -n '/^```python$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$work/mine.py"
for dtype in f32 f64; do
    "$cotangent" list --op softmax --dtype $dtype
done | grep -E '/[1-9][0-9]*x[1-9][0-9]*/1/' | grep -v bad= | awk "NR % $every == 0" > "$work/cases"
if [ -n "$python" ]; then
    count=0
    while read -r id; do
        count=$((count + 1))
        mkdir -p "$work/$count"
        "$cotangent" emit --case "$id" --dir "$work/$count/case" > "$output" 2>&1 || result 1 "emit $id"
    done < "$work/cases"
    ok "README's gradient has $count cases" test "$count" -ge 15
    (cd "$work" && $python -W ignore -c '
import os, sys
for place in range(int(sys.argv[1])):
    os.chdir(str(place + 1))
    exec(open("../mine.py").read())
    os.chdir("..")' "$count") > "$output" 2>&1
    result $? "and computes them"
    count=0
    while read -r id; do
        count=$((count + 1))
        ok "README's gradient is right: $id" "$cotangent" judge "$work/$count/case"
    done < "$work/cases"
    readme="process:$python $srcdir/conformance/innocent/readme_port.py $srcdir/doc/template/port.py $srcdir/README.md"
    "$cotangent" check --op softmax --backend "$readme" $share --format json > "$work/readme.json" 2> "$output"
    result $? "and behind the protocol, in f32 and f64, along every axis"
    ok "with cases enough, and all their cells judged" $python -c 'import json, sys
totals = json.load(open(sys.argv[1]))["totals"]
assert totals["failed"] == 0 and totals["cases"] > 100 and totals["unjudged_cells"] == 0, totals' "$work/readme.json"
else
    skip "README's gradient" "no numpy for /usr/bin/python3"
fi

# ---- every innocent, on the whole quick range: a part of the table on each processor
if [ "${1:-}" = --long ]; then
    parts=$(nproc)
    for part in $(seq "$parts"); do
        "$builddir/conformance/run/test_innocents" --long "$part/$parts" > "$work/part.$part" 2>&1 &
        eval "job$part=$!"
    done
    for part in $(seq "$parts"); do
        eval "wait \$job$part"
        status=$?
        grep '^not ok\|^#\|^1\.\.' "$work/part.$part" > "$output"
        right=$(grep -c ^ok "$work/part.$part")
        result $status "every innocent is acquitted in every case: part $part of $parts, $right right"
    done
fi
done_testing
