#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# Sweeps: parts that are put together have the bytes of one piece; nothing is lost or counted twice when a run is
# killed, a disk is full or two runs share a directory; a backend that is wrong for a handful of pairs is found.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX TEST_SHARD_INDEX CI_NODE_INDEX
export OMP_NUM_THREADS=1

# sweep DIR OPTION...: 64 blocks of mul, with what is in DIR.
sweep() {
    directory=$1
    shift
    "$cotangent" sweep mul --dtype f16 --dy 1.5 --range 15360-15423 --quiet --out "$work/$directory" "$@"
}

lines() { cat "$work/$1"/blocks-* | grep -c '^[0-9]'; }

# ---- one piece, and parts -----------------------------------------------------------------------

ok "a sweep of the reference in one piece" sweep whole
"$cotangent" merge --format json "$work/whole" > "$work/whole.json"
ok "its own report has the bytes of a merged one" sh -c '"$0" sweep mul --dtype f16 --dy 1.5 --range 15360-15423 \
    --quiet --out "$1/whole" --format json | cmp - "$1/whole.json"' "$cotangent" "$work"
says '"sweep": { "version": "' "it begins with the version" cat "$work/whole.json"
ok "all that was planned is done" grep -q '"planned": 64, "done": 64, "missing": ""' "$work/whole.json"
for parts in 1 2 7 64; do
    part=0
    while [ $part -lt $parts ]; do
        part=$((part + 1))
        sweep "parts$parts" --blocks $part/$parts > "$output" 2>&1
    done
    "$cotangent" merge --format json "$work/parts$parts" > "$work/parts$parts.json"
    ok "$parts parts in as many files have the bytes of one piece" sh -c \
        'cmp "$0/parts$1.json" "$0/whole.json" && [ $(ls "$0/parts$1" | wc -l) = $1 ]' "$work" $parts
done
cp -r "$work/parts7" "$work/scattered"
mkdir "$work/elsewhere"
mv "$work/scattered/blocks-000003" "$work/elsewhere"
ok "directories and files are merged alike" sh -c '"$0" merge --format json "$1/scattered" \
    "$1/elsewhere/blocks-000003" | cmp - "$1/whole.json"' "$cotangent" "$work"
exits 4 "a part that is missing is no good result" "$cotangent" merge "$work/scattered"
says "of 64 blocks are missing: 15361, 15368, 15375, 15382," "and its blocks are named" \
    "$cotangent" merge "$work/scattered"
before=$(lines whole)
ok "a sweep that is done is not done again" sweep whole
ok "so that no line came to it" test "$(lines whole)" = "$before"

# Without --quiet, the rate and the time that is left; once at the end, where no terminal is there to write over.
"$cotangent" sweep mul --dtype f16 --dy 1.5 --range 15360-15363 --out "$work/told" > "$output" 2> "$work/progress"
ok "a sweep says how fast it was, and that no time is left" grep -Eq \
    '^sweep mul f16: 4 of 4 blocks, [0-9]+\.[0-9] M pairs/s, 0 s left$' "$work/progress"

# results DIR: of each block what was found, without its number and the digests of the heading and the line.
results() { sed -n 's/^[0-9]* \(.*\) [0-9a-f]* [0-9a-f]*$/\1/p' "$work/$1"/blocks-*; }
"$cotangent" sweep div --dtype f16 --dy 1.5,-2 --range 80896-80897 --quiet --out "$work/second" > "$output"
"$cotangent" sweep div --dtype f16 --dy -2 --range 15360-15361 --quiet --out "$work/alone" > "$output"
results second > "$work/second.results"
results alone > "$work/alone.results"
ok "the second dy of a list has blocks of its own, behind those of the first" cmp "$work/second.results" \
    "$work/alone.results"
ok "with results of its own" sh -c '[ "$(wc -l < "$0")" = 2 ]' "$work/alone.results"

# ---- other places to run it -----------------------------------------------------------------------

# alike WHAT BACKEND OP TYPE OPTION...: the results are those of the reference.
alike() {
    what=$1 backend=$2 op=$3 type=$4
    shift 4
    rm -rf "$work/own" "$work/theirs"
    "$cotangent" sweep "$op" --dtype "$type" --quiet --out "$work/own" "$@" > "$output"
    "$cotangent" sweep "$op" --dtype "$type" --quiet --backend "$backend" --out "$work/theirs" "$@" > "$output" 2>&1
    results own | cut -d ' ' -f 1-3 > "$work/own.results" # what is within a bound hangs on the claim
    results theirs | cut -d ' ' -f 1-3 > "$work/theirs.results"
    ok "$what has the reference's digests, cells and edges of $op $type" sh -c \
        '[ -s "$0" ] && cmp "$0" "$1"' "$work/own.results" "$work/theirs.results"
}
alike "a plug-in" "$builddir/conformance/fixture/plugin_validates.so" mul f32 --sample 2
alike "another one" "$builddir/conformance/fixture/plugin_wrong.so" max f32 --sample 2
alike "a process behind a pipe" "process:'$cotangent' serve ref" softmax f16 --range 15360-15361

# ---- what must not be merged --------------------------------------------------------------------

cp -r "$work/whole" "$work/other"
sed -i.old '1s/version=[^ ]*/version=0.0.9/' "$work/other/blocks-000000"
says "is of another sweep: version=" "results of another version are refused" \
    "$cotangent" merge "$work/whole" "$work/other"
cp -r "$work/whole" "$work/respecified"
sed -i.old '1s/spec=[^ ]*/spec=0123456789abcdef/' "$work/respecified/blocks-000000"
says "is of another sweep: spec=0123456789abcdef" "results of another spec are refused" \
    "$cotangent" merge "$work/whole" "$work/respecified"
says "is of another sweep: op=mul, where the others have op=div" "a directory takes one sweep" \
    "$cotangent" sweep div --dtype f16 --dy 1.5 --range 15360-15423 --quiet --out "$work/whole"
says "64 blocks are there twice, with the same results" "what is there twice is named" \
    "$cotangent" merge --format json "$work/whole" "$work/parts2"
ok "and counted once" sh -c '"$0" merge --format json "$1/whole" "$1/parts2" 2> /dev/null | cmp - "$1/whole.json"' \
    "$cotangent" "$work"

# ---- other devices --------------------------------------------------------------------------------

on_device() { # DEVICE DIR FILE: a copy of the file, as that device would have written it
    mkdir -p "$work/$2"
    cp "$work/$3" "$work/$2"
    python3 "$srcdir/conformance/sweep/on_device.py" "$1" "$work/$2"/*
}
own=$(sed -n 's/.*"device": "\([^"]*\)".*/\1/p' "$work/whole.json")
says "cpu, " "a report has the device" echo "$own"
on_device "cpu, zeta" zeta parts2/blocks-000000
on_device "abacus" abacus parts2/blocks-000001
"$cotangent" merge --format json "$work/zeta" "$work/abacus" > "$work/mixed.json"
says '"device": "abacus; cpu, zeta"' "parts of two devices are one sweep, which names both" cat "$work/mixed.json"
ok "and nothing else of it differs" sh -c 'sed "s/abacus; cpu, zeta/$2/" "$0" | cmp - "$1"' "$work/mixed.json" \
    "$work/whole.json" "$own"
ok "in whatever order they come" sh -c '"$0" merge --format json "$1/abacus" "$1/zeta" | cmp - "$1/mixed.json"' \
    "$cotangent" "$work"
# beside FACTOR: the blocks once more, by a machine whose ratios are so many times as large.
beside() {
    rm -rf "$work/ratios"
    mkdir "$work/ratios"
    awk -v factor="$1" 'NR > 1 { $7 = sprintf("%.17g", $7 * factor) } { print }' "$work/whole/blocks-000000" \
        > "$work/ratios/blocks-000000"
    not_ok "ratios $1 times as large are others" cmp -s "$work/whole/blocks-000000" "$work/ratios/blocks-000000"
    python3 "$srcdir/conformance/sweep/on_device.py" "$own" "$work/ratios/blocks-000000"
}
beside 1.0000001
says "64 blocks are there twice, with the same results" "a ratio's last bits are the C library's" \
    "$cotangent" merge "$work/whole" "$work/ratios"
ok "and both orders make one report" sh -c '"$0" merge "$1/whole" "$1/ratios" > "$1/one" 2> "$1/said" &&
    "$0" merge "$1/ratios" "$1/whole" 2> "$1/said" | cmp - "$1/one"' "$cotangent" "$work"
beside 1.001
says "is there twice, with different results" "others are a difference" "$cotangent" merge "$work/whole" "$work/ratios"
on_device "cpu, zeta" begun parts2/blocks-000000
ok "a sweep that another device has begun goes on" sweep begun
says "device   $own; cpu, zeta" "and names both" "$cotangent" merge "$work/begun"
head -n 1 "$work/zeta/blocks-000000" > "$work/begun/blocks-000000"
says "device   $own" "a device without a block has no part in it" "$cotangent" merge "$work/begun"
bound() { # DIR BLOCK: a block of a backend that claims no bits
    "$cotangent" sweep atan2 --dtype bf16 --backend innocent:wide --quiet --range 16000-16001 --blocks "$2/2" \
        --out "$work/$1" > "$output" 2>&1
}
bound wide 1
bound wider 2
ok "two parts of a backend that claims a bound are one sweep" "$cotangent" merge "$work/wide" "$work/wider"
python3 "$srcdir/conformance/sweep/on_device.py" abacus "$work/wider/blocks-000000"
says "is of another sweep: device=abacus, where" "of two devices they are not" "$cotangent" merge "$work/wide" \
    "$work/wider"
plugin() { "$cotangent" sweep max --dtype f32 --backend "$builddir/conformance/fixture/plugin_wrong.so" --sample 2 \
    --quiet --out "$work/plugin" "$@"; }
ok "a plug-in on the device that was asked for" plugin --device right --blocks 1/2
says "is of another sweep: device_option=right, where the others have device_option=split" \
    "a sweep is on one device that was asked for" plugin --device split --blocks 2/2
says "is of another sweep: device_option=right, where the others have device=" "or on any" plugin --blocks 2/2
says "device_option right" "which its report has" "$cotangent" merge "$work/plugin"

cp -r "$work/whole" "$work/damaged"
sed -i.old '5s/131072/131071/' "$work/damaged/blocks-000000"
rm -f "$work"/*/*.old
says "a line is damaged" "a line that was changed is refused" "$cotangent" merge "$work/damaged"

# ---- runs that are stopped ----------------------------------------------------------------------

cp -r "$work/parts2" "$work/torn"
size=$(wc -c < "$work/torn/blocks-000001")
head -c $((size - 20)) "$work/torn/blocks-000001" > "$work/short"
mv "$work/short" "$work/torn/blocks-000001"
exits 4 "a line without its end is not there" "$cotangent" merge "$work/torn"
ok "and its block is done again" sweep torn
ok "to the same bytes" sh -c '"$0" merge --format json "$1/torn" | cmp - "$1/whole.json"' "$cotangent" "$work"

"$cotangent" sweep mul --dtype f16 --dy 1.5 --range 15360-15423 --quiet --out "$work/killed" \
    > "$output" 2>&1 & # not by the function, whose process would be killed instead
running=$!
tries=0
while [ $tries -lt 200 ] && ! grep -q '^15' "$work/killed/blocks-000000" 2> /dev/null; do
    sleep 0.02
    tries=$((tries + 1))
done
kill -9 $running 2> /dev/null
wait $running 2> /dev/null
ok "a run was killed when some blocks were done" test "$(lines killed)" -gt 0
ok "run again, it does the others" sweep killed
ok "nothing is lost, nothing is there twice" sh -c '"$0" merge --format json "$1/killed" 2> "$1/said" | cmp - \
    "$1/whole.json" && ! grep twice "$1/said"' "$cotangent" "$work"

# Killed again and again, each time after another while.
seed=${SWEEP_SEED:-$(date +%s)}
echo "# SWEEP_SEED=$seed"
kills=0
for pause in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 8; i++) printf "%.3f ", rand() * 0.08 }'); do
    "$cotangent" sweep mul --dtype f16 --dy 1.5 --range 15360-15423 --quiet --out "$work/again" > "$output" 2>&1 &
    running=$!
    sleep "$pause"
    kill -9 $running 2> /dev/null && kills=$((kills + 1))
    wait $running 2> /dev/null
done
ok "a run was killed at moments of no choice" test $kills -gt 0
ok "run to its end" sweep again
ok "it has lost nothing, and nothing twice" sh -c '"$0" merge --format json "$1/again" 2> "$1/said" | cmp - \
    "$1/whole.json" && ! grep twice "$1/said"' "$cotangent" "$work"

mkdir "$work/full"
exits 1 "a disk that is full ends a run" sh -c 'ulimit -f 4; exec "$0" sweep mul --dtype f16 --dy 1.5 --range \
    15360-15423 --quiet --out "$1/full"' "$cotangent" "$work"
ok "only whole lines are there" sh -c '[ -s "$0" ] && [ "$(tail -c 1 "$0" | wc -l)" = 1 ]' "$work/full/blocks-000000"
ok "with room again, it goes on" sweep full
ok "nothing is lost by it" sh -c '"$0" merge --format json "$1/full" | cmp - "$1/whole.json"' "$cotangent" "$work"

# A disk that is really full, of one page: the write itself fails in the middle of a line, and not by a limit.
mkdir "$work/disk"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=4k cotangent-test "$work/disk" 2> "$output"; then
    trap 'umount "$work/disk"; rm -rf "$output" "$work"' EXIT
    exits 1 "a disk without room ends a run" sweep disk/sweep
    says "No space left on device; what is finished is kept" "and the run says why" sweep disk/sweep
    ok "some blocks are done, and not all" sh -c '[ "$1" -gt 0 ] && [ "$1" -lt 64 ]' - "$(lines disk/sweep)"
    ok "only whole lines are on it" sh -c '[ "$(tail -c 1 "$0" | wc -l)" = 1 ]' "$work/disk/sweep/blocks-000000"
    merged='"$0" merge --format json "$1/whole" > "$1/disk/report"'
    not_ok "a report that has no room is no good result" sh -c "$merged" "$cotangent" "$work"
    says "No space left on device" "and merge says why" sh -c "$merged" "$cotangent" "$work"
    rm -f "$work/disk/report"
    mount -o remount,size=1m "$work/disk"
    ok "with more room, the sweep goes on" sweep disk/sweep
    ok "and is put together to the same bytes, on that disk too" sh -c '"$0" merge --format json "$1/disk/sweep" \
        > "$1/disk/report" && cmp "$1/disk/report" "$1/whole.json"' "$cotangent" "$work"
else
    skip "a disk without room" "this is not root, or may not mount"
fi

sweep both > "$work/one" 2>&1 &
running=$!
sweep both > "$work/two" 2>&1
wait $running
ok "two runs in one directory have the bytes of one" sh -c '"$0" merge --format json "$1/both" 2> /dev/null \
    | cmp - "$1/whole.json"' "$cotangent" "$work"

# ---- backends that are wrong for a handful of pairs -----------------------------------------------

# caught NAME OP TYPE BLOCK: in the block that holds them, and not in the next one.
caught() {
    exits 1 "mutant:$1 is found in $2 $3" "$cotangent" sweep "$2" --dtype "$3" --backend "mutant:$1" --quiet \
        --range "$4-$4" --out "$work/$1$3"
    ok "by a few cells" sh -c '"$0" merge "$1" | grep -E "^failed   [0-9]{1,2} cells, in 1 blocks"' "$cotangent" \
        "$work/$1$3"
}
caught rare_product mul f16 13653
caught rare_quotient div f16 15359
caught rare_tie maximum bf16 1
caught rare_power pow f16 15403
caught rare_hypot hypot bf16 32639
caught rare_ratio prod bf16 15487
caught rare_sum softmax f16 14677
says "the first dx(dy=0x3f80, x=0x3c7f, y=0x3c80) = " "a reduction's pair is named by x and y" \
    "$cotangent" merge "$work/rare_ratiobf16"
ok "the block beside it passes" "$cotangent" sweep mul --dtype f16 --backend mutant:rare_product --quiet \
    --range 13654-13654 --out "$work/beside"
ok "a right backend that claims no bits passes" "$cotangent" sweep atan2 --dtype bf16 --backend innocent:wide --quiet \
    --range 16000-16001 --out "$work/innocent"
for op in norm2 logsumexp softmax log_softmax; do
    ok "so it does over $op's lines" "$cotangent" sweep $op --dtype bf16 --backend innocent:wide --quiet \
        --range 16000-16001 --out "$work/innocent-$op"
done
for op in div prod softmax log_softmax; do
    ok "a sample of $op in f32" "$cotangent" sweep $op --dtype f32 --sample 2 --quiet --out "$work/sample-$op"
done
says "var is no operation on pairs" "an op whose cells hang on more than two numbers is refused" \
    "$cotangent" sweep var --dtype f16 --out "$work/var"

# Reductions have one result of a pair, softmax has those of a line of two: what is kept of them is judged again.
"$cotangent" sweep prod --dtype f16 --range 15360-15361 --quiet --out "$work/prod-f16" > "$output"
ok "lines of two are judged by their bound alone" "$cotangent" sweep softmax --dtype f16 --backend innocent:wide \
    --range 15360-15361 --quiet --out "$work/softmax-f16"
ok "both are packed" "$cotangent" submit "$work/prod-f16" "$work/softmax-f16" -o "$work/lines.tar"
says ", 65536 cells, 0 wrong" "a reduction's results are judged again" "$cotangent" verify "$work/lines.tar"
says ", 131072 cells, 0 wrong" "and softmax's" "$cotangent" verify "$work/lines.tar"
ok "both are sound" "$cotangent" verify "$work/lines.tar"

# ---- bits that are known ------------------------------------------------------------------------

table=$srcdir/conformance/sweep/digests.tsv
# known BACKEND ROWS: the rows of the table that match have these digests, cells and edges, and nothing failed.
known() {
    grep -E "$2" "$table" > "$work/rows"
    ok "$1: $(wc -l < "$work/rows") sweeps by sample have the digests that are written down" sh -c \
        '[ -s "$3/rows" ] && sh "$0" "$1" "$2" < "$3/rows" | diff "$3/rows" -' \
        "$srcdir/conformance/sweep/digests.sh" "$cotangent" "$1" "$work"
}
known ref .
if "$cotangent" version | grep -q '^backends:.* cuda'; then
    known cuda '^(div|pow|hypot|norm2|logsumexp|softmax).bf16'
else
    skip "cuda" "no PTX compiler"
fi
if "$cotangent" sweep add --dtype f16 --backend wasm --range 0-0 --out "$work/wasm" 2>&1 | grep -q 'not built'; then
    skip "wasm" "no emscripten"
else
    known wasm '^(atan2|pow|mul|prod|log_softmax).f16'
fi

# Whole sweeps, of which a part that the seed draws is computed again.
part=$((seed % 256 + 1))
number=$(wc -l < "$srcdir/conformance/sweep/whole.tsv")
for row in $((seed / 256 % number + 1)) $(((seed / 256 + number / 2) % number + 1)); do
    sed -n ${row}p "$srcdir/conformance/sweep/whole.tsv" > "$work/row"
    read -r op type dy cells edges failed worst digest < "$work/row"
    half=$(awk -v op="$op" -v type="$type" -v dy="$dy" -v part=$part '$1 == op && $2 == type && $3 == dy &&
        part >= $4 && part < $4 + 16 { print $(5 + part - $4) }' "$srcdir/conformance/sweep/parts.txt")
    says "\"digest\": \"${half:-none}" "part $part of 256 of $op $type has the digest of the whole sweep's" \
        "$cotangent" sweep "$op" --dtype "$type" --dy "$dy" --blocks $part/256 --quiet --out "$work/part-$op-$type" \
        --format json
    ok "and $op $type was whole, without a failure: $edges edges, $worst of the bound, $digest" \
        test "$cells $failed" = "8589934592 0"
done

# ---- schedulers ---------------------------------------------------------------------------------

says "part     3/7" "Slurm's array says which part" env SLURM_ARRAY_TASK_ID=12 SLURM_ARRAY_TASK_MIN=10 \
    SLURM_ARRAY_TASK_COUNT=7 "$cotangent" sweep mul --dtype f16 --range 0-6 --quiet --out "$work/slurm"
says "part     1/7" "so does an indexed job's" env JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=7 \
    "$cotangent" sweep mul --dtype f16 --range 0-6 --quiet --out "$work/slurm"
says "part     7/7" "and a test runner's" env TEST_SHARD_INDEX=6 TEST_TOTAL_SHARDS=7 \
    "$cotangent" sweep mul --dtype f16 --range 0-6 --quiet --out "$work/slurm"
says "part     2/7" "and a CI's" env CI_NODE_INDEX=2 CI_NODE_TOTAL=7 \
    "$cotangent" sweep mul --dtype f16 --range 0-6 --quiet --out "$work/slurm"
for index in JOB_COMPLETION_INDEX=3,JOB_COMPLETIONS TEST_SHARD_INDEX=3,TEST_TOTAL_SHARDS; do
    exits 2 "${index%,*} alone does not do all of it" env "${index%,*}" "$cotangent" sweep mul --dtype f16 \
        --range 0-6 --quiet --out "$work/lone"
    says "${index%,*} is set, ${index#*,} is not: set it to" "and says what to set" env "${index%,*}" "$cotangent" \
        check --case mul/f16/5x37/-/contig/uniform/1
done
ok "nothing was swept by it" test ! -e "$work/lone"
says "done     7 of 7 blocks" "a part that is given needs no count" env JOB_COMPLETION_INDEX=3 "$cotangent" \
    sweep mul --dtype f16 --range 0-6 --blocks 1/1 --quiet --out "$work/given"
ok "four parts of seven are there" test "$(lines slurm)" = 4
says "part     3/4" "an array may have a step" env SLURM_ARRAY_TASK_ID=14 SLURM_ARRAY_TASK_MIN=10 \
    SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4 "$cotangent" sweep mul --dtype f16 --range 0-6 --quiet \
    --out "$work/step"
says "none of 4 indices from 10 in steps of 2" "and an index beside its steps is refused" env SLURM_ARRAY_TASK_ID=13 \
    SLURM_ARRAY_TASK_MIN=10 SLURM_ARRAY_TASK_STEP=2 SLURM_ARRAY_TASK_COUNT=4 "$cotangent" sweep mul --dtype f16 \
    --range 0-6 --quiet --out "$work/step"
exits 2 "an index that is not one of so many is refused" env CI_NODE_INDEX=8 CI_NODE_TOTAL=7 "$cotangent" sweep mul \
    --dtype f16 --range 0-6 --quiet --out "$work/slurm"
ok "check takes its part from them too" sh -c '[ "$(CI_NODE_INDEX=2 CI_NODE_TOTAL=50 "$0" list --op sub)" = \
    "$("$0" list --op sub --shard 2/50)" ]' "$cotangent"
if parallel --version 2> /dev/null | grep -q GNU; then
    ok "GNU parallel runs eight parts" sh -c 'parallel -j 2 "$0" sweep mul --dtype f16 --dy 1.5 --range 15360-15423 \
        --quiet --out "$1/parallel" --blocks "{}/8" ::: 1 2 3 4 5 6 7 8' "$cotangent" "$work"
    ok "to the same bytes" sh -c '"$0" merge --format json "$1/parallel" | cmp - "$1/whole.json"' "$cotangent" "$work"
else
    skip "GNU parallel" "it is not installed"
fi
done_testing
