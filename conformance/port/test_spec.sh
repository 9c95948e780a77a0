#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# doc/spec.py, which is SPEC.md in NumPy: bit for bit with the reference through the protocol; and what SPEC.md does not
# say is found in it.
# usage: test_spec.sh [--long]. --long: the whole quick range, about an hour of one processor.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
python=/usr/bin/python3
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if ! "$python" -c 'import numpy, gmpy2' 2> /dev/null; then
    skip "doc/spec.py" "no numpy and gmpy2 for $python"
    done_testing
fi

# judged DIRECTORY ARGUMENT...: spec.py of that directory at level X; what it does not do counts as a failure.
judged() {
    directory=$1
    shift
    "$cotangent" check --backend "process:$python -B $directory/spec.py" --level X --timeout 300 --format tap "$@" \
        > "$work/report" 2>&1
    status=$?
    grep -E '^not ok|^  message|^# [0-9]+ cases' "$work/report" | tail -20
    return $status
}

# ---- the same bits
if [ "${1-}" = --long ]; then
    ok "doc/spec.py: the quick range at level X" judged "$srcdir/doc"
else # every 190th case, and long products
    "$cotangent" list | grep -v bad= | awk 'NR % 190 == 7' > "$work/cases"
    "$cotangent" list --op prod,cumprod --dtype f32,f64 --generator near1 | awk 'NR % 6 == 0' >> "$work/cases"
    ok "doc/spec.py: $(wc -l < "$work/cases") cases at level X" judged "$srcdir/doc" --cases "$work/cases"
fi
grep -E '^# [0-9]+ cases' "$work/report"
grep -q ' failed, 0 skipped;' "$work/report"
result $? "and none was left out"
grep -q ' cells=' "$work/report" && ! grep ' cells=' "$work/report" | grep -qv ' level=X '
result $? "at level X, every one"

# ---- appendix A and spec_math.py have the same numbers
hexadecimal() { grep -oE '0x1(\.[0-9a-f]+)?p-?[0-9]+' "$1" | sort -u; }
sed -n '/^# Appendix A/,$p' "$srcdir/doc/SPEC.md" > "$work/appendix"
[ "$(hexadecimal "$work/appendix")" = "$(hexadecimal "$srcdir/doc/spec_math.py")" ]
result $? "appendix A has the numbers of spec_math.py: $(hexadecimal "$work/appendix" | wc -l)"

# ---- A.13, which only a forward operation takes
"$python" -B - "$cotangent" "$work" "$srcdir/doc" << 'END'
import itertools, subprocess, sys
import numpy as np
sys.path.insert(0, sys.argv[3])
import spec_math
draw = np.random.default_rng(1)
powers = draw.integers(-1000, 1000, (2, 20000)) * draw.choice([0.01, 1], 20000)
a, b = draw.standard_normal((2, 20000)) * 2.0**powers
odd = np.array([0.0, -0.0, 1, -1, np.inf, -np.inf, np.nan, 5e-324, 1.7e308, -1e-310])
pairs = np.array(list(itertools.product(odd, odd)))
a, b = np.append(a, pairs[:, 0]), np.append(b, pairs[:, 1])
np.save(sys.argv[2] + "/a.npy", a), np.save(sys.argv[2] + "/b.npy", b)
files = [word for name in "aby" for word in ("--" + name, "%s/%s.npy" % (sys.argv[2], name))]
subprocess.run([sys.argv[1], "forward", "atan2", *files], check=True, stdout=subprocess.DEVNULL)
with np.errstate(all="ignore"):
    want = spec_math.atan2_64(a, b)
got = np.load(sys.argv[2] + "/y.npy")
same = (got == want) & (np.signbit(got) == np.signbit(want)) | np.isnan(got) & np.isnan(want)
for i in np.flatnonzero(~same)[:3]:
    print("#", a[i], b[i], got[i].hex(), want[i].hex())
sys.exit(not same.all())
END
result $? "A.13 has the bits of atan2 in binary64"

# ---- broken WHAT FROM TO ARGUMENT...: a change of the text, as a reader might misread it, is seen
broken() {
    what=$1 from=$2 to=$3
    shift 3
    rm -rf "$work/doc"
    mkdir "$work/doc"
    cp "$srcdir"/doc/spec*.py "$work/doc"
    chmod u+w "$work/doc/spec.py"
    FROM=$from TO=$to "$python" - "$work/doc/spec.py" << 'END'
import os, sys
text = open(sys.argv[1]).read()
assert text.count(os.environ["FROM"]) == 1, os.environ["FROM"]
open(sys.argv[1], "w").write(text.replace(os.environ["FROM"], os.environ["TO"]))
END
    result $? "$what: can be broken"
    exits 1 "$what: and is found out" judged "$work/doc" "$@"
    grep -qF "clause: ${what%%,*}" "$work/report"
    result $? "$what: by its clause"
}
broken "POLICY-ZEROS-PROD, the scan's state before the cell for its result at the cell before" \
    'products = scan(x, np.multiply, 1)
    return np.concatenate([np.ones_like(x[:1]), products[:-1]])' \
    'local = running(np.multiply, 1, blocks(x, 1), axis=2)
    e = running(np.multiply, 1, local[:, :, -1], axis=1)
    t = running(np.multiply, 1, e[:, -1], axis=0)
    return unblocked((t[:-1, None] * e[:, :-1])[:, :, None] * local[:, :, :-1], len(x))' \
    --case prod/f32/4097/0/contig/near1/480,zeros=exact
broken "FOLD-ORDER, lanes that are added to their neighbours" 'lanes[:, :s] + lanes[:, s : 2 * s]' \
    'lanes[:, ::2] + lanes[:, 1::2]' --case softmax/f32/5x37/1/contig/uniform/1
broken "SCAN-ORDER, T + (E + local)" 'add(add(t[:-1, None], e[:, :-1])[:, :, None], local)' \
    'add(t[:-1, None, None], add(e[:, :-1, None], local))' --case cumsum/f32/4097/0/contig/uniform/1
done_testing
