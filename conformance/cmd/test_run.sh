#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2059 # make check sets srcdir and builddir; the data are printf's escapes
# run and forward on .npy files, and gradcheck: results, refusals, and outputs that are whole or untouched.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
device=$builddir/conformance/fixture/plugin_own_memory.so
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
cd "$work" || exit 1

# npy FILE DTYPE FORTRAN SHAPE DATA: what numpy.save writes, with the data as escapes.
npy() {
    printf '\223NUMPY\001\000v\000%-117s\n' "{'descr': '$2', 'fortran_order': $3, 'shape': $4, }" > "$1"
    printf "$5" >> "$1"
}

# holds FILE TYPE NUMBERS: the cells, as od prints them.
holds() { od -An -v -j128 -t"$2" "$1" | tr -s " \n" " " | tee -a "$output" | grep -qx " *$3 *"; }

one='\000\000\200\077' two='\000\000\000\100' three='\000\000\100\100' four='\000\000\200\100' five='\000\000\240\100' \
    six='\000\000\300\100'
npy x.npy '<f4' False '(2, 3)' "$one$two$three$four$five$six"
npy fortran.npy '<f4' True '(2, 3)' "$one$four$two$five$three$six"
npy big.npy '>f4' False '(2, 3)' \
    '\077\200\000\000\100\000\000\000\100\100\000\000\100\200\000\000\100\240\000\000\100\300\000\000'
npy twos.npy '<f4' False '(2, 3)' "$two$two$two$two$two$two"
npy column.npy '<f4' False '(2, 1)' "$one$two"
npy row.npy '<f4' False '(1, 3)' "$one$two$three"
npy flat.npy '<f4' False '(2,)' "$one$two"
npy empty.npy '<f4' False '(2, 0)' ''
npy wide.npy '<f8' False '(1,)' '\000\000\000\000\000\000\000\100'
npy bits.npy '<u2' False '(2,)' '\200\077\000\100'
cksum ./*.npy > before

# ---- results
ok "mul" "$cotangent" run mul --dy x.npy --a x.npy --b twos.npy --da da --db db
npy wanted '<f4' False '(2, 3)' "$two$four$six"'\000\000\000\101\000\000\040\101\000\000\100\101'
ok "da is 2 4 6 8 10 12, and the file is what numpy.save writes" cmp wanted da
ok "db is 1 4 9 16 25 36" holds db f4 "1 4 9 16 25 36"
for file in fortran big; do
    ok "mul of ${file}.npy" "$cotangent" run mul --dy $file.npy --a $file.npy --b twos.npy --da da2 --db db2
    ok "gives the same bits" sh -c 'cmp da da2 && cmp db db2'
done
ok "one gradient of two" "$cotangent" run mul --dy x.npy --a x.npy --b twos.npy --db db3
ok "is the same" cmp db db3
ok "lerp" "$cotangent" run lerp --dy flat.npy --param 0.25 --da da --db db
ok "da is 0.75 1.5" holds da f4 "0.75 1.5"
ok "sum with --shape" "$cotangent" run sum --dy column.npy --shape 2x3 --dx dx
ok "repeats dy" holds dx f4 "1 1 1 2 2 2"
ok "sum with --x for the shape, along the first axis" "$cotangent" run sum --dy row.npy --x x.npy --axis -2 --dx dx
ok "repeats dy too" holds dx f4 "1 2 3 1 2 3"
ok "cumsum" "$cotangent" run cumsum --dy x.npy --dx dx
ok "runs against the scan" holds dx f4 "6 5 3 15 11 6"
ok "cumsum of a reverse scan" "$cotangent" run cumsum --dy x.npy --dx dx --reverse
ok "runs with it" holds dx f4 "1 3 6 4 9 15"
ok "max, y computed" "$cotangent" run max --x x.npy --dy column.npy --dx dx
ok "dx is at the maxima" holds dx f4 "0 0 1 0 0 2"
ok "bf16 as uint16" "$cotangent" run lerp --dtype bf16 --dy bits.npy --param 0.5 --da da --db db
ok "halves of 1 and 2 are 0x3f00 and 0x3f80" holds da x2 "3f00 3f80"
ok "no cells" "$cotangent" run cumsum --dy empty.npy --dx dx
npy wanted '<f4' False '(2, 0)' ''
ok "make a file without cells" cmp wanted dx
ok "max of no cells has no y, and a gradient without cells" "$cotangent" run max --x empty.npy --dy column.npy --dx dx
ok "which is the same file" cmp wanted dx
ok "an input from a pipe" sh -c "cat x.npy | '$cotangent' run cumsum --dy /dev/stdin --dx dx"
ok "var with a correction" "$cotangent" run var --x x.npy --dy column.npy --correction 1 --dx dx
ok "dx is 2 (x - mean) / (n - 1)" holds dx f4 "-1 0 1 -2 0 2"
exits 0 "a policy at its default" "$cotangent" run max --x x.npy --dy column.npy --dx dx --convention spec \
    --policy ties=all,max_nan=none

# ---- every op, with y computed or given
for op in $("$cotangent" ops | awk 'NR > 1 { print $2 }'); do
    dy=x.npy
    "$cotangent" ops | grep -q "^reduce *$op " && dy=column.npy
    case $("$cotangent" ops | awk -v op="$op" '$2 == op { print $1 }') in
    binary*)
        set -- --a x.npy --b twos.npy
        grads="--da da --db db"
        ;;
    *)
        set -- --x x.npy
        grads="--dx da"
        ;;
    esac
    ok "forward $op" "$cotangent" forward "$op" --param 0.25 "$@" --y y.out
    # shellcheck disable=SC2086 # two words
    ok "run $op" "$cotangent" run "$op" --param 0.25 --dy $dy "$@" $grads
    mv da computed
    # shellcheck disable=SC2086
    ok "run $op with y" "$cotangent" run "$op" --param 0.25 --dy $dy "$@" --y y.out $grads
    ok "gives the same" cmp computed da
done
cksum ./*.npy > after
ok "no input has changed" cmp before after
ok "no temporary file is left" test -z "$(find . -name '.cotangent*')"
cp x.npy same.out
ok "an output may be an input" "$cotangent" run cumsum --dy same.out --dx same.out
ok "and is replaced" holds same.out f4 "6 5 3 15 11 6"

# ---- refusals: refused STATUS TEXT ARGUMENTS...
refused() {
    wanted_status=$1
    text=$2
    shift 2
    "$cotangent" "$@" > "$output" 2>&1
    status=$?
    grep -qF -e "$text" "$output" && [ $status = "$wanted_status" ] && [ "$(wc -l < "$output")" = 1 ] && ! [ -e never ]
    result $? "refused, $wanted_status: $*"
}

refused 2 'run needs an op' run
refused 2 'did you mean "softmax"?' run sofmax
refused 2 'softmax has nowhere to go: give --dx FILE' run softmax --dy x.npy --x x.npy
refused 2 'mul has no dx: its gradient is da and db' run mul --dy x.npy --a x.npy --b x.npy --dx never
refused 2 'sum has no da: its gradient is dx' run sum --dy column.npy --da never
refused 2 'softmax needs dy: give --dy FILE' run softmax --x x.npy --dx never
refused 2 'softmax needs y: give --y FILE, or --x FILE to compute it from' run softmax --dy x.npy --dx never
refused 2 'cummax needs x: give --x FILE' run cummax --dy x.npy --dx never
refused 2 'mul needs b: give --b FILE' run mul --dy x.npy --a x.npy --da never
refused 2 'lerp needs its weight: give --param W' run lerp --dy x.npy --da never
refused 2 "no file shows the shape of sum's gradient: give --shape" run sum --dy column.npy --dx never
refused 2 'row.npy (--dy): its shape is (1, 3), expected (2, 1) (the reduced axis is kept' run max --x x.npy \
    --dy row.npy --dx never
refused 2 'column.npy (--x): its shape is (2, 1), expected (2, 3)' run softmax --x column.npy --dy x.npy --dx never
refused 2 'x.npy (--dy): its shape is (2, 3), expected (6,)' run cumsum --dy x.npy --shape 6 --dx never
refused 2 "wide.npy (--x): it holds '<f8', expected f32" run softmax --dy flat.npy --x wide.npy --dx never
refused 2 "flat.npy (--dy): it holds '<f4', expected f16" run cumsum --dy flat.npy --dtype f16 --dx never
refused 2 'say --dtype bf16' run cumsum --dy bits.npy --dx never
refused 2 'there is no element type "f8"' run cumsum --dy x.npy --dtype f8 --dx never
refused 2 '--axis 2: expected -2 to 1 for rank 2' run cumsum --dy x.npy --axis 2 --dx never
refused 2 '--axis x:' run cumsum --dy x.npy --axis x --dx never
refused 2 '--shape 2x: expected up to 8 extents' run sum --dy column.npy --shape 2x --dx never
refused 2 '--correction 1.5: expected a whole number' run var --x x.npy --dy column.npy --correction 1.5 --dx never
refused 2 '--param heavy: expected a number' run lerp --dy x.npy --param heavy --da never
refused 2 'there is no convention "tf" (spec, torch, jax, accurate)' \
    run max --x x.npy --dy column.npy --convention tf --dx never
refused 2 'there is no value of ties "some" (all, split, first, last)' run max --x x.npy \
    --dy column.npy --policy ties=some --dx never
refused 2 'it cannot be read: No such file' run cumsum --dy nothing.npy --dx never
refused 2 '. (--dy): it cannot be read: Is a directory' run cumsum --dy . --dx never
refused 2 'not a .npy file' run cumsum --dy before --dx never
refused 3 'there is no backend "cuda9"' run cumsum --dy x.npy --backend cuda9 --dx never
refused 1 'nowhere/never (--dx): it cannot be written: No such file' run cumsum --dy x.npy --dx nowhere/never
refused 1 '/dev/full (--dx): it cannot be written: it is a device or a pipe' run cumsum --dy x.npy --dx /dev/full
refused 1 '. (--db): it cannot be written: it is a directory' run lerp --dy x.npy --param 1 --da never --db .
refused 1 './never (--db): two outputs cannot be the same file' run lerp --dy x.npy --param 1 --da never --db ./never
refused 2 'softmax needs x: give --x FILE' forward softmax --y never
refused 2 'mul needs b: give --b FILE' forward mul --a x.npy --y never
refused 2 'mul writes y: give --y FILE' forward mul --a x.npy --b x.npy

# ---- nothing half-written
echo old > dx.out
says "it cannot be written: File too large" "a full device says so" \
    sh -c "(trap '' XFSZ; ulimit -f 100; '$cotangent' run sum --dy column.npy --shape 2x100000 --dx dx.out) 2>&1 | cat"
ok "the old file stays" grep -qx old dx.out
ok "and nothing beside it" test -z "$(find . -name '.cotangent*')"
if [ "$(id -u)" != 0 ]; then
    mkdir locked
    echo old > locked/dx.out
    chmod 500 locked
    says "it cannot be written: Permission denied" "a directory that may not be written says so" \
        "$cotangent" run cumsum --dy x.npy --dx locked/dx.out
    ok "the old file stays there too" grep -qx old locked/dx.out
    chmod 700 locked
else
    skip "a directory that may not be written says so" "root may write anywhere"
    skip "the old file stays there too" "root may write anywhere"
fi

# ---- a backend with memory of its own
for name in g p q; do npy $name.npy '<f8' False '(1,)' '\000\000\000\000\000\000\010\100'; done
npy square.npy '<f8' True '(1, 2)' '\000\000\000\000\000\000\010\100\000\000\000\000\000\000\010\100'
npy strided.npy '<f8' True '(2, 2)' "$(printf '%0128d' 0 | sed 's/0000/\\000/g')"
ok "mul on a device" "$cotangent" run mul --backend "$device" --dy g.npy --a p.npy --b q.npy --da da --db db
ok "comes back" holds da f8 9
refused 1 'div on backend' run div --backend "$device" --dy g.npy --a p.npy --b q.npy --da never
refused 3 'the test'"'"'s device does add, sub, mul and div in f64' run sum --backend "$device" --dy g.npy --shape 1 \
    --dx never
refused 3 'save it in C order (numpy.ascontiguousarray)' run mul --backend "$device" --dy strided.npy --a strided.npy \
    --b strided.npy --da never
ok "Fortran order that is C order as well" "$cotangent" run mul --backend "$device" --dy square.npy --a square.npy \
    --b square.npy --da da --db db

# ---- gradcheck
exits 0 "gradcheck of all ops" "$cotangent" gradcheck
ok "every one is ok" test "$(grep -c ' ok ' "$output")" = "$(grep -c '^OP(' "$srcdir/core/ops.def")"
ok "it is a table with a bar for each op, within 80 columns" sh -c '"$1" gradcheck > "$2" && awk "
    NR == 1 { good = \$1 == \"op\" && /error \/ allowed\$/ }
    NR > 1 && (\$2 != \"ok\" || (\$7 > 0) != (\$8 ~ /^#+\$/)) { good = 0 }
    length > 80 { good = 0 }
    END { exit !(good && NR == 1 + $3) }" "$2"' sh "$cotangent" all.txt "$(grep -c '^OP(' "$srcdir/core/ops.def")"
for options in "--dtype f16" "--dtype bf16 --axis 0" "--dtype f32 --reverse" \
    "--shape 3x2x4 --axis 1 --correction 1 --seed 5" "--shape 70"; do
    # shellcheck disable=SC2086
    exits 0 "gradcheck $options" "$cotangent" gradcheck $options
done
ok "its summary is a row of its table, and says which" sh -c '"$1" gradcheck softmax | awk "
    /^dx/ { error[\$1] = \$4 }
    \$1 == \"softmax\" { good = (\$4 in error) && error[\$4] == \$5 }
    END { exit !good }"' sh "$cotangent"
says "dx[3,4]" "gradcheck of one op prints its cells" "$cotangent" gradcheck std
says "... and 20 cells with errors that are no larger" "or the worst 20" "$cotangent" gradcheck atan2
says "8 k u / eps" "and what it allows" "$cotangent" gradcheck atan2
exits 1 "a gradient that is wrong by 1e-9" "$cotangent" gradcheck add --backend "$device"
says "20 wrong" "is wrong in every db" "$cotangent" gradcheck add --backend "$device"
exits 1 "a gradient that is never written" "$cotangent" gradcheck sub --backend "$device"
exits 1 "a device that faults" "$cotangent" gradcheck div --backend "$device"
exits 0 "a gradient that is right" "$cotangent" gradcheck mul --backend "$device"
exits 1 "a list with a wrong one in it" "$cotangent" gradcheck --backend "$device"
says "sum          skipped" "which says what is skipped" "$cotangent" gradcheck --backend "$device"
exits 3 "a list of nothing that is done" "$cotangent" gradcheck --backend "$device" --dtype f32
exits 3 "an op that is not done" "$cotangent" gradcheck sum --backend "$device"
exits 1 "steps so small that nothing is proved" "$cotangent" gradcheck softmax --eps 1e-14
says "prove nothing at this --eps" "which says so" "$cotangent" gradcheck softmax --eps 1e-14
exits 1 "NaN is a failure: std of one cell" "$cotangent" gradcheck std --shape 3x1
refused 2 'no cells, so nothing was compared' gradcheck softmax --shape 3x0
refused 2 '600 cells of bf16 on a line cannot be kept apart' gradcheck max --dtype bf16 --shape 600
refused 2 '--eps 0: expected a number above 0' gradcheck softmax --eps 0
refused 2 '--eps nan: expected' gradcheck softmax --eps nan
refused 2 '--seed -1: expected' gradcheck softmax --seed -1
refused 2 'did you mean "softmax"?' gradcheck sofmax

# ---- bench
ok "bench is a table with a heading, a median, its spread and its runs" sh -c '"$1" bench --op add --dtype f16 \
    --shape 1x1048576 > bench.txt && awk "
    NR == 1 { good = /a copy by one thread/ }
    NR == 2 { good = good && /median us/ && /spread/ && /runs/ }
    NR == 3 { good = good && \$1 == \"add\" && \$5 > 0 && \$6 ~ /%\$/ && \$7 >= 5 }
    length > 80 { good = 0 }
    END { exit !good }" bench.txt' sh "$cotangent"
refused 2 '--shape 5x5: expected 1024x1024' bench --op add --shape 5x5
ok "under a convention only ops that heed it, by name" sh -c '"$1" bench --op "?i?" --dtype f16 --shape 1024x1024 \
    --convention accurate | grep -v "^#" | cut -d" " -f1 | xargs | grep -qx div,accurate' sh "$cotangent"
refused 2 'there is no convention "acurate"; did you mean "accurate"' bench --convention acurate

# ---- NumPy itself
python=/usr/bin/python3 # the distribution's, whose NumPy quickstart installs
"$python" -c 'import numpy' 2> /dev/null || python=python3
if "$python" -c 'import numpy' 2> /dev/null; then
    ok "NumPy's files, in all versions, types, orders and ranks; and NumPy reads ours" \
        "$python" "$srcdir/conformance/cmd/test_numpy.py" "$cotangent"
else
    skip "NumPy's files" "no python3 with NumPy"
fi
done_testing
