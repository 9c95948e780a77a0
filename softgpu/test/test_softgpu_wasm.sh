#!/bin/sh
# A kernel under WebAssembly gives the same bits and the same counters as the native build.
: "${srcdir:=.}" "${builddir:=.}"
command -v emcc >/dev/null && command -v node >/dev/null || { echo "1..0 # SKIP no emcc or node"; exit 0; }
work=$(mktemp -d "${TMPDIR:-/tmp}/softgpu.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
sources=$(cd "$srcdir/softgpu" && find base ptx decode lanes exec check image api -name "*.c" ! -name "test_*" | sort)
flags="-std=gnu11 -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math -fopenmp-simd -D_GNU_SOURCE
    -Wno-unknown-pragmas -s ALLOW_MEMORY_GROWTH=1 -s SUPPORT_LONGJMP=1"
# Where the page has been built its own objects are what is linked here, all or none of them.
page=yes
objects=
for file in $sources; do
    object=$builddir/web/gpu/softgpu/${file%.c}.o
    [ -e "$object" ] || page=
    objects="$objects $object"
done
[ -z "$page" ] || sources=$objects
[ -n "$page" ] && echo "# the objects of the page" || echo "# compiled for this test"
(cd "$srcdir/softgpu" && NODE_PATH=${NODE_PATH:-/usr/share/nodejs} emcc $flags -I.. $sources test/test_softgpu_wasm.c \
    -o "$work/mix.js") > "$work/log" 2>&1 ||
    { sed 's/^/# /' "$work/log"; echo "not ok 1 - emcc builds the device"; echo "1..1"; exit 1; }
echo "ok 1 - emcc builds the device"
old=$(node --help 2>/dev/null | grep -q experimental-fetch && echo --no-experimental-fetch)
node $old "$work/mix.js" > "$work/wasm.txt" 2>&1
"$builddir/softgpu/test/test_softgpu_wasm" > "$work/native.txt"
sed -n 's/^/# /;1,2p' "$work/native.txt"
same="2 - the same bits, reports and counters under node"
if cmp -s "$work/wasm.txt" "$work/native.txt"; then
    echo "ok $same"
else
    diff "$work/wasm.txt" "$work/native.txt" | head -5 | sed 's/^/# /'
    echo "not ok $same"
fi
echo "1..2"
