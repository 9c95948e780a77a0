#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# Batteries: emit --op writes them, judge sums them up, and says of each case what is missing or wrong.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
cd "$work" || exit 1
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "judge" "no MPFR in this build"
    done_testing
fi

# solve OP [OPTION...]: the reference's gradient of every case; no op that has other options than these.
solve() {
    op=$1
    shift
    for d in cases/"$op"-*; do
        shape=$(sed -n 's/^  "shape": \[\(.*\)\],/\1/p' "$d/case.json" | sed 's/, /x/g')
        "$cotangent" run "$op" --shape "$shape" --dtype f16 --dy "$d/dy.npy" --a "$d/a.npy" --b "$d/b.npy" \
            --da "$d/da.npy" --db "$d/db.npy" "$@" || return 1
    done
}

exits 0 "emit --op" "$cotangent" emit --op 'ma*um' --dtype f16 --dir cases
cp "$output" said
count=$(find cases -name case.json | wc -l)
ok "some thirty cases" test "$count" -ge 15 -a "$count" -le 30
ok "each is said with its id" sh -c \
    '[ "$(grep -c "^cases/maximum-f16-[0-9]*-.*  maximum/f16/" said)" = "$1" ]' sh "$count"
ok "and the share of the mutants that they catch" grep -q "they catch [0-9]* of the [0-9]* mutants of maximum" said
exits 2 "nothing to judge yet" "$cotangent" judge cases
cp "$output" said
ok "which is said of every case" sh -c '[ "$(grep -c "^missing .*: da.npy$" said)" = "$1" ]' sh "$count"
ok "and summed up" grep -q "^$count cases: $count missing" said
ok "the reference's results" solve maximum
says "$count cases: $count right" "are right" "$cotangent" judge cases
exits 0 "which the exit status says" "$cotangent" judge cases
exits 1 "under another convention they are not" "$cotangent" judge cases --convention jax
ok "whose results" solve maximum --convention jax
says "$count cases: $count right" "are right under it" "$cotangent" judge cases --convention jax
says ",conv=jax" "which each id says" "$cotangent" judge cases --convention jax
exits 2 "a policy that is none is refused, once" "$cotangent" judge cases --policy pair_nan=nobody
[ "$(wc -l < "$output")" = 1 ]
result $? "before any case"
ok "the spec's results again" solve maximum
for d in cases/*-01-*; do cp "$d/dy.npy" "$d/da.npy"; done
exits 1 "a wrong one among them" "$cotangent" judge cases/
cp "$output" said
ok "is said with its clause" grep -q "^WRONG  *cases/*maximum-f16-01-.*: [A-Z-]*$" said
ok "in full" grep -q "^    WRONG: [0-9]* of [0-9]* cells" said
ok "and summed up by clauses" grep -q "^  1 by [A-Z-]*: " said
for d in cases/*-02-*; do echo text > "$d/db.npy"; done
says "unreadable cases/maximum-f16-02" "one that cannot be read" "$cotangent" judge cases
exits 1 "and what is wrong counts more" "$cotangent" judge cases
exits 0 "torch's policies" "$cotangent" emit --op max --convention torch --dir torch
says ",conv=torch" "are in the ids" "$cotangent" emit --op max --convention torch --dir torch

refused() {
    text=$1
    shift
    exits 2 "refused: $*" "$cotangent" "$@"
    grep -qF -e "$text" "$output"
    result $? "and says: $text"
}
refused 'did you mean "softmax"' emit --op sofmax --dir here
refused "--case names a case by itself" emit --case sum/f32/5/0/contig/uniform/1 --dtype f16 --dir here
refused "or --op OP" emit --dir here
ok "every op has a battery" sh -c 'for op in $("$1" ops | awk "NR > 1 { print \$2 }"); do
    "$1" emit --op "$op" --dir every | grep "mutants of $op" || exit 1; done' sh "$cotangent"
if /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
    /usr/bin/python3 "$srcdir/conformance/cmd/test_battery.py" "$cotangent" > programs
    ok "right and wrong programs in NumPy" sh -c \
        'cat programs; grep -q "^1\.\." programs && ! grep -q "^not ok" programs'
    sed 's/^/# /' programs
else
    skip "programs in NumPy" "no NumPy"
fi
done_testing
