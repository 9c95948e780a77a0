#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2086 # make check sets srcdir and CC, which may have arguments
# What a family is stands in tables: one with a further operand and a second output, a weight and its gradient, is added
# to a copy of the core by rows alone, and the interface, validation, overlap and geometry follow.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
toy=$srcdir/conformance/house/toy

command -v python3 > /dev/null || { echo "1..0 # SKIP no python3"; exit 0; }
echo "# by hand: $("$toy/add" --count "$toy/norm.edits")"
for file in README.md doc/SPEC.md conformance/mutant/mutants.def; do # core/tables counts in them
    mkdir -p "$work/$(dirname "$file")"
    cp "$srcdir/$file" "$work/$file"
done
mkdir -p "$work/core/formula" "$work/core/math"
cp "$srcdir"/core/*.[ch] "$srcdir"/core/*.def "$srcdir/core/tables" "$work/core"
cp "$srcdir"/core/formula/*.h "$work/core/formula"
chmod -R u+w "$work"

ok "every row finds its place" "$toy/add" "$toy/norm.edits" "$work"
ok "the header is made anew" "$work/core/tables"
for word in 'COT_DW,' 'COT_NEEDS_W 64u' 'const cot_view \*dw; /\* its gradient \*/' 'COT_NORM ' 'COT_TOY_NORM'; do
    ok "it has $word" grep -q "$word" "$work/core/cotangent.h"
done
sources=
for file in fixture_norm family table error view lines validate overlap cells element; do
    sources="$sources $work/core/$file.c"
done
ok "the core compiles" $CC -std=gnu11 -Wall -Wextra -Werror $SANITIZE -I"$work" -I"$srcdir" -o "$work/norm" $sources -lm
ok "and takes the family's calls as its rows say" "$work/norm"
sed 's/^/# /' "$output"
done_testing
