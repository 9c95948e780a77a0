#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# A whole range in parts has the bytes of one piece: what a range promises is promised to the parts together.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX TEST_SHARD_INDEX CI_NODE_INDEX
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "a range in parts" "no MPFR in this build"
    done_testing
fi
"$cotangent" check --op add --dtype f16 --format json > "$work/whole"
for part in 1 2; do
    "$cotangent" check --op add --dtype f16 --shard $part/2 --format json > "$work/part$part"
done
"$cotangent" merge "$work/part2" "$work/part1" > "$work/merged"
ok "two parts have the bytes of one piece" cmp "$work/whole" "$work/merged"
ok "and no hole" grep -q '"promised": [1-9].*"holes": \[\]' "$work/merged"
"$cotangent" submit "$work/merged" -o "$work/merged.tar" > "$output"
ok "which is a sound submission" "$cotangent" verify "$work/merged.tar"
done_testing
