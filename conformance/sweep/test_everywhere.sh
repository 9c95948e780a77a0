#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check-long sets srcdir and builddir
# Every row of the table of digests, on every other backend of this tree: the CUDA kernels and WebAssembly. make check
# has some of them.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX TEST_SHARD_INDEX CI_NODE_INDEX
table=$srcdir/conformance/sweep/digests.tsv
rows=$(wc -l < "$table")
for backend in cuda wasm; do
    if ! "$cotangent" sweep mul --dtype f16 --backend $backend --range 0-0 --quiet --out "$work/$backend" \
        > "$work/said" 2>&1; then
        skip "$backend" "$(head -n 1 "$work/said")"
        continue
    fi
    says "backend  $backend" "a block is run on $backend" cat "$work/said"
    ok "$backend: all $rows sweeps by sample have the digests, cells and edges that are written down" sh -c \
        'sh "$0" "$1" "$2" < "$3" > "$4/rows" && [ -s "$3" ] && diff "$3" "$4/rows"' \
        "$srcdir/conformance/sweep/digests.sh" "$cotangent" $backend "$table" "$work"
    times > "$work/times"
    echo "# user and system time so far: $(tail -n 1 "$work/times")"
done
done_testing
