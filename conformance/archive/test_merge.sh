#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# Parts of a check, put together, have the very bytes of the whole run, failures and all; what does not belong together
# is refused, and what is missing is named.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
work=$(mktemp -d)
trap 'rm -rf "$output" "$work"' EXIT
unset SLURM_ARRAY_TASK_ID JOB_COMPLETION_INDEX TEST_SHARD_INDEX CI_NODE_INDEX
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "parts of a check" "no MPFR in this build"
    done_testing
fi

# parts NAME COUNT OPTION...: the run in so many parts, each a file NAME.COUNT.PART.
parts() {
    name=$1 count=$2 part=0
    shift 2
    while [ $part -lt "$count" ]; do
        part=$((part + 1))
        "$cotangent" check --jobs 1 "$@" --shard $part/"$count" --format json > "$work/$name.$count.$part" 2> "$output"
    done
}

# as_whole NAME COUNT: merged, in another order than that of the parts, they are the whole.
as_whole() {
    find "$work" -name "$1.$2.*" | sort -r | xargs "$cotangent" merge > "$work/$1.merged" 2> "$output"
    ok "$1 in $2 parts has the bytes of one piece" cmp "$work/$1.whole" "$work/$1.merged"
}

# ---- a run with failures of many causes ----------------------------------------------------------

echo 'mul/* ARITH-NAN 2999-12-31 known' > "$work/waivers"
bad="--backend mutant:nan_result_cleared --op sum,sub,mul,softmax,maximum --dtype f16 --layout sliced,offset \
--generator nan,nanall --waivers \
$work/waivers"
# shellcheck disable=SC2086 # words
"$cotangent" check --jobs 1 $bad --format json > "$work/bad.whole"
ok "a mutant fails for several causes, in several ops" sh -c '[ "$(grep -o "\"itself\"" "$0" | wc -l)" -lt \
    "$(grep -o "\"shrunk\"" "$0" | wc -l)" ] && [ "$(grep -o "\"clause\": \"[A-Z-]*" "$0" | sort -u | wc -l)" -gt 2 ]' \
    "$work/bad.whole"
ok "and one is waived" grep -q '"waived": [1-9]' "$work/bad.whole"
for count in 2 7; do
    # shellcheck disable=SC2086
    parts bad $count $bad
    as_whole bad $count
done
ok "parts shrink cases that the whole run does not" test "$(cat "$work"/bad.7.* | grep -o '"itself"' | wc -l)" -gt \
    "$(grep -o '"itself"' "$work/bad.whole" | wc -l)"
ok "one piece is a part too" sh -c '"$0" merge "$1" | cmp - "$1"' "$cotangent" "$work/bad.whole"
exits 1 "merged, a failed run is no good result" "$cotangent" merge "$work/bad.whole"

# ---- many machines -------------------------------------------------------------------------------

# on_two NAME: its two parts, one of which is of another device; merged, with what is said.
on_two() {
    sed 's/"device": "[^"]*"/"device": "abacus"/' "$work/$1.2.1" > "$work/$1.abacus"
    not_ok "$1: a part is of another device" cmp -s "$work/$1.2.1" "$work/$1.abacus"
    "$cotangent" merge "$work/$1.2.2" "$work/$1.abacus" > "$work/$1.mixed" 2> "$output.said"
}
bits='--op mul --dtype f16 --layout offset'
# shellcheck disable=SC2086 # words
"$cotangent" check --jobs 1 $bits --format json > "$work/bits.whole"
# shellcheck disable=SC2086
parts bits 2 $bits
as_whole bits 2
on_two bits
device=$(sed -n 's/.*"device": "\([^"]*\)".*/\1/p' "$work/bits.whole")
ok "bits of two devices are one result" grep -q "\"device\": \"abacus; $device\"" "$work/bits.mixed"
ok "and nothing else of it differs" sh -c 'sed "s/abacus; $2/$2/" "$0" | cmp - "$1"' "$work/bits.mixed" \
    "$work/bits.whole" "$device"
"$cotangent" submit "$work/bits.mixed" -o "$work/mixed.tar" > "$output"
ok "which is a sound submission" "$cotangent" verify "$work/mixed.tar"
bound='--backend innocent:wide --op atan2 --dtype bf16 --layout offset'
# shellcheck disable=SC2086
"$cotangent" check --jobs 1 $bound --format json > "$work/bound.whole"
# shellcheck disable=SC2086
parts bound 2 $bound
as_whole bound 2
on_two bound
said="abacus, where others were on a device without a name: the parts of one run are of one device unless all have"
says "$said the spec's bits" "a backend that claims less is on one device" cat "$output.said"
rm -f "$output.said"

# ---- many parts, coverage, cases by name ------------------------------------------------------------

many='--op add --dtype f16 --layout offset,sliced,broadcast'
# shellcheck disable=SC2086 # words
"$cotangent" check --jobs 1 $many --format json > "$work/many.whole"
# shellcheck disable=SC2086
parts many 64 $many
as_whole many 64
printf 'mul/f16/5x37/-/contig/uniform/1\nmax/f16/5x37/1/contig/ties/1\n' > "$work/cases"
"$cotangent" check --cases "$work/cases" --format json > "$work/named.whole"
parts named 2 --cases "$work/cases"
as_whole named 2

# ---- what must not be merged --------------------------------------------------------------------

exits 4 "a part that is missing is no result" "$cotangent" merge "$work/bad.7.1" "$work/bad.7.3" "$work/bad.7.4"
says "4 of 7 parts are missing: 2, 5-7" "and is named" "$cotangent" merge "$work/bad.7.1" "$work/bad.7.3" \
    "$work/bad.7.4"
says "1 parts are there twice, with the same results, such as 3" "so is one that is there twice" \
    "$cotangent" merge "$work/bad.7.3" "$work"/bad.7.*
# refused WHAT SED-SCRIPT WHY: the third part, changed, does not go with the others.
refused() {
    mkdir -p "$work/spoilt"
    cp "$work"/bad.7.* "$work/spoilt"
    sed "$2" "$work/bad.7.3" > "$work/spoilt/bad.7.3"
    not_ok "$1: the part was changed" cmp -s "$work/bad.7.3" "$work/spoilt/bad.7.3"
    says "$3" "$1: refused" "$cotangent" merge "$work"/spoilt/bad.7.*
}
refused "another version" 's/"version": "[^"]*"/"version": "0.0.9"/' 'its version is "0.0.9"'
refused "another spec" 's/"spec": "./"spec": "x/' 'its spec is "x'
refused "another selection" 's/"op": "sum,sub/"op": "div,sub/' 'its selection is { "op": "div,sub'
refused "another seed" 's/"seed": 0/"seed": 1/' 'its seed is 1'
refused "another count of parts" 's|"3/7"|"3/8"|' 'part 3 of 8, where'
refused "a part that ended" 's/"ended": null/"ended": "stopped"/' 'the run ended early, so run that part again: stopped'
refused "a part in place of another" 's|"3/7"|"2/7"|' 'part 2/7 is there twice, with different results'
says "is not the JSON of a check" "a check and a sweep are not mixed" sh -c 'echo cotangent-sweep > "$1/blocks" &&
    "$0" merge "$1/bad.7.1" "$1/blocks"' "$cotangent" "$work"
exits 2 "parts of a check become JSON, and no text" "$cotangent" merge --format text "$work/bad.whole"
done_testing
