#!/bin/sh
# usage: digests.sh COTANGENT BACKEND < ROWS: rows of digests.tsv as a backend has them now. A row is op, type, dy and
# blocks, then cells, edges, failed cells and the digest; what is read beyond the first four words is left out.
set -e
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
while read -r op type dy blocks before; do
    "$1" sweep "$op" --dtype "$type" --dy "$dy" --blocks "$blocks" --backend "$2" --quiet --out "$work/$op$type" \
        --format json > "$work/json" 2> "$work/said" || cat "$work/said" >&2
    : "$before"
    sed -n -e 's/.*"cells": \([0-9]*\), "edges": \([0-9]*\),.*/\1 \2/p' -e 's/.*"digest": "\([0-9a-f]*\)".*/\1/p' \
        -e 's/.*"failed": \([0-9]*\), "failed_.*/\1/p' "$work/json" | tr '\n' ' ' > "$work/words"
    cells='' edges='' digest='' failed=''
    read -r cells edges digest failed < "$work/words" || :
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "$op" "$type" "$dy" "$blocks" "$cells" "$edges" "$failed" "$digest"
done
