#!/bin/sh
# WebAssembly under node against the host's baseline loops, one thread each, in turns: the ratio of the best times. Run
# by make wasm-bench.
: "${builddir:=.}"
old=$(node --help 2> /dev/null | grep -q experimental-fetch && echo --no-experimental-fetch)
for _ in 1 2 3; do
    "$builddir/bench/wasm_speed" | sed 's/^/native /'
    node $old "$builddir/web/speed-simd.js" | sed 's/^/wasm /'
    node $old "$builddir/web/speed-scalar.js" | sed 's/^/scalar /'
done | awk '
    { key = $1 " " $2; if (!(key in best) || $3 < best[key]) best[key] = $3 }
    !($2 in seen) { seen[$2] = 1; order[++n] = $2 }
    END {
        for (i = 1; i <= n; i++) {
            op = order[i]
            native = best["native " op]
            wasm = best["wasm " op]
            scalar = best["scalar " op]
            ratio = native / wasm
            printf "%-8s native %.2f ns/cell, WebAssembly %.2f (ratio %.2f)", op, native, wasm, ratio
            printf ", without SIMD %.2f (%.2f)\n", scalar, native / scalar
            if (ratio < 0.5) slow = 1
        }
        exit slow
    }'
