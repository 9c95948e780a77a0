#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# cotangent check around the judging: processes, formats, failures that can be repeated, exit codes.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
wrong=$builddir/conformance/fixture/plugin_wrong.so
case $SANITIZE in *address*) export ASAN_OPTIONS=detect_leaks=0:handle_segv=0:verify_asan_link_order=0 ;; esac
files=$(mktemp -d)
trap 'rm -rf "$files" "$output"' EXIT

# on FAULT [ARGUMENT...]: the wrong backend, judged on a part of the cases of the op and type that it does.
cases="--op max --dtype f32 --shard 1/4"
on() {
    fault=$1
    shift
    # shellcheck disable=SC2086
    "$cotangent" check --backend "$wrong" --device "$fault" $cases "$@"
}

# ---- exit codes ------------------------------------------------------------------------------------------------------
exits 0 "a right backend" on right
exits 1 "a wrong one" on split
exits 2 "an unknown level" on right --level C
exits 2 "an unknown format" on right --format xml
says 'did you mean "json"?' "which suggests one" on right --format jso
exits 2 "no jobs" on right --jobs 0
exits 2 "a case that is run no time" on right --repeat 0
rare() {
    "$cotangent" check --backend mutant:noise_rare --level D --case mul/f32/33/-/contig/uniform/1 --format text "$@"
}
exits 0 "a race that is rare is not seen in a few runs" rare
exits 1 "and is in 100" rare --repeat 100
says "--repeat 100" "which the command that repeats it says" rare --repeat 100
exits 2 "a shard past the last" on right --shard 3/2
exits 2 "a shard that is none" on right --shard 1
exits 2 "quick and full" on right --quick --full
exits 2 "list of nothing" "$cotangent" list --op 'zz*'
exits 3 "a backend that does not open" on shut
says "the wrong backend stays shut" "which says why" on shut
exits 3 "a backend that does none of it" on nothing
says "does none of these cases" "which is no success" on nothing --format text
says "max/f32" "what is not done is listed in TAP" on nothing
says "  max: f32" "and in text" on nothing --format text
exits 3 "a backend unknown" "$cotangent" check --backend nothing --op max
exits 3 "nobody to be compared with" on right --against nothing

# ---- which cases -----------------------------------------------------------------------------------------------------
list() { "$cotangent" list "$@"; }
count() { list "$@" | wc -l; }
max=$(count --op max --dtype f32)
min=$(count --op min --dtype f32)
ok "there are cases of both" test "$max" -gt 0 -a "$min" -gt 0
ok "an option that comes again adds up" test "$(count --op max --op min --dtype f32)" = $((max + min))
ok "so do values with commas" test "$(count --op max,min --dtype f32)" = $((max + min))
both=$(count --op max --dtype f32,f64)
ok "and types" test "$(count --op max --dtype f32 --dtype f64)" = "$both" -a "$both" -gt "$max"
all=$(count --op max --dtype f32 --layout '*')
split=$(($(count --op max --dtype f32 --layout contig) + $(count --op max --dtype f32 --layout '[!c]*')))
ok "layouts part the cases" test "$split" = "$all"
ok "a family is its ops" test "$(count --family binary_param)" = "$(count --op lerp)"
list --op max --dtype f32 --generator ties > "$files/ties"
ok "cases of one generator have it" sh -c '[ -s "$1" ] && ! grep -v /ties/ "$1"' sh "$files/ties"
list --clause MAX-TIE --dtype f32 > "$files/clause"
ok "a clause's cases are of its ops" sh -c '[ -s "$1" ] && ! grep -vE "^(max|min)/" "$1"' sh "$files/clause"
list --op max --dtype f32 --convention torch > "$files/torch"
ok "a convention has the range for itself" \
    sh -c '[ "$(grep -c "conv=torch" "$1")" -gt 300 ] && ! grep -v "conv=torch\|bad=" "$1"' sh "$files/torch"
ok "single policies too" \
    sh -c '"$1" list --op max --dtype f32 --policy ties=split | grep -q ",ties=split"' sh "$cotangent"
exits 0 "and the reference keeps it" \
    "$cotangent" check --op max --dtype f16 --convention jax --level X --shard 1/4
exits 2 "a convention that is none" list --convention numpy
exits 2 "a policy that is none" list --policy ties=some
first=mul/f32/4/-/contig/uniform/1
second=cumsum/f32/4/0/contig/uniform/1,rev=1
printf '# two cases\n\n%s # the first\n  %s\n' $first $second > "$files/cases"
printf '%s\n%s\n' $first $second > "$files/wanted"
ok "cases are read from a file" \
    sh -c '"$1" list --cases "$2" | cmp - "$3"' sh "$cotangent" "$files/cases" "$files/wanted"
ok "from the standard input" \
    sh -c '"$1" list --cases - < "$2" | cmp - "$3"' sh "$cotangent" "$files/cases" "$files/wanted"
ok "and by --case, again and again" \
    sh -c '"$1" list --case $2 --case $3 | cmp - "$4"' sh "$cotangent" $first $second "$files/wanted"
echo "max/f32/what" > "$files/bad"
says "$files/bad, line 1: max/f32/what" "a line that is no id is named" list --cases "$files/bad"
exits 2 "a file that is not there" list --cases "$files/none"
exits 2 "a case beside an op is refused, not ignored" list --case $first --op max
says 'did you mean "max"?' "an op that is misspelt" list --op maxx
says 'did you mean "ties"?' "a generator" list --generator tiesx
says "contig" "a layout: all are listed where none is near" list --layout zigzag
# misspelt WHAT MEANT LISTED COMMAND...: another name is suggested, and all are listed.
misspelt() {
    what=$1 meant=$2 listed=$3
    shift 3
    says "did you mean \"$meant\"?" "$what that is misspelt: $meant is suggested" "$cotangent" "$@"
    grep -qF -e "$listed" "$output"
    result $? "and $listed is listed"
}
misspelt "an op" softmax log_softmax list --op sofmax
misspelt "a family" softmax binary_param list --family sofmax
misspelt "a layout" contig transposed list --layout contg
misspelt "a generator" ties integers list --generator tiesx
misspelt "a clause" MAX-TIE SOFTMAX list --clause MAX-TIES
misspelt "a type" f32 "f16, bf16, f32, f64" list --dtype f322
misspelt "a level" bound "edges, bound, stable, invariant or bits" check --level bond
misspelt "a convention" torch "spec, torch, jax, accurate" list --convention torhc
misspelt "a policy" ties "max_nan, scan_ties" list --policy tie=split
misspelt "a policy's value" split "all, split, first, last" list --policy ties=splt
misspelt "a format" json "text, tap, json or junit" check --format jsn
misspelt "a backend" torch numpy check --backend torhc
misspelt "a backend of another command" numpy torch fingerprint --backend numpi
misspelt "what bits are held against" ref wasm check --level X --against reff
misspelt "a mutant" max_tie_split "spec --mutants" check --backend mutant:max_tie_splt
misspelt "an innocent" pairwise "spec --innocents" check --backend innocent:pairwse
exits 3 "a backend whose name nobody has" "$cotangent" check --backend torhc
exits 2 "a policy that there is not" "$cotangent" list --policy tie=split
says "came twice, with B and with D" "an option that cannot add up comes once" on right --level B --level D
says "cotangent: --seed " "a random seed is said" list --op max --dtype f32 --seed random
# full COMMAND: it succeeds where its words can be written, and says where they cannot.
full() {
    # shellcheck disable=SC2086
    exits 0 "$1" "$cotangent" $1
    # shellcheck disable=SC2016,SC2086
    exits 1 "a full disk is no success: $1" sh -c '"$@" > /dev/full' sh "$cotangent" $1
    grep -q "standard output cannot be written: No space left" "$output"
    result $? "and is said: $1"
}
"$cotangent" emit --case $first --dir "$files/case" > /dev/null
"$cotangent" run mul --dy "$files/case/dy.npy" --a "$files/case/a.npy" --b "$files/case/b.npy" \
    --da "$files/case/da.npy" --db "$files/case/db.npy" > /dev/null
for part in 1 2; do
    "$cotangent" check --op mul --dtype f32 --generator ties --shard $part/2 --format json > "$files/part$part"
done
for command in "ops" "list --op max" "explain max" "explain --policy ties=split max" "spec MAX-TIE" "spec --mutants" \
    "check --case $first --format tap" "check --case $first --format json" "check --case $first --format junit" \
    "check --case $first --format text" "emit --case $first --dir $files/again" "judge $files/case" \
    "judge --format json $files/case" "fingerprint --op cumsum --extent 3" \
    "fingerprint --op cumsum --extent 3 --format json" "gradcheck mul" "report $files/part1" \
    "merge $files/part1 $files/part2"; do
    full "$command"
done

# JUnit's cases wait in a temporary file. stdout is a pipe, which has no size.
small() { # BLOCKS GENERATORS
    (trap '' XFSZ && ulimit -f $1 && "$cotangent" check --op max --dtype f32 --generator "$2" --format junit) | wc -c
}
for too_much in "4 ties*" "1 ties"; do # more than stdio's buffer, and less
    says "JUnit's cases cannot be kept in a temporary file" "a temporary file that may not grow is said: $too_much" \
        small ${too_much% *} "${too_much#* }"
    ok "and no false report is printed" test "$(small ${too_much% *} "${too_much#* }" 2> /dev/null)" = 0
done
no_file() { LD_PRELOAD="$files/no_file.so" "$cotangent" check --case "$first" --format junit; }
if [ -z "$SANITIZE" ] && echo 'void *tmpfile(void) { return 0; } void *tmpfile64(void) { return 0; }' |
    $CC -shared -fPIC -w -x c -o "$files/no_file.so" - 2> /dev/null; then
    exits 1 "no temporary file at all is a failure" no_file
    says "JUnit's cases cannot be kept in a temporary file" "which is said" no_file
else
    skip "no temporary file" "a sanitizer is in the way"
fi

# ---- waivers: failures that are known, until a day -------------------------------------------------------------------
waived() { # UNTIL FAULT [OPTION...]
    printf '# known\nmax/f32/* MAX-TIE %s ties are split as the old kernel did\n' "$1" > "$files/waivers"
    shift
    on "$@" --waivers "$files/waivers"
}
lone=max/f32/36x1x5/2/contig/ties2/1
cases="--case $lone"
exits 1 "a failure fails the run" on split
exits 0 "one that is waived does not" waived 2999-12-31 split
says " 1 waived" "and is counted apart" waived 2999-12-31 split --format text
says "ties are split as the old kernel did" "with its reason" waived 2999-12-31 split --format text
says "# TODO waived" "in TAP" waived 2999-12-31 split --format tap
says '"failed": 0, "waived": 1' "in JSON" waived 2999-12-31 split --format json
says '<skipped message="waived: MAX-TIE' "in JUnit" waived 2999-12-31 split --format junit
exits 1 "a waiver holds until its day" waived 2020-01-31 split
says "has expired on 2020-01-31" "which is said" waived 2020-01-31 split --format text
exits 1 "a waiver that nothing needs fails the run" waived 2999-12-31 right
says "is needed no more" "which is said" waived 2999-12-31 right --format text
says "line 2: the last day that it holds is a date" "a day that is none" waived soon split
exits 2 "waivers that are not there" on split --waivers "$files/none"
cases="--op max --dtype f32 --shard 1/4"

# ---- grades: how good a sum is, beside right or wrong ----------------------------------------------------------------
graded() { # BACKEND CASE
    "$cotangent" check --backend "$1" --case "$2" --level B --format json
}
line=log_softmax/f32/131072/0/contig/constant/1
says '"grade": "sequential"' "sums one after the other are graded so" graded innocent:sequential $line
says '"grade": "pairwise"' "and sums in halves better" graded innocent:pairwise $line
narrow=softmax/f32/4x50257/1/contig/constant/1
says '"grade": "worse"' "and a sum in f16 worse than any order makes it" graded mutant:sums_in_f16 $narrow
exits 1 "which is WRONG" graded mutant:sums_in_f16 $narrow
says '"grade": null' "an op without a sum has no grade" graded innocent:sequential mul/f32/33/-/contig/uniform/1
says "sums as good as sequential: log_softmax f32" "people read it too" \
    "$cotangent" check --backend innocent:sequential --case $line --level B --format text

# ---- formats ---------------------------------------------------------------------------------------------------------
on split --level B > "$files/tap"
ok "TAP begins with its version" grep -qx 'TAP version 13' "$files/tap"
lines=$(grep -cE '^(not )?ok ' "$files/tap")
ok "and ends in its plan" grep -qx "1..$lines" "$files/tap"
counts='cells=[0-9]+ edges=[0-9]+ nan=[0-9]+ bits=[0-9]+ unjudged=[0-9]+ statuses=[0-9]+ guard=[0-9]+'
bare=$(grep -E '^(not )?ok ' "$files/tap" |
    grep -cvE " ($counts level=[EBDIX] err/bound=|- coverage: |# SKIP )")
ok "every line carries its checks" test "$bare" = 0
ok "nothing is coloured when piped" sh -c '! grep -q "$(printf "\\033")" "$1"' sh "$files/tap"
# shellcheck disable=SC2086
"$cotangent" list $cases > "$files/ids"
ok "list names the cases of a check, in their order" \
    sh -c 'sed -nE "s/^(not )?ok [0-9]+ - ([^ ]*\/[^ ]*) .*/\2/p" "$1" | cmp - "$2"' sh "$files/tap" "$files/ids"
for format in tap json junit; do
    on split --jobs 1 --format $format > "$files/one.$format"
    on split --jobs 3 --format $format > "$files/three.$format"
    for jobs in one three; do # only JUnit has times
        sed 's/ time="[0-9.]*"//' "$files/$jobs.$format" > "$files/$jobs"
    done
    ok "$format: the same bytes from one process and from three" cmp "$files/one" "$files/three"
done
on print --format json > "$files/print.json" 2> /dev/null
if command -v python3 > /dev/null; then
    ok "JSON: totals, rows, failures with ids, levels, numbers" python3 "$srcdir/conformance/cmd/test_check.py" json \
        "$files/one.json"
    ok "JSON: nothing that a backend prints gets into it" python3 -m json.tool "$files/print.json"
    ok "JUnit: counts that are those of its elements" python3 "$srcdir/conformance/cmd/test_check.py" junit \
        "$files/one.junit"
    if [ -n "$SANITIZE" ]; then
        skip "a terminal of 80 and of 160 columns" "a sanitizer writes to it too"
    else
        ok "a terminal of 80 and of 160 columns, with colours and without" \
            python3 "$srcdir/conformance/cmd/test_check.py" terminal "$cotangent" "$wrong"
        ok "commands stay within 80 columns" python3 "$srcdir/conformance/cmd/test_check.py" commands "$cotangent"
    fi
    ok "a worker that is killed and one that stops: the first loses its case, the second one is tried again" \
        python3 "$srcdir/conformance/cmd/test_check.py" lost "$cotangent"
    ok "Ctrl-C: what was done, exit 130, nothing left behind" python3 "$srcdir/conformance/cmd/test_check.py" \
        interrupt "$cotangent"
else
    skip "formats and terminals" "no python3"
fi

# ---- parts -----------------------------------------------------------------------------------------------------------
for shard in 1 2 3; do "$cotangent" list --op 'm*' --shard $shard/3; done | sort > "$files/shards"
ok "shards add up" sh -c '"$1" list --op "m*" | sort | cmp - "$2"' sh "$cotangent" "$files/shards"
ok "and none is empty or repeats another" sh -c 'test "$(uniq -d "$1" | wc -l)" = 0' sh "$files/shards"
ok "--seed gives other cases" sh -c '! "$1" list --op max --seed 9 | grep -qxFf "$2"' sh "$cotangent" "$files/ids"

# ---- failures --------------------------------------------------------------------------------------------------------
on split --format text > "$files/text"
for word in 'FAILED MAX' 'first max/f32/' 'shrunk to max/f32/' ' got ' ' want ' ' 0x1p' ' bits ' ' dy ' ' x ' ' y ' \
    'cases: max ' 'next: '; do
    ok "a failure says:$word" grep -qF -e "$word" "$files/text"
done
for format in text tap json junit; do
    says "differs from the spec in 36 of 185 cells; right for PyTorch and JAX" \
        "$format: a failure says what it would be right for" "$cotangent" check --backend mutant:max_tie_split \
        --case max/f32/5x37/1/contig/ties/1 --format $format
done
ok "a result that is right for nothing that is known says nothing" sh -c '! grep -q "right for" "$1"' sh "$files/text"
repeat=$(sed -n 's/^  repeat: //p' "$files/text" | head -1)
shape=$(echo "$repeat" | sed 's/.*--case [^/]*\/[^/]*\/\([^/]*\).*/\1/')
ok "a tie that is split shrinks to a few cells ($shape)" test "$shape" -le 4
# shellcheck disable=SC2086
exits 1 "and fails again by the command that it prints" $repeat
repeat=$(on long --format text | sed -n 's/^  repeat: //p' | head -1)
ok "what is wrong from cell 101 on shrinks to 101 cells: $repeat" sh -c 'case $1 in */101/*) ;; *) exit 1 ;; esac' \
    sh "$repeat"
# shellcheck disable=SC2086
exits 1 "and fails again as well" $repeat
exits 1 "a level that is asked for" on split --level B
exits 0 "is all that is asked for: level E lets the numbers pass" on right --level E

# ---- level I: the same line in every arrangement, and no reference ------------------------------------------
# at LEVEL BACKEND [OPTION...]: softmax in a few shapes, against truth alone.
at() {
    level=$1 backend=$2
    shift 2
    "$cotangent" check --backend "$backend" --against truth --op softmax --dtype f32 --generator uniform \
        --layout contig --shard 1/20 --level "$level" "$@"
}
"$cotangent" list --op softmax --dtype f32 --generator uniform --layout contig --shard 1/20 > "$files/arranged"
ok "there are cases of many lines" grep -q '^softmax/f32/5x11x13/' "$files/arranged"
exits 0 "the reference has the same bits in every arrangement" at I ref
ok "and each case reaches that level" \
    test "$(at I ref --format tap | grep -c '^ok .* level=I ')" = "$(wc -l < "$files/arranged")"
exits 0 "a mutant that sums in another order among many lines has the same bits on every run" at D mutant:order_by_rows
exits 1 "and not in every arrangement" at I mutant:order_by_rows
says "FAILED INVARIANCE-LINES (invariant)" "by the clause about lines" at I mutant:order_by_rows --format tap
# layout LEVEL BACKEND: transposed operands, likewise.
layout() {
    "$cotangent" check --backend "$2" --against truth --op softmax --dtype f32 --generator uniform \
        --layout transposed --level "$1" --format tap
}
exits 0 "one with another path for strided outputs, too" layout D mutant:order_by_layout
exits 1 "until lines are laid out otherwise" layout I mutant:order_by_layout
says "FAILED INVARIANCE-LAYOUT" "by the clause about layouts" layout I mutant:order_by_layout
exits 0 "the reference is the same in every layout" layout I ref

# ---- processes that die ----------------------------------------------------------------------------------------------
lines_of_33() {
    awk -F/ '!/bad=|=(split|first|last|spread|product|line_product)|conv=/ {
        split($3, shape, "x")
        if (shape[$4 + 1] == 33) print
    }' "$1"
}
lines_of_33 "$files/ids" | sort > "$files/33"
for fault in crash exit; do
    on $fault --jobs 2 > "$files/$fault"
    ok "$fault: fails the cases it happens at, and no other" sh -c \
        'sed -n "s/^not ok [0-9]* - \([^ ]*\) .*/\1/p" "$1" | sort | cmp - "$2"' sh "$files/$fault" "$files/33"
done
ok "a crash is told by its signal" grep -qF 'signal 11' "$files/crash"
ok "an exit by its status" grep -qF 'exited with status 0' "$files/exit"
exits 1 "a backend that dies at everything" on all-crash
of=$(($(wc -l < "$files/ids") * 4 / 20)) # parts of about 20 cases: the first that has one line of 33
part=0
: > "$files/part"
until [ "$(lines_of_33 "$files/part" | wc -l)" -eq 1 ]; do
    part=$((part + 1))
    "$cotangent" list --op max --dtype f32 --shard "$part/$of" > "$files/part" || break
done
cases="--op max --dtype f32 --shard $part/$of"
on hang --timeout 1 > "$files/hang"
ok "a backend that hangs loses its case" grep -qF 'no answer to run within 0.333333 s' "$files/hang"
ok "and only that" test "$(grep -c '^not ok' "$files/hang")" = 1
ok "the others are judged, or not done" test "$(grep -cE '^ok .*( cells=|# SKIP)' "$files/hang")" = \
    "$(($(wc -l < "$files/part") - 1))"
done_testing
