#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# doc/lost.md has what bench/lost_cells.py finds, in the columns that need no framework: the spec's own formulas, and
# convention accurate, which loses nothing that these keep.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
ours() { grep '^|' "$1" | awk -F'|' '{ print $2 "|" $3 "|" $4 ($2 ~ /[`o]/ ? "|" $5 : "") }'; }

python3 -B "$srcdir/bench/lost_cells.py" "$builddir/cotangent" > "$work/lost.md" 2> "$work/said"
result $? "the script runs"
ours "$srcdir/doc/lost.md" > "$work/stands"
ours "$work/lost.md" > "$work/found"
cmp -s "$work/stands" "$work/found"
result $? "doc/lost.md stands: $(wc -l < "$work/found") rows"
awk -F'|' '/^\| `/ { rows++; worse += $5 + 0 > $4 + 0; better += $5 + 0 < $4 + 0 }
    END { exit !(rows > 15 && !worse && better > 5) }' "$work/lost.md"
result $? "accurate loses no more than the spec's own, and often less"
done_testing
