#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# doc/lost.md has what bench/lost_cells.py finds, in the columns that need no framework: the spec's own formulas, and
# convention accurate, which loses nothing that these keep.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
# The columns up to that of `accurate`.
ours() {
    awk -F'|' '!/^\|/ { n = 0; next }
        !n { for (n = 2; $n !~ /accurate/; n++) ; }
        { line = $2; for (i = 3; i <= n; i++) line = line "|" $i; print line }' "$1"
}

python3 -B "$srcdir/bench/lost_cells.py" "$builddir/cotangent" > "$work/lost.md" 2> "$work/said"
result $? "the script runs"
ours "$srcdir/doc/lost.md" > "$work/stands"
ours "$work/lost.md" > "$work/found"
diff "$work/stands" "$work/found" > "$output"
result $? "doc/lost.md stands: $(wc -l < "$work/found") rows"

tr -d ' `%' < "$work/found" > "$work/rows"
awk -F'|' 'NF == 5 && $1 != "op" { rows++; worse += $5 + 0 > $4 + 0; better += $5 + 0 < $4 + 0 }
    END { exit !(rows > 30 && !worse && better > 15) }' "$work/rows"
result $? "accurate loses no more than the spec's own, and often less"
for row in 'div|1e-30|1' 'div|1e+19|1' 'div|1e+20|1' 'div|1e+30|1' 'atan2|1e-30|1' 'atan2|1e+19|1' 'atan2|1e+20|1' \
    'hypot|1e-35|1e-10' 'hypot|1e+30|1e+10' 'norm2|1e-35|1e-10' 'norm2|1e+18|1e+22' 'norm2|1e+30|1e+10'; do
    lost=$(grep -F "$row|" "$work/rows" | cut -d'|' -f4,5)
    awk -v lost="$lost" 'BEGIN { split(lost, share, "|"); exit !(share[1] > 5 && share[2] == "0.0") }'
    result $? "$row: the spec's own loses ${lost%|*} %, accurate ${lost#*|} %"
done
for op in var std; do
    awk -F'|' -v op=$op '$1 == op { rows++; worst = $4 > worst ? $4 : worst; spec = $3 > spec ? $3 : spec }
        END { exit !(rows == 6 && worst < 1e-6 && spec > 1e-3) }' "$work/rows"
    result $? "$op: at no mean is accurate off by a millionth, the spec's own is"
done
done_testing
