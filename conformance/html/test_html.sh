#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# Reports as pages: what they say, what they must not let through, and how they look in Chromium.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT

"$cotangent" check --op mul,softmax --dtype f16,f32 --shard 3/60 --format json > "$work/good.json"
"$cotangent" check --backend mutant:store_truncated --op mul,add --dtype f16,bf16 --shard 3/30 --format json \
    > "$work/bad.json"
"$cotangent" sweep mul --dtype f16 --backend mutant:rare_product --range 13653-13653 --quiet --format json \
    --out "$work/sweep" > "$work/sweep.json"
for name in good bad sweep; do
    ok "a page of $name.json" "$cotangent" report "$work/$name.json" -o "$work/$name.html"
    not_ok "it names nothing outside" grep -iE 'https?:|src=|@import|url\(|<script' "$work/$name.html"
done
says "<strong>Good.</strong>" "a good result says so" cat "$work/good.html"
says "<strong>Failed.</strong>" "a bad one too" cat "$work/bad.html"
says "<strong>ARITH-STORE</strong>" "with the clause" cat "$work/bad.html"
says "rounded once, from the compute type" "and what it says" \
    sh -c 'grep -A1 "<strong>ARITH-STORE" "$0"' "$work/bad.html"
says "op mul,softmax; dtype f16,f32</td>" "what was chosen is there" cat "$work/good.html"
says "<th scope=\"row\">environment</th><td>Linux" "and where it was run" cat "$work/good.html"
says "check --backend mutant:store_truncated --case mul/" "and the command that repeats it" cat "$work/bad.html"
says "<code>0x3555</code>" "a sweep's page has the first wrong pair" cat "$work/sweep.html"
ok "a page beside an earlier result" "$cotangent" report "$work/bad.json" --against "$work/good.json" \
    -o "$work/changed.html"
says "<li>mul f16: level was X, is" "says what has changed" cat "$work/changed.html"
ok "a page beside itself" sh -c '"$0" report "$1" --against "$1" | grep -q "Nothing has changed"' "$cotangent" \
    "$work/good.json"

# ---- sweeps -------------------------------------------------------------------------------------------

sed -n '/repeats one of the blocks/,/<.pre>/p' "$work/sweep.html" | grep -o 'cotangent sweep .*' | sed 's/<.*//' \
    > "$work/repeat"
says "cotangent sweep mul --dtype f16 --dy 1 --backend mutant:rare_product --range 13653-13653 --out block-13653" \
    "a sweep's page has a command for each failing block" cat "$work/repeat"
says "block 13653: 4 wrong" "which finds the failure again" \
    sh -c 'cd "$0" && PATH=$2:$PATH OMP_NUM_THREADS=1 sh "$1"' "$work" "$work/repeat" "$builddir"
says "Where each was run is not in it" "it says that it has no environment" cat "$work/sweep.html"
not_ok "nothing is missing in it" grep 'class="missing"' "$work/sweep.html"
"$cotangent" sweep mul --dtype f16 --backend mutant:rare_product --range 13653-13655 --blocks 2/3 --quiet \
    --out "$work/holes" > "$output"
"$cotangent" merge --format json "$work/holes" > "$work/holes.json" 2> "$output"
"$cotangent" report "$work/holes.json" -o "$work/holes.html"
says '<p class="missing">2 of 3 blocks: 13653, 13655</p>' "blocks that are missing are told" cat "$work/holes.html"
sed -n 's/.*<pre>\(cotangent.*\) --out DIR.*/\1/p' "$work/holes.html" > "$work/rest"
says "done     3 of 3 blocks" "with the command that does them" \
    sh -c 'cd "$0" && PATH=$2:$PATH OMP_NUM_THREADS=1 sh -c "$(cat "$1") --quiet --out holes"' "$work" "$work/rest" \
    "$builddir"
"$cotangent" sweep mul --dtype f16 --range 13653-13653 --quiet --format json --out "$work/right" > "$work/right.json"
"$cotangent" report "$work/sweep.json" --against "$work/right.json" > "$work/sweeps.html"
for change in "backend was ref, is mutant:rare_product" "failed was 0, is 4" "fails now: block 13653" "digest was "; do
    says "<li>$change" "against an earlier sweep: $change" cat "$work/sweeps.html"
done
ok "and against itself nothing" sh -c '"$0" report "$1" --against "$1" | grep -q "Nothing has changed"' "$cotangent" \
    "$work/sweep.json"
exits 2 "a sweep against a check is refused" "$cotangent" report "$work/sweep.json" --against "$work/good.json" \
    -o "$work/mixed.html"
exits 2 "and a check against a sweep" "$cotangent" report "$work/good.json" --against "$work/sweep.json" \
    -o "$work/mixed.html"
ok "no page is written" test ! -e "$work/mixed.html"
sed 's|"device": "|"device_option": "card 1", "device": "|' "$work/sweep.json" > "$work/card.json"
says "--backend mutant:rare_product --device &#39;card 1&#39; --range" "with the device that was asked for" \
    "$cotangent" report "$work/card.json"
sed 's|"backend": "[^"]*"|"backend": "./a b\$(x)<i>.so"|' "$work/sweep.json" > "$work/odd_sweep.json"
says "--backend &#39;./a b\$(x)&lt;i&gt;.so&#39; --range" "a name that a shell would take apart is in quotes" \
    "$cotangent" report "$work/odd_sweep.json"

# ---- where the wrong cells lie -----------------------------------------------------------------------

# pictured SAID MUTANT CASE: its page has the boxes red that hold the cells which judge lists, and no other.
pictured() {
    op=${3%%/*} axis=$(echo "$3" | cut -d / -f 4)
    rm -rf "$work/cells"
    "$cotangent" check --backend "mutant:$2" --case "$3" --format json > "$work/picture.json"
    "$cotangent" report "$work/picture.json" -o "$work/picture.html"
    "$cotangent" emit --case "$3" --dir "$work/cells" > "$output"
    set -- "$1" "$2"
    for operand in dy x y a b; do
        [ ! -e "$work/cells/$operand.npy" ] || set -- "$@" "--$operand" "$work/cells/$operand.npy"
    done
    for operand in dx da db; do
        ! grep -q "$operand.npy" "$work/cells/case.json" || set -- "$@" "--$operand" "$work/cells/$operand.npy"
    done
    [ "$axis" = - ] || set -- "$@" --axis "$axis"
    said=$1 mutant=$2
    shift 2
    "$cotangent" run "$op" --backend "mutant:$mutant" "$@" > "$output"
    "$cotangent" judge "$work/cells" --format json > "$work/cells.json"
    says "$said" "the picture of mutant:$mutant, $said" python3 -B "$srcdir/conformance/html/test_picture.py" \
        "$work/picture.html" "$work/cells.json"
    not_ok "has no box more and none less" grep expected "$output"
}
pictured "column: red are [5] of [64] boxes" prod_tail_lost prod/f32/5x37/1/contig/uniform/1
pictured "from: red are [7] of [64] boxes" prod_tail_lost prod/f32/5x38/1/contig/uniform/1
pictured "tail: red are " prod_tail_lost prod/f32/9x35/1/contig/integers/2
pictured "other: red are [16] of [64] boxes" max_tie_split max/f16/5x37/1/contig/ties/7
pictured "other: red are [38, 46] of [64, 64] boxes" store_truncated mul/f16/5x37/-/contig/uniform/1

# ---- what others may have written ------------------------------------------------------------------

sed 's|"backend": "ref"|"backend": "<script>alert(1)</script>"|' "$work/good.json" > "$work/hostile.json"
ok "names are escaped" sh -c '"$0" report "$1" | grep -q "&lt;script&gt;alert" && ! "$0" report "$1" | grep "<script"' \
    "$cotangent" "$work/hostile.json"
head -c 700 "$work/good.json" > "$work/half.json"
exits 2 "half a file is refused" "$cotangent" report "$work/half.json" -o "$work/half.html"
ok "and no page is written" test ! -e "$work/half.html"
echo '{ "rows": 7 }' > "$work/other.json"
exits 2 "so is JSON of another kind" "$cotangent" report "$work/other.json" -o "$work/half.html"
echo '{ "rows": 7, "totals": [] }' > "$work/odd.json"
exits 0 "and what is odd does no harm" "$cotangent" report "$work/odd.json" --against "$work/odd.json"

# ---- in a browser ----------------------------------------------------------------------------------

if [ -n "${QUICK:-}" ] || ! command -v chromedriver > "$output" \
    || ! /usr/bin/python3 -c 'import selenium' 2> "$output"; then
    skip "Chromium" "no chromedriver, or a quick run"
else
    cd "$work" || exit 1
    ok "in Chromium: widths, colours, no network" env PYTHONDONTWRITEBYTECODE=1 /usr/bin/python3 \
        "$srcdir/conformance/html/test_html.py" "$work/bad.html" "$work/good.html" "$work/sweep.html" "$work/holes.html"
fi
done_testing
