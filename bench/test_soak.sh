#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# make soak: a right backend has no differences, a wrong one's are saved as case ids that fail again, a run goes on
# where the last one ended, and a seed says which cases there are.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! command -v python3 > /dev/null || "$builddir/cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "soak" "no python3, or no MPFR in this build"
    done_testing
fi
soak() {
    mkdir -p "$work/$1"
    place=$1
    shift
    python3 "$srcdir/bench/soak.py" "$builddir" 0.01 --state "$work/$place" --batch 30 --jobs 2 "$@"
}
again() { # the first case that was saved
    read -r backend id < "$work/wrong/soak.differences"
    "$builddir/cotangent" check --backend "$backend" --against ref --level X --case "$id"
}

ok "a right backend" soak right --against ref --seed 3
says "from batch 1:" "the next run goes on" soak right --against ref
says '"batches": 2' "and adds to the sums" cat "$work/right/soak.json"
ok "no difference is written" test ! -s "$work/right/soak.differences"
exits 1 "a wrong backend differs" soak wrong --against mutant:nan_result_cleared --seed 3
says "ARITH-NAN" "what is saved fails again" again
ok "the same seed once more" soak same --against ref --seed 3
soak same --against ref > /dev/null
ok "has the same cases" cmp "$work/right/soak.json" "$work/same/soak.json"
exits 2 "no number of seconds" python3 "$srcdir/bench/soak.py" "$builddir" soon
done_testing
