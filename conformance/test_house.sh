#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# The rules of the house hold, and each of them fails on a tree that breaks it.
. "$srcdir/conformance/tap.sh"
house=$srcdir/conformance/house
tree=$(mktemp -d)
trap 'rm -rf "$tree" "$output"' EXIT

for rule in includes arithmetic flags sizes; do
    ok "this tree keeps the rule on $rule" "$house" $rule "$srcdir"
done
ok "the tables in the header and the documents are up to date" "$srcdir/core/tables" --check
if command -v objdump > /dev/null; then
    ok "the library holds no fused multiply-add" "$house" objects "$builddir/.libs/libcotangent.a"
else
    skip "the library holds no fused multiply-add" "no objdump"
fi

# breaks RULE NAME FILE TEXT...: a tree that differs from a good one in this line breaks the rule.
breaks() {
    rule=$1
    name=$2
    file=$3
    rm -rf "${tree:?}"/*
    mkdir -p "$tree/core" "$tree/backend_ref" "$tree/softgpu" "$tree/conformance"
    cp "$srcdir/configure.ac" "$srcdir/Makefile.am" "$tree"
    touch "$tree/core/local.mk" "$tree/core/internal.h" "$tree/core/cotangent.h" "$tree/core/formula.inc" "$tree/conformance/judge.h"
    "$house" "$rule" "$tree" || { result 1 "$name (the good tree is not good)"; return; }
    printf '%s\n' "$4" >> "$tree/$file"
    not_ok "caught: $name" "$house" "$rule" "$tree"
}

breaks includes "core that sees the suite" core/a.c '#include "judge.h"'
breaks includes "the suite inside the core" conformance/a.c '#include "internal.h"'
breaks includes "truth that shares a formula" conformance/truth.c '#include "formula.inc"'
breaks includes "softgpu that knows of us" softgpu/a.c '#include "cotangent.h"'
breaks arithmetic "libm in the core" core/a.c '#include <math.h>'
breaks arithmetic "a fused multiply-add" backend_ref/a.inc 'r = fmaf(a, b, c);'
breaks arithmetic "a sum in OpenMP's order" backend_ref/a.c '#pragma omp parallel for reduction(+ : sum)'
breaks arithmetic "a pragma for a flag" core/a.h '#pragma STDC FP_CONTRACT ON'
breaks flags "fast mathematics" core/local.mk 'libcotangent_la_CFLAGS = -ffast-math'
breaks flags "hardware FMA" core/local.mk 'libref_avx2_la_CFLAGS = -mavx2 -mfma'
breaks sizes "a function of 41 lines" core/a.c "void f(void)
{
$(yes '    f();' | head -41)
}"
breaks sizes "a file of 501 lines" core/a.c "$(yes '/* */' | head -501)"
breaks sizes "a macro of four lines" core/a.h '#define A \
    1 \
    + 2 \
    + 3'

sed 's/-ffp-contract=off//' "$srcdir/configure.ac" > "$tree/configure.ac"
not_ok "caught: a configure that lost a flag" "$house" flags "$tree"

# breaks_ptx NAME LINE
breaks_ptx() {
    printf '\tadd.rn.f32 %%f1, %%f2, %%f3;\n\tcvt.rn.f32.s32 %%f1, %%r1;\n\t// fma.rn.f32\n' > "$tree/a.ptx"
    "$house" ptx "$tree/a.ptx" || { result 1 "$1 (the good PTX is not good)"; return; }
    printf '%s\n' "$2" >> "$tree/a.ptx"
    not_ok "caught in PTX: $1" "$house" ptx "$tree/a.ptx"
}

breaks_ptx "an approximation" '	ex2.approx.f32 %f1, %f2;'
breaks_ptx "flushed subnormals" '	mul.rn.ftz.f32 %f1, %f2, %f3;'
breaks_ptx "a fused multiply-add" '	fma.rn.f64 %fd1, %fd2, %fd3, %fd4;'
breaks_ptx "a guarded one" '	@%p1 fma.rn.f32 %f1, %f2, %f3, %f4;'
breaks_ptx "a float cast to an integer" '	cvt.rzi.s32.f32 %r1, %f1;'
breaks_ptx "an addition that may be contracted" '	add.f32 %f1, %f2, %f3;'

# The flag does what it is there for: with hardware FMA allowed, only the flag keeps the product and the sum apart.
echo 'double f(double a, double b, double c) { return a * b + c; }' > "$tree/f.c"
if command -v objdump > /dev/null && $CC -O2 -mfma -c -o "$tree/f.o" "$tree/f.c" 2> /dev/null; then
    not_ok "caught in an object: what -mfma makes of a * b + c without our flags" "$house" objects "$tree/f.o"
    $CC -O2 -mfma -ffp-contract=off -c -o "$tree/f.o" "$tree/f.c"
    ok "-ffp-contract=off keeps a * b + c apart" "$house" objects "$tree/f.o"
else
    skip "caught in an object" "this is not x86-64"
    skip "-ffp-contract=off" "this is not x86-64"
fi
done_testing
