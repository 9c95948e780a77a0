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
says "judged again: samples/div-bf16/1600" "a block is there as the backend gave it, and is judged again" \
    "$cotangent" verify "$work/good.tar"
"$cotangent" sweep atan2 --dtype bf16 --backend innocent:wide --range 16000-16000 --quiet --out "$work/wide" > "$output"
"$cotangent" submit "$work/wide" -o "$work/wide.tar" > "$output"
says "judged again: samples/wide/16000" "so is that of a backend that claims a bound alone" \
    "$cotangent" verify "$work/wide.tar"
says "judged again: cells/check.json/2, " "so are the results of cases of a check" "$cotangent" verify "$work/good.tar"
says "370 cells, 0.9388" "as the judge did" "$cotangent" verify "$work/good.tar"
says "of the bound, the reference's bits" "where bits are claimed they are the reference's" \
    "$cotangent" verify "$work/good.tar"
says "and 2 cases, on the reference" "which has computed them again" "$cotangent" verify "$work/good.tar"
says "cells of a check that are not in it" "it says that other cells are not in it" "$cotangent" verify "$work/good.tar"
says "recomputed: sweeps/div-bf16, 4 of its 4 blocks" "each of a few blocks was computed again, once" \
    "$cotangent" verify "$work/good.tar"
says "recomputed: 4 blocks and 2 cases, on the reference" "as is said in the end" "$cotangent" verify "$work/good.tar"
says "recomputed: sweeps/div-bf16, 3 of its 4 blocks" "or as many as are asked for" \
    "$cotangent" verify --sample 3 "$work/good.tar"
says "read: sweeps/div-bf16, div bf16, backend ref on cpu" "it says what was swept" \
    "$cotangent" verify "$work/good.tar"
says "part: sweeps/div-bf16 is blocks 16000 to 16003 of 0 to 65535: not all pairs" "that these were not all pairs" \
    "$cotangent" verify "$work/good.tar"
says 'part: results/check.json is of chosen cases: { "cases": ["mul/f16/5x37/-/contig/uniform/1", "add' \
    "and which cases of a check were chosen" "$cotangent" verify "$work/good.tar"
says "0 problems in 1 result and 1 sweep, of which 2 are no more than a part: sound, as far as was said" \
    "the verdict does, too" "$cotangent" verify "$work/good.tar"
says "cannot: that the numbers came from the hardware" "it says what it cannot prove" \
    "$cotangent" verify "$work/good.tar"
mkdir "$work/room"
exits 1 "an archive is not written over" "$cotangent" submit "$work/check.json" -o "$work/good.tar"
not_ok "one for which there is no room is not written" \
    sh -c 'ulimit -f 8; exec "$0" submit "$1/check.json" "$1/div-bf16" -o "$1/room/large.tar"' "$cotangent" "$work"
says "it cannot be written: File too large" "as submit says" \
    sh -c 'ulimit -f 8; exec "$0" submit "$1/check.json" "$1/div-bf16" -o "$1/room/large.tar"' "$cotangent" "$work"
ok "not even in part" rmdir "$work/room"
ok "tar reads it" sh -c 'tar -tf "$0" | grep -qx sweeps/div-bf16/blocks-000000' "$work/good.tar"

# ---- sweeps of many nodes -------------------------------------------------------------------------

mkdir "$work/nodes"
for part in 1 2 3 4; do
    "$cotangent" sweep div --dtype bf16 --dy 0.7 --range 16000-16003 --blocks $part/4 --quiet \
        --out "$work/node$part" > "$output"
    for again in 0 1 2 3 4; do # some node did a block that another had done
        cp "$work/node$part/blocks-000000" "$work/nodes/blocks-0000$part$again"
    done
done
ok "a sweep of 20 files is packed" "$cotangent" submit "$work/nodes" -o "$work/nodes.tar"
ok "as one" sh -c '[ "$(tar -tf "$0" | grep -c "^sweeps/")" = 1 ]' "$work/nodes.tar"
ok "with the bytes of a sweep in one piece" sh -c 'tar -xOf "$0" sweeps/nodes/blocks-000000 > "$1/joined" &&
    tar -xOf "$2" sweeps/div-bf16/blocks-000000 | cmp - "$1/joined"' "$work/nodes.tar" "$work" "$work/good.tar"
ok "and is sound" "$cotangent" verify "$work/nodes.tar"
mkdir "$work/results"
(cd "$work/results" && seq -f '%g.json' 4095 | xargs touch)
says "an archive holds 4096 files" "more files than an archive holds are refused as such" sh -c \
    'cd "$1/results" && "$0" submit *.json -o "$1/many.tar"' "$cotangent" "$work"
ok "and none is written" test ! -e "$work/many.tar"

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
# Rows that were taken out, with totals that fit what is left.
cat > "$work/remove.py" << 'END'
import json
import sys

text = open(sys.argv[1]).read()
start = text.index('    { "op": "add"')
end = text.index('    { "op": "mul"')
gone, _ = json.JSONDecoder().raw_decode(text[start:].strip())
text = text[:start] + text[end:]
result = json.loads(text)
for key, was in list(result["totals"].items()):
    if isinstance(was, int) and key != "worst":
        text = text.replace(f'"{key}": {was}', f'"{key}": {was - gone[key]}', 1)
for key in ("coverage", "shapes"):
    was = {name: result[key][name] for name in ("promised", "judged")}
    less = 1 if key == "coverage" else 3
    of = ", ".join(f'"{name}": {count}' for name, count in was.items())
    text = text.replace(of, ", ".join(f'"{name}": {count - less}' for name, count in was.items()), 1)
open(sys.argv[2], "w").write(text.replace('"planned": 2', '"planned": 1', 1))
END
ok "a row is taken out of a result" python3 "$work/remove.py" "$work/check.json" "$work/removed.json"
ok "whose rows still make what it says" sh -c '"$0" merge "$1" | cmp - "$1"' "$cotangent" "$work/removed.json"
packed removed "$work/removed.json"
says "cases of add f32 were asked for, and 0 are there" "that it lacks cases is found" \
    "$cotangent" verify "$work/removed.tar"
sed 's/"edge_cells": 0/"edge_cells": 1/' "$work/check.json" > "$work/edges.json"
packed edges "$work/edges.json"
says "is not what its rows make of it" "so is a count that its rows do not have" "$cotangent" verify "$work/edges.tar"
sed 's/"spec": "./"spec": "-/' "$work/check.json" > "$work/spec.json"
packed spec "$work/spec.json"
says "is of another version or spec" "and a result of another spec" "$cotangent" verify "$work/spec.tar"
echo 'max/f16/* MAX-TIE 2999-12-31 known' > "$work/waivers"
"$cotangent" check --backend mutant:max_tie_split --op max --dtype f16 --generator ties --layout sliced --jobs 1 \
    --waivers "$work/waivers" --format json > "$work/waived.json"
packed waived "$work/waived.json" --waivers "$work/waivers"
says "cases of max/f16/*, MAX-TIE, until 2999-12-31: known" "waived failures are told" \
    "$cotangent" verify "$work/waived.tar"
packed unwaived "$work/waived.json"
says "the waiver of line 1 is in no file of waivers here" "and their waivers must be there" \
    "$cotangent" verify "$work/unwaived.tar"
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
says "block 16000 has other bits now than when it was swept" "submit notices, where the backend is there" \
    "$cotangent" submit "$work/one" -o "$work/forged.tar"
packed forged "$work/one" --no-samples
says "sweeps/one has no results with it" "that nothing can be judged again is said" \
    "$cotangent" verify "$work/forged.tar"
says "block 16000 has other bits than the reference" "a digest that was made up is found" \
    "$cotangent" verify "$work/forged.tar"

"$cotangent" check --case mul/f16/5x37/-/contig/uniform/1 --format json > "$work/mul.json"
packed mul "$work/mul.json"
"$cotangent" check --case softmax/f32/5x37/1/contig/uniform/1 --format json > "$work/softmax.json"
packed softmax "$work/softmax.json"
ok "a result of one case is sound" "$cotangent" verify "$work/mul.tar"

# The backend is opened again on the device that was asked for, whatever else the command line held.
cp "$builddir/conformance/fixture/plugin_wrong.so" "$work/my --device shut.so"
on_device() { # NAME OPTION...
    name=$1
    shift
    "$cotangent" check --backend "$work/my --device shut.so" --case max/f32/5x37/1/contig/ties/1 "$@" --format json \
        > "$work/$name.json"
    packed "$name" "$work/$name.json"
    grep '"device_option"' "$work/$name.json"
}
says '"device_option": "right"' "a result has the device that was asked for" on_device asked --device right
says "judged again: cells/asked.json/1" "on which cells are packed" "$cotangent" verify "$work/asked.tar"
says '"device_option": null' "or none" on_device default
says "judged again: cells/default.json/1" "and then those of the backend as it opens" \
    "$cotangent" verify "$work/default.tar"
on_right() { "$cotangent" sweep max --dtype f32 --backend "$work/my --device shut.so" --device right --sample 1 \
    --quiet --out "$work/right"; }
ok "a sweep on the device that was asked for" on_right
packed right "$work/right"
says "judged again: samples/right/0" "is sampled again" "$cotangent" verify "$work/right.tar"
sed -i.old 's/device_option=right/device_option=shut/' "$work/right/blocks-000000"
rm "$work/right/blocks-000000.old"
python3 "$srcdir/conformance/sweep/on_device.py" - "$work/right/blocks-000000"
says "right: its backend is not here, so no results are packed that could be judged again: the wrong backend" \
    "on that device, and on no other" "$cotangent" submit "$work/right" -o "$work/shut.tar"
"$cotangent" check --backend innocent:wide --case atan2/bf16/5x37/-/contig/uniform/1 --format json > "$work/claims.json"
packed claims "$work/claims.json"
says "atan2/bf16/5x37/-/contig/uniform/1, 370 cells" "cells of a backend that claims a bound alone are judged" \
    "$cotangent" verify "$work/claims.tar"
says "0 blocks and 0 cases, on the reference" "and not computed again" "$cotangent" verify "$work/claims.tar"
"$cotangent" sweep mul --dtype f32 --sample 1 --quiet --out "$work/sample" > "$output"
packed sample "$work/sample"
says "part: sweeps/sample is a sample of the 2^64 pairs of f32" "a sample is a part" \
    "$cotangent" verify "$work/sample.tar"
says "recomputed: 1 block and 0 cases, on the reference" "of which there is one block" \
    "$cotangent" verify "$work/sample.tar"
packed without "$work/mul.json" --no-samples
says "results/mul.json has no cells with it" "that no cells are there is said" "$cotangent" verify "$work/without.tar"
says "waived: cells/waived.json/" "results of a case whose failure is waived are told as such" \
    "$cotangent" verify "$work/waived.tar"

# Results of a block or of cases that were changed, with a manifest that fits them.
cat > "$work/change.py" << 'END'
"""usage: change.py OLD NEW PREFIX OFFSET BIT: of the first file whose name begins with PREFIX; OFFSET from its end."""

import io
import sys
import tarfile


def digest(data):
    value = 0xCBF29CE484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


tarfile.RECORDSIZE = tarfile.BLOCKSIZE
with tarfile.open(sys.argv[1]) as old, tarfile.open(sys.argv[2], "w", format=tarfile.USTAR_FORMAT) as new:
    files = [(one, old.extractfile(one).read()) for one in old.getmembers()]
    sample = next(at for at, (one, _) in enumerate(files) if one.name.startswith(sys.argv[3]))
    was, data = files[sample][1], bytearray(files[sample][1])
    if sys.argv[4] == "rename":
        data = data.replace(sys.argv[5].encode(), sys.argv[6].encode(), 1)
    else:
        data[-int(sys.argv[4])] ^= int(sys.argv[5])
    files[sample] = files[sample][0], bytes(data)
    for one, data in files:
        if one.name == "MANIFEST":
            line = b"%d %016x " % (len(was), digest(was))
            data = data.replace(line, b"%d %016x " % (len(files[sample][1]), digest(files[sample][1])))
        one.size = len(data)
        new.addfile(one, io.BytesIO(data))
END
# changed SAID NAME OLD PREFIX...: verify says it of an archive that was changed so.
changed() {
    said=$1 name=$2 old=$3
    shift 3
    python3 "$work/change.py" "$old" "$work/changed.tar" "$@" > "$output" 2>&1
    says "$said" "$name" "$cotangent" verify "$work/changed.tar"
    exits 1 "and it is no sound submission" "$cotangent" verify "$work/changed.tar"
}
changed "samples/wide/16000 is not what the line of block 16000 says" "results of a block are found by judging them" \
    "$work/wide.tar" samples/ 1001 1
changed "1: mul/f16/5x37/-/contig/uniform/1 breaks" "a case's cell that is far off breaks its bound" "$work/mul.tar" \
    cells/ 1 64
changed "has other bits than the reference in 1 cells" "one that is a unit off is not of the claimed bits" \
    "$work/softmax.tar" cells/ 4 1
changed "results/mul.json was not asked for mul/f16/5x37/-/contig/uniform/2" "results of another case are refused" \
    "$work/mul.tar" cells/ rename uniform/1 uniform/2
changed "is no results of a case" "and what is none" "$work/mul.tar" cells/ rename mul/f16 mul/f32
changed "is no results of a case" "or would be a large one" "$work/mul.tar" cells/ rename 5x37 32767x32767

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
