#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir; the scripts of sh -c have their own $1
# replay: vectors are compared at the edges and within bounds, artefacts come from a list, what cannot be read is said.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "replay" "no MPFR in this build"
    done_testing
fi

# line OP DTYPE CONVENTION SOURCE REST: a vector of three cells.
line() {
    printf '{"op":"%s","case":"%s","shape":[3],"axis":0,"dtype":"%s","convention":"%s","source":"%s"%s}\n' "$@"
}
in='"x":["0x1p+0","0x1p+1","0x1p+1"],"dy":["0x1.8p+1"],"y":["0x1p+1"]'
split='["0x0p+0","0x1.8p+0","0x1.8p+0"]'
first='["0x0p+0","0x1.8p+1","0x0p+0"]'

line max tie f32 torch "torch 1 torch.amax" ",$in,\"dx\":$split" > "$work/amax"
line max tie f32 torch "torch 1 torch.max(dim)" ",$in,\"dx\":$first" > "$work/max"
ok "a tie that is split, as torch's convention says" "$cotangent" replay "$work/amax"
exits 1 "a tie that the first takes is something else" "$cotangent" replay "$work/max"
says "dx[2] is 1.5, and the framework has 0" "and the cell is named" "$cotangent" replay "$work/max"
exits 1 "so is a zero of the other sign" \
    sh -c 'sed "s/\"0x0p+0\",/\"-0x0p+0\",/" "$2/amax" > "$2/sign" && "$1" replay "$2/sign"' sh "$cotangent" "$work"

# ---- the list
echo 'policies torch/torch.max(dim)/* ties=first' > "$work/policies"
printf 'class order It breaks ties by the order of its loop.\norder */max/f32/tie/*\n' > "$work/known"
ok "a function with policies of its own" "$cotangent" replay "$work/max" --known "$work/policies"
ok "an artefact of the list" "$cotangent" replay "$work/max" --known "$work/known"
says "artefact order, 1 vectors: It breaks ties" "is counted, with its sentence" \
    "$cotangent" replay "$work/max" --known "$work/known"
cat "$work/max" "$work/amax" > "$work/two"
says "1 of the 2 vectors that the list names differ; outside it 0.00 % of all do" \
    "of those that it names not all differ" "$cotangent" replay "$work/two" --known "$work/known"
sed 's/order /order none-of-/' "$work/known" > "$work/other"
sed -i 's/^class order none-of-/class order /' "$work/other"
says "0 of the 0 vectors that the list names differ; outside it 50.00 % of all do" "and outside it others may" \
    "$cotangent" replay "$work/two" --known "$work/other"
exits 1 "a row that nothing needs fails" "$cotangent" replay "$work/amax" --known "$work/known"
says "line 2 is not needed" "and is named" "$cotangent" replay "$work/amax" --known "$work/known"
echo 'chaos */max/*' > "$work/unknown"
exits 2 "a row of a class that is not there" "$cotangent" replay "$work/max" --known "$work/unknown"

# ---- numbers: within the bound or not
line mean near f32 jax "jax 1 jnp.mean" \
    ',"dy":["0x1p+0"],"dx":["0x1.555554p-2","0x1.555556p-2","0x1.555558p-2"]' > "$work/near"
ok "a unit in the last place is within mean's bound for any evaluation" "$cotangent" replay "$work/near"
says "mean          jax                1         0         1" "and is not the same bits" \
    "$cotangent" replay "$work/near"
sed 's/0x1.555558p-2/0x1.5556p-2/' "$work/near" > "$work/far"
exits 1 "a hundred of them are not" "$cotangent" replay "$work/far"

# ---- who is wrong
line max tie f32 spec "ours 1 max" ",$in,\"dx\":[\"0x0p+0\",\"0x1.8p+1\",\"0x1.8p+1\"]" > "$work/spec"
ok "a vector of the spec" "$cotangent" replay "$work/spec"
wrong="$work/spec --backend mutant:max_tie_split"
# shellcheck disable=SC2086 # words
exits 1 "a backend that breaks a clause fails" "$cotangent" replay $wrong
# shellcheck disable=SC2086
says "WRONG   spec/max/max/f32/tie/3, line 1" "and is called wrong" "$cotangent" replay $wrong
# shellcheck disable=SC2086
exits 1 "no artefact of the list excuses it" "$cotangent" replay $wrong --known "$work/known"

# ---- what comes back
cat "$work/amax" "$work/near" > "$work/both"
ok "--emit" "$cotangent" replay "$work/both" --emit "$work/out"
ok "gives every line back, with the backend's numbers" sh -c '
    grep -qF "\"dx\":$2,\"got_dx\":$2}" "$1" && [ "$(wc -l < "$1")" = 2 ]' sh "$work/out" "$split"
ok "which is a file of vectors again" "$cotangent" replay "$work/out"
[ ! -e /dev/full ] || exits 1 "a full disk is an error" "$cotangent" replay "$work/both" --emit /dev/full

# ---- what cannot be read
refused() { # NAME SED-SCRIPT TEXT
    sed "$2" "$work/amax" > "$work/bad"
    exits 2 "$1" "$cotangent" replay "$work/bad"
    says "$3" "is said" "$cotangent" replay "$work/bad"
}
refused "an op that is none" 's/"max"/"maks"/' '"op" is no op'
refused "too few numbers" 's/"0x1p+0",//' '"x" is not an array of 3 numbers'
refused "a number that f32 has not" 's/"0x1p+0"/"0x1.00000001p+0"/' '"x" holds a number that f32 has not'
refused "a shape that is not there" 's/\[3\]/[3000000,3000000]/' '"shape" has more cells'
refused "half a line" 's/,"dx.*//' 'not one JSON object'
exits 2 "no vectors" "$cotangent" replay /dev/null

line max none f32 torch "torch 1 torch.amax" ',"x":[],"dy":["0x1p+0"],"error":"IndexError"' \
    | sed 's/"shape":\[3\]/"shape":[0]/' > "$work/error"
ok "what the framework refuses, the library refuses" "$cotangent" replay "$work/error"
done_testing
