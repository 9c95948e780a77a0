#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016,SC2086 # make check sets srcdir and builddir
# README's C example compiles, runs, and prints what README says; its shell examples exit well.
. "$srcdir/conformance/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT

sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$work/example.c"
ok "README has a C example" test -s "$work/example.c"
ok "it compiles without a warning" $CC -std=c11 -Wall -Wextra -pedantic -Werror -I"$srcdir/core" -o "$work/example" "$work/example.c" \
    "$builddir/.libs/libcotangent.so" $SANITIZE -Wl,-rpath,"$builddir/.libs"
ok "it runs" "$work/example"
grep -A4 'and it prints$' "$srcdir/README.md" | sed -n '/^```$/,/^```$/p' | sed '/^```/d' > "$work/promised"
"$work/example" > "$work/printed" 2>&1
ok "and prints what README says" diff "$work/promised" "$work/printed"

grep '^build/cotangent ' "$srcdir/README.md" | sed 's/ *#.*//' > "$work/commands"
ok "README has shell examples" test -s "$work/commands"
while read -r line; do
    ok "README: $line" sh -c "'$builddir'/${line#build/}"
done < "$work/commands"
done_testing
