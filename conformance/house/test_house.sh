#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# The rules of the house hold, and each of them fails on a tree that breaks it.
. "$srcdir/conformance/tap/tap.sh"
house=$srcdir/conformance/house/house
tree=$(mktemp -d)
trap 'rm -rf "$tree" "$output"' EXIT

command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
for rule in rooms names words arithmetic flags sizes columns opens defaults version; do
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
    mkdir -p "$tree/core/formula" "$tree/backend_ref" "$tree/softgpu/base" "$tree/doc" "$tree/conformance/house" \
        "$tree/conformance/truth" "$tree/conformance/judge" "$tree/conformance/case"
    cp "$srcdir/configure.ac" "$srcdir/Makefile.am" "$tree"
    touch "$tree/core/local.mk" "$tree/core/internal.h" "$tree/core/cotangent.h" "$tree/core/formula/formula.inc" \
        "$tree/conformance/judge/judge.h"
    cp "$srcdir/conformance/house/rooms" "$tree/conformance/house"
    "$house" "$rule" "$tree" || { result 1 "$name (the good tree is not good)"; return; }
    printf '%s\n' "$4" >> "$tree/$file"
    not_ok "caught: $name" "$house" "$rule" "$tree"
}

for print in rooms matrix; do "$house" $print "$srcdir" > "$tree/$print"; done
ok "rooms that are in order are printed as their matrix" cmp "$tree/rooms" "$tree/matrix"

breaks rooms "core that sees the suite" core/a.c '#include "conformance/judge/judge.h"'
breaks rooms "the suite inside the core" conformance/case/a.c '#include "core/internal.h"'
breaks rooms "truth that shares a formula" conformance/truth/truth.c '#include "core/formula/formula.inc"'
breaks rooms "softgpu that knows of us" softgpu/base/a.c '#include "core/cotangent.h"'
breaks rooms "an edge against the grain" conformance/case/a.c '#include "conformance/judge/judge.h"'
breaks rooms "a file in no room" conformance/a.c 'int a;'
breaks rooms "an include through the parent" core/a.c '#include "../core/internal.h"'
breaks rooms "an include that no path leads to" core/formula/a.inc '#include "internal.h"'
breaks rooms "a table with a circle" conformance/house/rooms 'conformance/early | late | sees a row below it'
breaks rooms "a picture of another table" doc/rooms.svg '<svg></svg>'
breaks rooms "a room that nobody explains" ARCHITECTURE.md '| `core` | the interface |'
breaks names "two headers of one name in two rooms" backend_ref/internal.h '/* Another internal.h. */'
breaks names "a header and its like in a room below" core/formula/cotangent.h '/* Another cotangent.h. */'
breaks names "two parts of one name" conformance/truth/formula.inc '/* Another formula.inc. */'
breaks words "a glossary with a word of yesterday" ARCHITECTURE.md '## Our own words
| word | meaning |
| quonk | nobody says it |'
breaks arithmetic "libm in the core" core/a.c '#include <math.h>'
breaks arithmetic "a fused multiply-add" backend_ref/a.inc 'r = fmaf(a, b, c);'
breaks arithmetic "a sum in OpenMP's order" backend_ref/a.c '#pragma omp parallel for reduction(+ : sum)'
breaks arithmetic "a pragma for a flag" core/a.h '#pragma STDC FP_CONTRACT ON'
breaks flags "fast mathematics" core/local.mk 'libcotangent_la_CFLAGS = -ffast-math'
breaks flags "hardware FMA" core/local.mk 'libref_avx2_la_CFLAGS = -mavx2 -mfma'
breaks opens "a file that does not say what it is" core/b.c 'int b;'
breaks defaults "a man page with a riddle for a default" doc/a.1 "Seconds, 60 where it is left out."
breaks sizes "a function of 41 lines" core/a.c "void f(void)
{
$(yes '    f();' | head -41)
}"
breaks sizes "one in Python" doc/a.py "def f():
$(yes '    f()' | head -41)"
breaks sizes "one in JavaScript" doc/a.js "    g(() => {
$(yes '        f();' | head -41)
    });"
breaks sizes "a file of 501 lines" core/a.c "$(yes '/* */' | head -501)"
breaks sizes "a macro of six lines" core/a.h '#define A \
    1 \
    + 2 \
    + 3 \
    + 4 \
    + 5'

wide="$(printf '%0115d' 0)000000"
breaks columns "a line of 121 columns in C" core/a.c "/* $wide"
breaks columns "one in JavaScript" doc/a.js "// $wide"
breaks columns "one in Python" doc/a.py "# $wide"
breaks columns "one in HTML" doc/a.html "<p>$wide"
breaks columns "one in a style sheet" doc/a.css "/* $wide"
breaks columns "one in awk" doc/a.awk "# $wide"
breaks columns "one in a shell script without a suffix" doc/a "#!/bin/sh
# $wide"
breaks columns "one in a makefile, whose tabs count for eight" core/local.mk "	# $(printf '%0110d' 0)0"

sed 's/-ffp-contract=off//' "$srcdir/configure.ac" > "$tree/configure.ac"
not_ok "caught: a configure that lost a flag" "$house" flags "$tree"

# other_version FILE: a release in which this file says another version, or none, is caught.
other_version() {
    rm -rf "${tree:?}"/*
    (cd "$srcdir" && tar cf - configure.ac core/cotangent.h doc/*.1 python/*/pyproject.toml) | tar xf - -C "$tree"
    ok "the tree around $1 is of one version" "$house" version "$tree"
    sed -i '/COT_VERSION\|^\.TH\|^version/s/[0-9]*\.[0-9]*\.[0-9]*/0.0.9/' "$tree/$1"
    not_ok "caught: another version in $1" "$house" version "$tree"
    sed -i '/0\.0\.9/d' "$tree/$1"
    not_ok "caught: no version in $1" "$house" version "$tree"
}
other_version core/cotangent.h
other_version doc/cotangent.1
other_version doc/softgpu.1
other_version python/device/pyproject.toml
other_version python/suite/pyproject.toml
sed 's/softgpu==[0-9.]*/softgpu==0.0.9/' "$srcdir/python/suite/pyproject.toml" > "$tree/python/suite/pyproject.toml"
not_ok "caught: a suite that asks for another device" "$house" version "$tree"

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

# dialect KIND FILE TEXT: this tree is in the dialect, and one with such a file is not.
dialect() {
    rm -rf "${tree:?}"/*
    cp "$srcdir/.clang-format" "$tree"
    "$house_dialect" check "$tree" "$1" > "$output" 2>&1
    if [ $? = 77 ]; then
        skip "$1 is in the dialect" "$(cat "$output")"
        skip "caught: $1 that is not" "$(cat "$output")"
        return
    fi
    ok "$1 is in the dialect" "$house_dialect" check "$srcdir" "$1"
    printf '%s\n' "$3" > "$tree/$2"
    not_ok "caught: $1 that is not" "$house_dialect" check "$tree" "$1"
}
# lays_out KIND FILE TEXT: what is well said and badly laid out is caught, laid out anew, and then in the dialect.
lays_out() {
    rm -rf "${tree:?}"/*
    cp "$srcdir/.clang-format" "$tree"
    printf '%s\n' "$3" > "$tree/$2"
    "$house_dialect" check "$tree" "$1" > "$output" 2>&1
    if [ $? = 77 ]; then
        skip "$1 is laid out" "$(cat "$output")"
        return
    fi
    cp "$tree/$2" "$tree/before"
    ok "$1 is laid out" sh -c '! "$0" check "$1" "$2" && "$0" fix "$1" "$2" && "$0" check "$1" "$2" &&
        ! cmp -s "$1/$3" "$1/before"' "$house_dialect" "$tree" "$1" "$2"
}

house_dialect=$srcdir/conformance/house/dialect
dialect c a.c 'int   a;'
dialect javascript a.js 'function f() { return g; }'
dialect python a.py 'import os'
dialect shell a.sh '#!/bin/sh
a=1'
lays_out c a.c 'int   a;'
lays_out javascript a.js 'export const a = "a"'
lays_out python a.py "a = 'a'"
done_testing
