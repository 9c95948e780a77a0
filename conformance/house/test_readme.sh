#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016,SC2086 # make check sets srcdir and builddir
# README's C example compiles, runs, and prints what README says; its shell examples exit well.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT

sed -n '/^```c$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$work/example.c"
ok "README has a C example" test -s "$work/example.c"
library="$builddir/.libs/libcotangent.so -Wl,-rpath,$builddir/.libs"
[ -e "$builddir/.libs/libcotangent.so" ] || library="$builddir/.libs/libcotangent.a -fopenmp -lm -ldl"
ok "it compiles without a warning" $CC -std=c11 -Wall -Wextra -pedantic -Werror -I"$srcdir/core" -o "$work/example" \
    "$work/example.c" $library $SANITIZE
ok "it runs" "$work/example"
grep -A4 'and it prints$' "$srcdir/README.md" | sed -n '/^```$/,/^```$/p' | sed '/^```/d' > "$work/promised"
"$work/example" > "$work/printed" 2>&1
ok "and prints what README says" diff "$work/promised" "$work/printed"

# The shell examples, one after the other, in a directory with what they name; the Python ones by the system's own
# NumPy.
sed -n '/^```python$/,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > "$work/mine.py"
grep -E '^(build/cotangent|python3) ' "$srcdir/README.md" | sed 's/ *#.*//' > "$work/commands"
ok "README has shell examples" test -s "$work/commands"
ok "and one in Python" grep -q 'import numpy' "$work/mine.py"
python=/usr/bin/python3
$python -c 'import numpy' 2> /dev/null || python=
cd "$work" || exit 1
while read -r line; do
    case $line in
    *'--backend cuda'*) "$builddir/cotangent" version | grep -q '^backends:.* cuda' ||
        { skip "README: $line" "no PTX compiler"; continue; } ;;
    *judge* | python3*) [ -n "$python" ] || { skip "README: $line" "no numpy for /usr/bin/python3"; continue; } ;;
    esac
    case $line in
    python3*) ok "README: $line" sh -c "$python ${line#python3 }" ;;
    *) ok "README: $line" sh -c "'$builddir'/${line#build/}" ;;
    esac
done < commands
if [ -n "$python" ]; then
    says "right: 185 cells of softmax's gradient" "README's gradient is right" "$builddir/cotangent" judge case
    sed -i 's/^dx = .*/dx = y * dy/' mine.py
    $python mine.py
    exits 1 "and its wrong one is wrong" "$builddir/cotangent" judge case
    cp "$output" said
    sed -n '/^WRONG: /,/^```$/p' "$srcdir/README.md" | sed '/^```/d' > promised
    ok "as README says" diff promised said
else
    skip "README's gradient is right" "no numpy for /usr/bin/python3"
fi
done_testing
