#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2046,SC2016 # make check sets srcdir and builddir; options are words
# emit and judge: what run computes is right for every op, wrong results are explained, bad files are refused. With
# --long also lines of 2^24 cells.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
long=${1:-}
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
cd "$work" || exit 1
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "judge" "no MPFR in this build"
    done_testing
fi

# solve DIRECTORY [OPTION...]: the reference's gradient of an emitted case, through run.
solve() {
    d=$1
    shift
    set -- "$@" $(sed -n 's/^  "op": "\(.*\)",/\1/p; s/^  "dtype": "\(.*\)",/--dtype \1/p
        s/^  "axis": \([0-9]*\),/--axis \1/p
        s/^  "correction": \(.*\),/--correction \1/p; s/^  "param": \(.*\),/--param \1/p
        s/^  "shape": \[\(.*\)\],/--shape \1/p' "$d/case.json" | sed '/--shape/s/, /x/g')
    for name in dy x y a b; do [ ! -e "$d/$name.npy" ] || set -- "$@" --$name "$d/$name.npy"; done
    if grep -q '"dx"' "$d/case.json"; then
        set -- "$@" --dx "$d/dx.npy"
    else
        set -- "$@" --da "$d/da.npy" --db "$d/db.npy"
    fi
    ! grep -q '"reverse": true' "$d/case.json" || set -- "$@" --reverse
    "$cotangent" run "$@"
}

# ---- every op
dtypes="f16 bf16 f32 f64 f16 bf16 f32 f64"
for op in $("$cotangent" ops | awk 'NR > 1 { print $2 }'); do
    dtype=${dtypes%% *}
    dtypes="${dtypes#* } $dtype"
    axis=1
    keys=
    case $("$cotangent" ops | awk -v op="$op" '$2 == op { print $1 }') in
    binary) axis=- ;;
    binary_param) axis=- keys=,w=0x1p-2 ;;
    scan) keys=,rev=1 ;;
    esac
    [ "$op" != var ] || keys=,corr=1
    ok "emit $op" "$cotangent" emit --case "$op/$dtype/5x37/$axis/sliced/nan/3$keys" --dir "$op"
    ok "run $op" solve "$op"
    ok "judge $op: right" "$cotangent" judge "$op"
done
ok "case.json is JSON" \
    /usr/bin/python3 -c 'import json
assert json.load(open("mul/case.json"))["outputs"] == {"da": "da.npy", "db": "db.npy"}'
ok "a case without cells" "$cotangent" emit --case sum/f32/3x0/1/contig/uniform/1 --dir empty
ok "has a gradient without cells" solve empty
says "right: 0 cells" "which is right" "$cotangent" judge empty
ok "inputs may be gone" sh -c 'rm mul/a.npy && "$1" judge mul' sh "$cotangent"

# ---- a verdict as data
ok "a right verdict in JSON" sh -c '"$1" judge max --format json > right.json && /usr/bin/python3 -c "
import json
v = json.load(open(\"right.json\"))
assert v[\"right\"] and v[\"wrong\"] == 0 and v[\"cells\"] == 185 and v[\"worst\"] is not None, v
assert v[\"wrong_cells\"] == {\"dx\": []}, v
assert v[\"text\"].startswith(\"right: \") and \"clause\" not in v, v"' sh "$cotangent"
ok "a wrong one, which has the clause, the cell, the pattern, hints, and what text says" sh -c '
"$1" emit --case softmax/f32/5x37/1/contig/uniform/1 --dir data && cp data/dy.npy data/dx.npy
"$1" judge data > wrong.txt
[ $? = 1 ] || exit 1
"$1" judge data --format json > wrong.json
[ $? = 1 ] && /usr/bin/python3 -c "
import json
v = json.load(open(\"wrong.json\"))
assert not v[\"right\"] and 0 < v[\"wrong\"] <= v[\"cells\"] == 185 and v[\"clause\"] == \"SOFTMAX\", v
assert v[\"cell\"].startswith(\"dx[\") and set(v[\"inputs\"]) == {\"dy\", \"y\"}, v
assert sum(b - a + 1 for a, b in v[\"wrong_cells\"][\"dx\"]) == v[\"wrong\"], v
assert v[\"pattern\"][\"wrong\"] == v[\"wrong\"] and v[\"hints\"] is not None, v
assert v[\"text\"] == open(\"wrong.txt\").read(), v"' sh "$cotangent"
ok "wrong cells as bytes in files, and not in the object" sh -c '
mkdir marks && "$1" judge data --format json --marks marks > marked.json
[ $? = 1 ] && /usr/bin/python3 -c "
import json
v, w = json.load(open(\"wrong.json\")), json.load(open(\"marked.json\"))
marks = open(\"marks/dx.marks\", \"rb\").read()
runs = v.pop(\"wrong_cells\")[\"dx\"]
assert v == w and len(marks) == 185, w
assert [i for i in range(185) if marks[i]] == [i for a, b in runs for i in range(a, b + 1)], runs"' sh "$cotangent"
says "goes with --format json" "--marks alone is refused" "$cotangent" judge data --marks marks
says "nowhere/dx.marks" "a directory for marks that is not there" "$cotangent" judge data --format json --marks nowhere
says "expected text or json" "another format is refused" "$cotangent" judge max --format xml

# ---- wrong results are explained: wrong TEXT NAME COMMAND...
wrong() {
    text=$1
    shift
    exits 1 "$@"
    grep -qF -e "$text" "$output"
    result $? "and says: $text"
}
cp mul/da.npy mul/spare.npy
cp mul/db.npy mul/da.npy
cp mul/spare.npy mul/db.npy
wrong "it is right with da and db exchanged" "da and db exchanged" "$cotangent" judge mul
"$cotangent" emit --case softmax/f64/4x4/1/contig/uniform/1 --dir axis > "$output"
"$cotangent" run softmax --dy axis/dy.npy --y axis/y.npy --axis 0 --dx axis/dx.npy
wrong "it is right along axis 0, and axis 1 was asked for" "another axis" "$cotangent" judge axis
wrong "error/bound" "the same by files" "$cotangent" judge softmax --dy axis/dy.npy --y axis/y.npy --dx axis/dx.npy
ok "and right by files along axis 0" "$cotangent" judge softmax --dy axis/dy.npy --y axis/y.npy --axis 0 \
    --dx axis/dx.npy
"$cotangent" emit --case cumsum/f32/9/0/contig/uniform/1 --dir direction > "$output"
"$cotangent" run cumsum --dy direction/dy.npy --reverse --dx direction/dx.npy
wrong "it is right for a forward scan that ran from the end" "another direction" "$cotangent" judge direction
wrong "SCAN-REVERSE: reverse turns the whole definition round" "and its clause" "$cotangent" judge direction
wrong "all 9 cells are wrong" "and where they lie" "$cotangent" judge direction
"$cotangent" emit --case var/f32/3x8/1/contig/uniform/1 --dir correction > "$output"
"$cotangent" run var --dy correction/dy.npy --x correction/x.npy --correction 1 --dx correction/dx.npy
wrong "it is right with correction 1, and 0 was asked for" "another correction" "$cotangent" judge correction
"$cotangent" emit --case max/f32/5x37/1/contig/ties/1 --dir ties > "$output"
"$cotangent" run max --dy ties/dy.npy --x ties/x.npy --policy ties=split --dx ties/dx.npy
wrong "right for PyTorch and JAX (ties=split)" "another policy" "$cotangent" judge ties
wrong_cells=$(sed -n 's/^WRONG: \([0-9]* of [0-9]* cells\).*/\1/p' "$output")
[ "$(sed -n 1p "$output")" = "differs from the spec in $wrong_cells; \
right for PyTorch and JAX (ties=split)" ]
result $? "and that comes first"
says "right: 185 cells" "under its own convention it is right" "$cotangent" judge ties --convention torch
says "right: 185 cells" "and under that policy" "$cotangent" judge ties --policy ties=split
"$cotangent" run sub --dy ties/dy.npy --da ties/plus.npy --db ties/minus.npy
set -- max --dy ties/minus.npy --x ties/x.npy # losers take -0 of it in PyTorch and JAX
"$cotangent" run "$@" --convention torch --dx ties/theirs.npy
wrong "right for PyTorch and JAX (ties=split, losers=line_product or product)" \
    "several policies at once, as frameworks have them: only those that matter" \
    "$cotangent" judge "$@" --dx ties/theirs.npy
"$cotangent" run "$@" --policy losers=product --dx ties/theirs.npy
wrong "right for PyTorch and JAX (losers=line_product or product)" "one that they call by two names" \
    "$cotangent" judge "$@" --dx ties/theirs.npy
"$cotangent" run "$@" --policy ties=last --dx ties/theirs.npy
wrong "it is right under the policy ties=last" "one that no framework has" "$cotangent" judge "$@" --dx ties/theirs.npy
"$cotangent" run "$@" --dx ties/ours.npy
wrong "it is right under the convention spec" "the spec's own, where a framework's was asked for" \
    "$cotangent" judge "$@" --convention torch --dx ties/ours.npy
"$cotangent" emit --case maximum/f32/5x37/-/contig/nan/1 --dir pairs > "$output"
"$cotangent" run maximum --dy pairs/dy.npy --a pairs/a.npy --b pairs/b.npy --convention jax --da pairs/da.npy \
    --db pairs/db.npy
wrong "right for JAX (pair_nan=neither, losers=product)" "what only one of them does" "$cotangent" judge pairs
"$cotangent" run mul --dy ties/x.npy --a ties/x.npy --b ties/x.npy --da zero.npy
"$cotangent" run lerp --param nan --dy ties/x.npy --da ties/dx.npy
wrong "every cell of dx is NaN: was it written?" "NaN everywhere" "$cotangent" judge ties

# ---- cells that nobody can judge are said first, and are not right
"$cotangent" emit --case logcumsumexp/f32/64/0/contig/wide/1 --dir foreign > "$output"
set -- logcumsumexp --dy foreign/dy.npy --x foreign/x.npy --y foreign/x.npy # no forward scan gives such a y
ok "a y that the forward operation does not give" "$cotangent" run "$@" --dx foreign/dx.npy
exits 4 "leaves cells without a ruling: exit status 4" "$cotangent" judge "$@" --dx foreign/dx.npy
head -1 "$output" | grep -q "cells of logcumsumexp's gradient were NOT judged:"
result $? "that is said first"
grep -q "y is not what the forward operation gives (LCSE-INF)" "$output"
result $? "with their reason and its clause"
exits 0 "a share of them can be accepted" "$cotangent" judge "$@" --dx foreign/dx.npy --accept-unjudged 100%
exits 4 "and no more than it" "$cotangent" judge "$@" --dx foreign/dx.npy --accept-unjudged 0.001
refused_share() { exits 2 "a share of $1 is none" "$cotangent" judge max --accept-unjudged "$1"; }
refused_share 2
refused_share -1
refused_share many

# ---- long lines of nothing: WRONG, and soon
# soon FILE: what `times` says of its children, user and system, is less than five seconds. Sanitizers take longer.
soon() {
    [ -z "$SANITIZE" ] || { skip "in less than 5 s" "sanitizers take longer" && return; }
    sed -n 2p "$1" | awk -F '[ms ]+' '{ spent = 60 * $1 + $2 + 60 * $3 + $4 } END { exit !(NF >= 4 && spent < 5) }'
    result $? "in less than 5 s of a processor"
}

# monotonous OP BYTE: lines whose gradient is 0, or one number, in every cell; `times` gives the seconds of CPU.
monotonous() {
    "$cotangent" emit --case "$1/f32/4x393216/1/contig/uniform/1" --dir "$1.long" > "$output"
    like=$1.long/x.npy
    [ -e "$like" ] || like=$1.long/dy.npy
    head -c 128 "$like" > "$1.long/dx.npy"
    head -c $((4 * 4 * 393216)) /dev/zero | tr '\000' "\\$2" >> "$1.long/dx.npy"
    sh -c 'ulimit -t 30; "$1" judge "$2" > "$2.said"; echo $? > "$2.status"; times > "$2.times"' sh \
        "$cotangent" "$1.long"
    [ "$(cat "$1.long.status")" = 1 ] && grep -q "^WRONG: [0-9]* of 1572864 cells of $1's gradient" "$1.long.said"
    result $? "$1: 4 x 393,216 cells of byte $2 are WRONG (user and system $(sed -n 2p "$1.long.times"))"
    soon "$1.long.times"
    rm -rf "$1.long"
}
monotonous softmax 000
monotonous cumsum 102
monotonous var 000
if [ "$long" = --long ]; then
    monotonous softmax 102
    monotonous cumsum 000
    monotonous var 102
fi

# ---- a line of 2^24 cells is judged whole
if [ "$long" = --long ]; then
    for op in cumsum softmax var logcumsumexp; do
        ok "emit $op of 2^24" "$cotangent" emit --case "$op/f32/16777216/0/contig/uniform/1" --dir endless
        ok "run it" solve endless
        sh -c '"$1" judge endless > endless.said; echo $? > endless.status; times > endless.times' sh "$cotangent"
        [ "$(cat endless.status)" = 0 ] && grep -q "^right: 16777216 cells" endless.said
        result $? "a line of 2^24 is judged whole (user and system $(sed -n 2p endless.times))"
        rm -rf endless
    done
fi

# ---- what cannot be judged: refused TEXT ARGUMENTS...
refused() {
    text=$1
    shift
    exits 2 "refused: $*" "$cotangent" "$@"
    grep -qF -e "$text" "$output"
    result $? "and says: $text"
}
rm ties/dx.npy
refused "ties/dx.npy is missing: save dx there (f32, shape (5, 37))" judge ties
cp ties/dy.npy ties/dx.npy
refused "ties/dx.npy (--dx): its shape is (5, 1), expected (5, 37)" judge ties
cp axis/dx.npy ties/dx.npy
refused "ties/dx.npy (--dx): it holds '<f8', expected f32" judge ties
echo text > ties/dx.npy
refused "not a .npy file" judge ties
head -c 200 axis/dx.npy > axis/short.npy
mv axis/short.npy axis/dx.npy
refused "it ends too soon" judge axis
cp direction/dx.npy direction/dy.npy
refused "direction/dy.npy is not what emit wrote" judge direction
refused "it cannot be read: No such file" judge nothing/
mkdir bogus sum
refused "bogus has no case.json" judge bogus
cd bogus || exit 1
refused ". has no case.json" judge .
cd ..
refused "sum needs dy" judge sum --dx empty/dx.npy
refused "there is no convention \"tensorflow\"" judge ties --convention tensorflow
for option in "--axis 0" --reverse "--correction 1" "--param 2" "--dtype f32" "--shape 5x37" "--dy ties/dy.npy"; do
    refused "${option%% *} goes with an op: ties is a directory" judge ties $option
done
echo '{}' > correction/case.json
refused 'it holds no "id"' judge correction
echo '{"id": "max/f32"}' > correction/case.json
refused "expected op/dtype/shape/axis" judge correction
refused "is no result of this case" emit --case mul/f32/3/-/contig/uniform/1 --dir mul
refused "emit needs --case ID" emit --dir here
refused "emit needs --dir DIRECTORY" emit --case mul/f32/3/-/contig/uniform/1
refused "must be refused" emit --case mul/f32/4x6/-/contig/uniform/1,bad=short.a --dir here
refused "judge needs an op" judge
refused 'did you mean "max"' judge maxx
refused "what is judged is da and db: give --db FILE" judge mul --dy empty/dy.npy --a empty/dy.npy --b empty/dy.npy \
    --da empty/dy.npy
refused "sum has no da: its gradient is dx" judge sum --dy empty/dy.npy --dx empty/dx.npy --da empty/dx.npy
exits 1 "a directory that cannot be made" "$cotangent" emit --case mul/f32/3/-/contig/uniform/1 --dir nowhere/at/all
done_testing
