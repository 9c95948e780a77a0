#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# Submissions: what is packed is verified, and what is wrong with it is found: numbers that do not add up, blocks that
# are missing or are not the reference's, archives made by somebody who means harm.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT
export OMP_NUM_THREADS=1

"$cotangent" check --case mul/f16/5x37/-/contig/uniform/1 --case add/f32/7/-/contig/uniform/1 --format json \
    > "$work/check.json"
"$cotangent" sweep div --dtype bf16 --dy 0.7 --range 16000-16003 --quiet --out "$work/div-bf16" > "$output"
ok "results and a sweep are packed" "$cotangent" submit "$work/check.json" "$work/div-bf16/" -o "$work/good.tar"
ok "they are sound" "$cotangent" verify "$work/good.tar"
says "recomputed: 8 blocks" "blocks were computed again" "$cotangent" verify "$work/good.tar"
says "cannot: that the numbers came from the hardware" "it says what it cannot prove" \
    "$cotangent" verify "$work/good.tar"
exits 1 "an archive is not written over" "$cotangent" submit "$work/check.json" -o "$work/good.tar"
ok "tar reads it" sh -c 'tar -tf "$0" | grep -qx sweeps/div-bf16/blocks-000000' "$work/good.tar"

# packed NAME PATH...: an archive of other results.
packed() {
    name=$1
    shift
    "$cotangent" submit "$@" -o "$work/$name.tar" > "$output" 2>&1
}

sed 's/"failed": 0, "waived"/"failed": 1, "waived"/' "$work/check.json" > "$work/sum.json"
packed sum "$work/sum.json"
says "says that it is good, and has failures" "a verdict against its numbers is found" \
    "$cotangent" verify "$work/sum.tar"
sed '0,/"cells": [0-9]*/s//"cells": 12/' "$work/check.json" > "$work/cells.json"
packed cells "$work/cells.json"
says "the rows' cells do not add up" "so are totals that are not the rows'" "$cotangent" verify "$work/cells.tar"
"$cotangent" sweep div --dtype bf16 --dy 0.7 --range 16000-16003 --blocks 1/2 --quiet --out "$work/half" > "$output"
packed half "$work/half"
says "blocks are missing: 16001, 16003" "and blocks that are missing" "$cotangent" verify "$work/half.tar"
"$cotangent" sweep div --dtype bf16 --dy 0.7 --backend mutant:none --range 16000-16000 --quiet \
    --out "$work/one" > "$output"
"$cotangent" sweep div --dtype bf16 --dy 0.9 --backend mutant:none --range 16000-16000 --quiet \
    --out "$work/two" > "$output"
packed one "$work/one"
ok "a sweep of one block is sound" "$cotangent" verify "$work/one.tar"
/usr/bin/env python3 - "$work/one/blocks-000000" "$work/two/blocks-000000" << 'END'
import sys


def digest(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


own, other = (open(path).read().split("\n") for path in sys.argv[1:])
words, lent = own[1].split(), other[1].split()
words[1] = lent[1]
line = " ".join(words[:-1])
open(sys.argv[1], "w").write(f"{own[0]}\n{line} {digest(line) >> 32:08x}\n")
END
packed forged "$work/one"
says "block 16000 has other bits than the reference" "a digest that was made up is found" \
    "$cotangent" verify "$work/forged.tar"

# ---- archives of somebody who means harm ----------------------------------------------------------

mkdir "$work/hostile" "$work/here"
ok "hostile archives are made" python3 "$srcdir/conformance/archive/hostile.py" "$work/good.tar" "$work/hostile"
cd "$work/here" || exit 1
ok "the same files, packed by another program, are sound" "$cotangent" verify "$work/hostile/same.tar"
for one in climbs absolute hidden link hard device twice cut behind bent noise empty; do
    exits 2 "$one: it is refused" "$cotangent" verify "$work/hostile/$one.tar"
done
for one in added left_out changed; do
    exits 1 "$one: it is no sound submission" "$cotangent" verify "$work/hostile/$one.tar"
done
ok "nothing was written" sh -c '[ -z "$(ls -A "$0/here")" ] && [ ! -e /tmp/climbed ] && [ ! -e "$0/climbed" ]' "$work"
done_testing
