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

# Pictures and links lead to files; the pictures are what the command prints, up to the numbers of the run.
for link in $(grep -oE '\]\([^)#]+' "$srcdir/README.md" | sed 's/^](//' | grep -v : | sort -u); do
    ok "README leads to $link" test -e "$srcdir/$link"
done
if command -v python3 > /dev/null; then
    PATH="$builddir:$PATH" python3 "$srcdir/conformance/house/terminal.py" cotangent check --backend \
        mutant:max_tie_split --op max --dtype f32 --shard 1/3 > "$work/failed.svg"
    texts() { sed -n 's/^<text[^>]*>//p' "$1" | grep -v ' ok, .* failed, ' | sed 's/<.*//'; }
    texts "$srcdir/doc/failed.svg" > "$work/kept"
    texts "$work/failed.svg" > "$work/made"
    ok "README's picture of a failure is what the command prints (make pictures)" diff "$work/kept" "$work/made"
    ok "no word of its command is broken in it" python3 - "$srcdir/doc/failed.svg" << 'END'
import re, sys
text = open(sys.argv[1]).read()
words = [set(line.split()) for line in re.findall(r"^<text[^>]*>([^<]*)<", text, re.M)]
command = re.search("<title>(.*)</title>", text)[1].split()
assert len(command) > 6 and all(any(word in line for line in words) for word in command), command
assert any({"--shard", "1/3"} <= line for line in words), "an option and its value are on one line"
END
    texts "$srcdir/doc/check.svg" > "$work/kept"
    for word in 'bits, and the worst error / bound' log_softmax bf16; do
        ok "and that of a check has its table: $word" grep -q "$word" "$work/kept"
    done
fi

# The shell examples, one after the other, in a directory with what they name; the Python ones by the system's own
# NumPy. What judges more than one case judges a part of it here: conformance/cmd/test_suite.sh does the rest.
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
    *' check '*' --op '*) ok "README: $line" sh -c "'$builddir'/${line#build/} --shard 2/40" ;;
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
