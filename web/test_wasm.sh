#!/bin/sh
# The reference under node, with SIMD and without, gives the host's bits: some of the suite's cases of every op and element type.
: "${srcdir:=.}" "${builddir:=.}"
[ -e "$builddir/web/bits-simd.js" ] && command -v node > /dev/null || { echo "1..0 # SKIP this build has no WebAssembly, or there is no node"; exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/wasm.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
old=$(node --help 2> /dev/null | grep -q experimental-fetch && echo --no-experimental-fetch)
"$builddir/web/native_bits" > "$work/native"
number=0
for kind in simd scalar; do
    number=$((number + 1))
    node $old "$builddir/web/bits-$kind.js" > "$work/$kind" 2>&1
    if [ -s "$work/native" ] && cmp -s "$work/native" "$work/$kind"; then echo "ok $number - $kind: $(wc -l < "$work/native") cases have the host's bits"
    else diff "$work/native" "$work/$kind" | head -5 | sed 's/^/# /'; echo "not ok $number - $kind: the host's bits"; fi
done
echo "1..$number"
