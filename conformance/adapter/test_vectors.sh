#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# What PyTorch and JAX returned, 5,814 calls: reproduced under their conventions but for the list, with the
# same bits from the reference and the CUDA kernels.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
here=$srcdir/conformance/adapter
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "replay" "no MPFR in this build"
    done_testing
fi
replay() { "$cotangent" replay "$here/vectors.jsonl" --known "$here/artefacts.txt" --emit "$work/$1" --backend "$@"; }

ok "every vector on the reference, but for the list" replay ref
grep -qE '^all +5814 +[0-9]+ +[0-9]+ +[0-9]+ +0 +0 +0$' "$output"
result $? "and all of them were run"
grep -v '^centred jax' "$here/artefacts.txt" > "$work/short"
exits 1 "a list without its rows does not do" "$cotangent" replay "$here/vectors.jsonl" --known "$work/short"
exits 1 "nor does none" "$cotangent" replay "$here/vectors.jsonl"
if replay cuda > "$output" 2>&1; [ $? != 3 ]; then
    grep -qE '^all +5814 +[0-9]+ +[0-9]+ +[0-9]+ +0 +0 +0$' "$output"
    result $? "every vector on the CUDA kernels"
    ok "with the reference's bits" cmp "$work/ref" "$work/cuda"
else
    skip "every vector on the CUDA kernels" "they are not built"
fi

if "$cotangent" check --backend wasm --case sum/f32/4/0/contig/uniform/1 > /dev/null 2>&1; then
    replay wasm > "$output" 2>&1
    grep -qE '^all +5814 +[0-9]+ +[0-9]+ +[0-9]+ +0 +0 +0$' "$output"
    result $? "every vector in WebAssembly"
    ok "with the reference's bits too" cmp "$work/ref" "$work/wasm"
else
    skip "every vector in WebAssembly" "it is not built"
fi

# ---- regenerating: the same calls, in the same lines
# The list is that of PyTorch 2.15 and JAX 0.10. An older version agrees with them in f32 and f64, but for atan2(0, 0).
comparable() {
    case $1 in
    torch\ 2.15* | jax\ 0.10*) cat ;;
    *) grep -E '"dtype":"f(32|64)"' | grep -v '"op":"atan2"' ;;
    esac
}
python=${COTANGENT_PYTHON:-/usr/bin/python3}
for framework in torch jax; do
    if "$python" -c "import $framework" 2> /dev/null; then
        grep "\"convention\":\"$framework\"" "$here/vectors.jsonl" | awk 'NR % 40 == 1' > "$work/some"
        "$python" -B "$here/vectors.py" $framework "$work/some" > "$work/once" 2> /dev/null
        "$python" -B "$here/vectors.py" $framework "$work/once" > "$work/twice" 2> /dev/null
        ok "$framework's vectors anew are the same each time" cmp "$work/once" "$work/twice"
        version=$("$python" -c "import $framework; print($framework.__version__)" 2> /dev/null)
        comparable "$framework $version" < "$work/once" > "$work/new"
        cat "$work/some" "$work/new" > "$work/both"
        "$cotangent" replay "$work/both" --known "$here/artefacts.txt" > "$output" 2>&1
        test -s "$work/new" && grep -qE '^all .* 0 +0 +0$' "$output"
        result $? "and $(wc -l < "$work/new") of $(wc -l < "$work/once") by $version differ nowhere from the list"
    else
        skip "$framework's vectors anew" "$framework is not installed"
    fi
done
done_testing
