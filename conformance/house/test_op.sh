#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016,SC2046,SC2086 # make check sets srcdir and builddir; lists of parts are split
# CONTRIBUTING's list for a new op is true: a copy of the tree with a toy op, made by that list alone, builds, and the
# suite judges it; where a part is left out, the build or the coverage says which op lacks what.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
toy=$srcdir/conformance/house/toy
edits=$toy/logaddexp.edits
parts="row clause numpy formula forward truth test mutant innocent"

give_up() {
    skip "a toy op" "$1"
    done_testing
}
command -v python3 > /dev/null || give_up "no python3"
[ -x "$srcdir/configure" ] || give_up "no configure in the source tree"
"$builddir/cotangent" check --case mul/f32/4/-/contig/uniform/1 > /dev/null 2>&1 || give_up "this build cannot judge"

echo "# by hand: $("$toy/add" --count "$edits")"
for part in $parts; do
    ok "CONTRIBUTING's list names the files of the part $part" sh -c '
        "$0/add" --files "$1" "$2" | while read -r file; do
            grep -qF "$file" "$3/CONTRIBUTING.md" || { echo "$file"; exit 1; }
        done' \
        "$toy" "$edits" "$part" "$srcdir"
done

# ---- the whole op
copy() {
    mkdir "$work/tree" && (cd "$srcdir" &&
        tar cf - --exclude=.libs --exclude='*.o' --exclude='*.lo' --exclude='*.la' --exclude=.deps \
        Makefile.am Makefile.in configure configure.ac config.h.in aclocal.m4 ./*.md LICENSE quickstart \
        m4 build-aux core backend_ref backend_cuda softgpu conformance web bench python doc) |
        (cd "$work/tree" && tar xf -) && chmod -R u+w "$work/tree"
}
quiet_make() {
    MAKEFLAGS='' MAKELEVEL='' make -j2 -C "$work/tree/build" "$@"
}

ok "a copy of the tree" copy
mkdir "$work/base" "$work/tree/build"
for file in $("$toy/add" --files "$edits" $parts); do
    mkdir -p "$work/base/$(dirname "$file")"
    cp "$work/tree/$file" "$work/base/$file"
done

# with PART...: the tree has these parts of the op; files that stay the same are not touched.
with() {
    rm -rf "$work/next" && cp -R "$work/base" "$work/next" && "$toy/add" "$edits" "$work/next" "$@" || return 1
    for file in $(cd "$work/next" && find . -type f); do
        cmp -s "$work/next/$file" "$work/made/$file" || cp "$work/next/$file" "$work/tree/$file"
    done
    rm -rf "$work/made" && mv "$work/next" "$work/made"
}
cp -R "$work/base" "$work/made"
ok "every part finds its place" with $parts
ok "configure" sh -c "cd '$work/tree/build' &&
    ../configure --enable-dev --without-cuda --without-emscripten --enable-werror CC='$CC' CFLAGS=-O0"
ok "the tables are made anew" quiet_make core/tables.stamp
ok "cotangent builds with logaddexp" quiet_make cotangent
cotangent=$work/tree/build/cotangent
exits 0 "check --op logaddexp" "$cotangent" check --op logaddexp --shard 1/12
echo "# $(grep -c '^ok .*/logaddexp/\|^ok .* logaddexp/' "$output") cases; $(tail -1 "$output" | sed 's/^# //')"
exits 0 "gradcheck logaddexp" "$cotangent" gradcheck logaddexp
says "LOGADDEXP-INF" "explain logaddexp names its clauses" "$cotangent" explain logaddexp
python3 - "$work" << 'END'
import struct, sys
def npy(name, values):
    header = "{'descr': '<f8', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    header += " " * (63 - (10 + len(header)) % 64) + "\n"
    data = struct.pack("<%dd" % len(values), *values)
    start = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header))
    open(f"{sys.argv[1]}/{name}.npy", "wb").write(start + header.encode() + data)
npy("dy", [3, 3]), npy("a", [1, 2]), npy("b", [1, 3])
END
ok "forward logaddexp" "$cotangent" forward logaddexp --a "$work/a.npy" --b "$work/b.npy" --y "$work/y.npy"
ok "run logaddexp" "$cotangent" run logaddexp --dy "$work/dy.npy" --a "$work/a.npy" --b "$work/b.npy" \
    --da "$work/da.npy" --db "$work/db.npy"
ok "with the right numbers" python3 -c '
import math, struct, sys
def read(name): return struct.unpack("<2d", open(f"{sys.argv[1]}/{name}.npy", "rb").read()[-16:])
near = lambda got, want: all(abs(g - w) < 1e-14 for g, w in zip(got, want))
e = math.e
assert near(read("y"), (1 + math.log(2), 2 + math.log(1 + e))), read("y")
assert near(read("da"), (1.5, 3 / (1 + e))) and near(read("db"), (1.5, 3 * e / (1 + e))), (read("da"), read("db"))' \
    "$work"
exits 1 "a mutant of it is caught" "$cotangent" check --backend mutant:logaddexp_exchanged \
    --case logaddexp/f32/5x37/-/contig/uniform/1
says "LOGADDEXP" "by its clause" "$cotangent" check --backend mutant:logaddexp_exchanged \
    --case logaddexp/f32/5x37/-/contig/uniform/1
exits 0 "its clauses have tests and mutants" "$cotangent" spec --coverage LOGADDEXP
exits 0 "an innocent is acquitted in it" "$cotangent" check --backend innocent:gpu --level D --op logaddexp \
    --dtype f32,f64 --shard 1/40
python=/usr/bin/python3
spec_parts=
if "$python" -c 'import numpy, gmpy2' 2> /dev/null; then
    spec_parts=numpy
    exits 0 "doc/spec.py has its bits" "$cotangent" check --backend "process:$python -B $work/tree/doc/spec.py" \
        --level X --timeout 300 --case logaddexp/f32/5x37/-/contig/uniform/1 --case logaddexp/f64/33/-/contig/nan/7
else
    skip "doc/spec.py has its bits" "no numpy and gmpy2 for $python"
fi
# The examples of the clauses whose ids begin with LOGADDEXP.
examples() {
    "$python" -B "$srcdir/conformance/clause/examples.py" "$cotangent" "$work/tree/doc/SPEC.md" LOGADDEXP
}
if [ -n "$spec_parts" ]; then
    exits 0 "its examples give what its clauses say" examples
    ok "an example for each of them" test "$(examples | grep -c '^ok .*LOGADDEXP.* has an example')" = 2
fi

# ---- parts left out. lacks PART TEXT COMMAND...: without this part the command fails, and what it says has TEXT. A
# command makes one file: what else has changed with the part before is of no interest to it.
lacks() {
    part=$1
    text=$2
    shift 2
    with $(echo $parts | sed "s/$part//") > "$output" 2>&1 && "$@" > "$output" 2>&1
    status=$?
    grep -F -e "$text" "$output" | head -2 | sed 's/^/# /'
    [ $status != 0 ] && grep -qF -e "$text" "$output"
    result $? "without its $part: $text"
}
object() { quiet_make "${1%/*}/$2_la-${1##*/}.lo"; } # SOURCE LIBRARY
coverage() {
    quiet_make cotangent > "$work/log" 2>&1 || { cat "$work/log"; return 0; }
    "$cotangent" spec --coverage LOGADDEXP
}
for part in $spec_parts; do lacks "$part" "KeyError: 'logaddexp'" examples; done
lacks mutant LOGADDEXP coverage
lacks test "LOGADDEXP has no cases" quiet_make conformance/clause/clauses.c
lacks clause "LOGADDEXP is no clause" quiet_make conformance/clause/clauses.c
lacks truth logaddexp_truth object conformance/truth/truth_wide libtruth
lacks forward logaddexp_forward object backend_ref/forward libref
lacks formula logaddexp_grad object backend_ref/kernels libref_baseline
lacks innocent logaddexp_cell object conformance/innocent/innocent_double libinnocent
done_testing
