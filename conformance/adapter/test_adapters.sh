#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Adapters: NumPy's formulas are right, what an adapter does not do is said, and so is a framework that is not there.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
export COTANGENT_PYTHON=${COTANGENT_PYTHON:-/usr/bin/python3}

if "$COTANGENT_PYTHON" -c 'import numpy' 2> /dev/null; then
    # A part of the range: the spec's policies, and no line so long that Python takes seconds for it.
    "$cotangent" list --layout contig | grep -E '/[0-9]+(,(rev|corr|w)=[^,]*)*$' \
        | grep -v -E '/[0-9x]*[0-9]{4}[0-9x]*/' | awk 'NR % 59 == 1' > "$output.cases"
    ok "NumPy's gradients are right" "$cotangent" check --backend numpy --cases "$output.cases" --format text
    grep -q " [1-9][0-9][0-9] cases ok, 0 failed, [0-9]* s" "$output"
    result $? "in more than a hundred cases, and every one was done"
    says "only the policies of spec" "other policies are skipped, with the reason" \
        "$cotangent" check --backend numpy --case max/f32/5/0/contig/ties/1,conv=torch
    says "does not take x as it is laid out (strided)" "and so are layouts" \
        "$cotangent" check --backend numpy --case max/f32/4x5/0/transposed/ties/1
    set -- check --backend numpy --level X --case softmax/f32/3x300/1/contig/uniform/1
    exits 1 "its bits are not the spec's" "$cotangent" "$@"
    ok "but those of its own order of sums" "$cotangent" "$@" --against order:numpy
    ok "an op that heeds no policy is done under any" \
        "$cotangent" check --backend numpy --case sum/bf16/5/0/contig/uniform/1,conv=jax
    rm -f "$output.cases"
else
    skip "NumPy's gradients are right" "no numpy for $COTANGENT_PYTHON"
fi

for framework in torch jax; do
    if "$COTANGENT_PYTHON" -c "import $framework" 2> /dev/null; then
        ok "$framework's mul is right" "$cotangent" check --backend $framework --case mul/f32/5x37/-/contig/uniform/1
        says "only the policies of $framework" "its max under the spec is skipped" \
            "$cotangent" check --backend $framework --case max/f32/5/0/contig/ties/1
    else
        exits 3 "$framework, where it is not installed, cannot be used" "$cotangent" check --backend $framework
        says "COTANGENT_PYTHON names a Python that has it" "and what to do is said" \
            "$cotangent" check --backend $framework
    fi
done
COTANGENT_PYTHON=/nowhere/python3
exits 3 "nor can a Python that is not there" "$cotangent" check --backend numpy
done_testing
