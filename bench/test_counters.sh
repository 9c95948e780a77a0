#!/bin/sh
# shellcheck disable=SC1091,SC2016,SC2154 # make check sets srcdir, builddir and the tools
# What the kernels cost on the software device, against bench/counters.txt: a number that got worse fails. The device
# counts the same on every run.
# usage: test_counters.sh [--long | --write]
# 1024 x 1024 only; --long: every shape. --write: the table anew, after a look at what has become worse. Under
# convention accurate f32 and 1024 x 1024 are enough.
. "$srcdir/conformance/tap/tap.sh"
table=$srcdir/bench/counters.txt
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
{ [ "$PTX_COMPILER" = nvcc ] && "$NVCC" --version | grep -q 'release 13\.0'; } ||
    { echo "1..0 # SKIP the table is of nvcc 13.0's PTX"; exit 0; }
case "${SANITIZE-} ${CC-} $builddir" in
*sanitize* | *clang* | */_build/sub) echo "1..0 # SKIP the plain build counts the same"; exit 0 ;;
esac

shape="--shape 1024x1024"
case ${1-} in --long | --write) shape= ;; esac
# shellcheck disable=SC2086
"$builddir/cotangent" bench --backend cuda --device soft --counters $shape > "$work/now" 2> "$output"
result $? "the software device counts"
"$builddir/cotangent" bench --backend cuda --device soft --counters --shape 1024x1024 --dtype f32 \
    --convention accurate 2> "$output" | grep -v '^# op' > "$work/accurate"
cat "$work/accurate" >> "$work/now"
for op in div atan2 hypot norm2 var std; do
    ok "$op under convention accurate too" grep -q "^$op,accurate " "$work/accurate"
done
if [ "${1-}" = --write ]; then
    { echo "# cotangent bench --backend cuda --counters, with nvcc 13.0's PTX. Made by bench/test_counters.sh --write."
      grep -v '^software device' "$work/now"; } > "$table"
fi

# worse COLUMN WHAT: rows in which the column is above the table's. Rows that the table lacks are as bad.
worse() {
    ok "$2: none is worse than the table says" awk -v c="$1" '
        $1 ~ /^#/ || /^software device/ { next }
        { key = $1 " " $2 " " $3 " " $4 }
        FNR == NR { most[key] = $c; next }
        !(key in most) { print key ": not in the table"; bad = 1; next }
        { compared++ }
        $c > most[key] { print key ": " $c ", " most[key] " in the table"; bad = 1 }
        END { if (!compared) print "nothing was compared"; exit bad || !compared }' "$table" "$work/now"
}
worse 5 "PTX instructions per cell"
worse 6 "sectors over the least"
worse 7 "bank conflicts"
worse 8 "divergence"
worse 9 "launches"

# The bars: what good is, whatever the table says.
bar() {
    ok "$1 $2 $3 f32: at most $4 PTX instructions per cell" awk -v op="$1" -v shape="$2" -v axis="$3" -v most="$4" '
        $1 == op && $2 == "f32" && $3 == shape && $4 == axis { found = 1; if ($5 > most) { print; exit 1 } }
        END { if (!found) exit 1 }' "$work/now"
}
bar add 1024x1024 - 6
bar sum 1024x1024 1 6
bar lerp 1024x1024 - 8
bar mul 1024x1024 - 10
bar max 1024x1024 1 10
bar softmax 1024x1024 1 14
bar var 1024x1024 1 16
bar cumsum 1024x1024 1 16
bar cummax 1024x1024 1 30
bars="1.05 in f32 and f64, 1.15 in f16 and bf16; 1.75 in columns that are read twice"
ok "sectors over the least at 1024 x 1024: $bars" awk '
    $3 != "1024x1024" || $1 ~ /,/ { next } # bars are about rows without a convention
    { most = $2 ~ /16/ ? 1.15 : 1.05 }
    $4 == 0 && $1 ~ /^(var|std|softmax|log_softmax)$/ { most = 1.75 }
    { rows++ }
    $6 > most { print; bad = 1 }
    END { exit bad || !rows }' "$work/now"
if [ -z "$shape" ]; then
    ok "and in longer lines: 1.75 where they are read twice, 1.55 in scans" awk '
        !($3 $4 ~ /^(1x10485761|1048576x10|8x1310721)$/) || $1 ~ /^(#|software)/ { next }
        { most = $1 ~ /^(cum|logcum)/ ? 1.55 : $1 ~ /^(var|std|softmax|log_softmax)$/ ? 1.75 : 1.15; rows++ }
        $6 > most { print; bad = 1 }
        END { exit bad || !rows }' "$work/now"
fi
done_testing
