#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# fingerprint: what it finds of backends whose ways are known; and bits under another order.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
cd "$work" || exit 1

# finds WHO WHAT TEXT OPTION...
finds() {
    who=$1 what=$2 text=$3
    shift 3
    says "$text" "$who: $what" "$cotangent" fingerprint --backend "$who" "$@"
}
exits 0 "the reference" "$cotangent" fingerprint --extent 7,33,100
cp "$output" ref
has() { ok "has: $1" grep -q "$1" ref; }
has "^ref in f32: nearest to spec$"
has "^(cells of [1-9][0-9]* that differ: spec 0, torch [1-9][0-9]*, jax [1-9][0-9]*)$"
has "^  softmax  *spec-fold: FOLD-ORDER: .*; at 7, 33, 100 terms"
has "^  cumsum  *spec-scan: SCAN-ORDER: "
has "^  *7 terms: (((0 + 4) + (2 + 6)) + ((1 + 5) + 3))$"
has "^  max  *0  *[1-9][0-9]*  *[1-9][0-9]*  *0  ties=all max_nan=none"
ok "and keeps to the spec" sh -c '! grep "the spec: " ref'

finds innocent:lanes_31 "its lanes" "softmax       lanes(31): " --op softmax --extent 33,100
finds innocent:random_trees "an order without a name" "an order without a name" --op var --extent 20
finds innocent:random_trees "is printed" "20 terms: (" --op var --extent 20
finds innocent:kahan "no order at all" "no order is found at 33 terms: " --op softmax --extent 33
finds innocent:from_zero "where its sums start" "cumsum       +0; the spec: the first term, or -0" --extent 7
finds innocent:fused "fused products" "products are not rounded before they are added; the spec" --extent 7
finds innocent:wide_sums "wider sums" "accumulator       softmax      53 bits (f64); the spec: 24 bits" --extent 7
finds mutant:half_accumulator "narrower sums" "softmax      11 bits (f16); the spec: 24 bits" --dtype f16 --extent 7
finds mutant:inputs_flushed "flushed operands" "operands taken for 0, and given" --extent 7
finds mutant:order_by_rows "other bits among others" "lines have other bits than the same line alone" --extent 7
finds mutant:max_tie_split "divided ties" "ties=split" --op max
finds mutant:reverse_ignored "and keeps to all others" "ties=all max_nan=none" --op max

ok "JSON" sh -c '"$1" fingerprint --op softmax,max --extent 5,9 --format json > json && /usr/bin/python3 -c "
import json
f = json.load(open(\"json\"))
order, = f[\"orders\"]
assert f[\"nearest\"] == \"spec\" and f[\"differ\"][\"spec\"] == 0 < f[\"differ\"][\"torch\"], f
assert order[\"op\"] == \"softmax\" and order[\"name\"] == \"spec-fold\", order
assert [s[\"terms\"] for s in order[\"sums\"]] == [5, 9], order
def leaves(tree): return [tree] if isinstance(tree, int) else leaves(tree[0]) + leaves(tree[1])
assert sorted(leaves(order[\"sums\"][1][\"tree\"])) == list(range(9)), order
assert [e[\"op\"] for e in f[\"edges\"]] == [\"max\", \"softmax\"], f
assert f[\"edges\"][0][\"policies\"].startswith(\"ties=all max_nan=none\"), f"' sh "$cotangent"

# ---- bits under another order: under STATUS BACKEND ORDER CASE
under() {
    status=$1
    shift
    exits "$status" "$1 against order:$2: $3" "$cotangent" check --backend "$1" --against "order:$2" --level X \
        --case "$3"
}
if ! "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    for case in softmax/f32/5x137/1/contig/uniform/1 cumsum/f32/5x37/1/contig/uniform/1; do
        under 0 innocent:sequential sequential $case
        under 1 innocent:sequential reverse $case
    done
    under 0 innocent:backward reverse var/f16/5x137/1/transposed/normal/1
    under 0 innocent:pairwise pairwise std/f64/5x137/1/sliced/normal/1,corr=1
    under 0 ref spec-fold softmax/bf16/3x1200/1/contig/uniform/1
    under 0 ref spec-scan cumprod/f32/300x5/0/transposed/near1/1
    under 1 ref sequential cumprod/f32/300x5/0/transposed/near1/1
    under 0 innocent:sequential sequential sum/f32/5x37/1/contig/uniform/1
fi
says "no order has that name" "an order that there is not" "$cotangent" check --against order:lanes --level X --op max

# ---- a backend that takes a framework's policies only: what $COTANGENT_PYTHON starts in place of the framework
if /usr/bin/python3 -c 'import numpy' 2> /dev/null; then
    cat > python << 'END'
#!/bin/sh
exec /usr/bin/python3 -B "$(dirname "$0")/theirs.py" "$3" "$(dirname "$2")"
END
    chmod +x python
    cat > theirs.py << 'END'
import sys
sys.path.insert(0, sys.argv[2])
import adapter, numpy as np, numpy_adapter as ours

def evenly(p, dy, x, y):
    return dy / (x == y).sum(p.axis, keepdims=True).astype(dy.dtype) * (x == y)

def refuse(problem, tables):
    return "max alone is known, and no min" if problem.op == "min" else adapter.under("torch")(problem, tables)

ours.GRADIENTS["max"] = evenly
adapter.serve("theirs", "1", refuse, ours.gradient)
END
    # theirs OPTION...: its fingerprint, into a file
    theirs() { COTANGENT_PYTHON=$PWD/python "$cotangent" fingerprint --backend torch "$@" > theirs; }
    ok "a backend that takes one framework's policies alone" theirs --extent 7
    says_of() { ok "$1" grep -q "$2" theirs; }
    says_of "is asked under them, and its ways are found" \
        "^  max .* 0  ties=split max_nan=spread .*(asked under torch)$"
    says_of "even those that are not theirs" "^  prod .*zeros=literal.*(asked under torch)$"
    says_of "an op that heeds no policy is asked as the spec has it" "^  mul .* 0 *$"
    says_of "its own reason is said where it does not do an op" "^  min  *not done: max alone is known, and no min$"
    says_of "its sums have an order, though var heeds policies" "^  var  *[a-z]*[a-z(].*; at 7 terms"
    says_of "and calls of other ops are not refused" "^  invariance  *var  *the same bits alone and among others$"
    ok "not even one of them" sh -c '! grep -q "only the policies of" theirs'
    theirs --extent 7 --op max,mul --format json
    ok "JSON says what was asked" /usr/bin/python3 -c '
import json
asked = {e["op"]: e["asked"] for e in json.load(open("theirs"))["edges"]}
assert asked == {"max": "torch", "mul": "spec"}, asked'
else
    skip "a backend that takes one framework's policies alone" "no numpy"
fi

exits 2 "no such op" "$cotangent" fingerprint --op sofmax
exits 2 "no such extent" "$cotangent" fingerprint --extent 0
exits 2 "two types" "$cotangent" fingerprint --dtype f16,f32
exits 2 "no such format" "$cotangent" fingerprint --format tap
exits 3 "no such backend" "$cotangent" fingerprint --backend nothing
done_testing
