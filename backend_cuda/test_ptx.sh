#!/bin/sh
# shellcheck disable=SC1091,SC2016,SC2154 # make check sets srcdir, builddir and the tools
# What can be seen of the kernels without running them: exact arithmetic only, an old .version, assembled for GPUs
# without a spill, and no more registers than backend_cuda/registers.txt says. usage: test_ptx.sh [--long | --write]
# --long: for every architecture, else for the oldest, whose registers the table has.
# --write: the table anew, after a look at what has become larger.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
archs=75
[ "${1-}" != --long ] || archs="75 80 86 89 90 100 120"
[ "${1-}" != --write ] || archs=75
cd "$builddir/backend_cuda/kernels" || exit 1
set -- "${1-}" *_f16.ptx *_bf16.ptx *_f32.ptx *_f64.ptx
mode=$1
shift
[ -e "$1" ] || { echo "1..0 # SKIP there is no PTX: configure found neither nvcc nor clang"; exit 0; }

ok "exact arithmetic only: $# files" "$srcdir/conformance/house/house" ptx "$@"
ok "no old driver is shut out: .version 6.3, .target sm_75" \
    sh -c 'for f; do
        head -3 "$f" | tr "\n" " " | grep -q "version 6\.3 .*target sm_75" || { echo "$f"; exit 1; }
    done' sh "$@"
ok "no local memory" sh -c '! grep -l "\.local" "$@"' sh "$@"

# What a change rebuilds, as make sees it: a kernel file its own four, a header the PTX that includes it.
rebuilt() {
    make -C "$builddir" -n -W "$top/$1" backend_cuda/embedded.c 2> /dev/null | grep -o '[a-z_0-9]*\.ptx$' | sort -u |
        tr '\n' ' '
}
top=$(sed -n 's/^abs_top_srcdir = //p' "$builddir/Makefile")
known=$(find . -name '*.ptx.d' | wc -l)
if [ -n "$(rebuilt no_such_file)" ]; then
    skip "what a change rebuilds" "the PTX here is older than its sources"
elif [ "$known" != $# ]; then
    skip "what a change rebuilds" "PTX came from elsewhere: $known of $# files know what they include"
else
    says "fold_bf16.ptx fold_f16.ptx fold_f32.ptx fold_f64.ptx " "a kernel file rebuilds its own PTX" \
        rebuilt backend_cuda/kernels/fold.cu
    ok "and no other" test "$(rebuilt backend_cuda/kernels/fold.cu | wc -w)" = 4
    says "policy_f32.ptx policy_f64.ptx " "the public header rebuilds the PTX that includes it" rebuilt core/cotangent.h
    ok "and no other" test "$(rebuilt core/cotangent.h | wc -w)" = 8
    ok "a function of every formula rebuilds all" test "$(rebuilt core/math/exp.h | wc -w)" = $#
fi

# COTANGENT_PTX: PTX of another build is taken where it would come out the same. The compiler of this one is `false`,
# and the other's file has a line more, by which it is known again.
mkdir -p "$work/other/ptx" "$work/other/source" "$work/here"
if [ "$known" = $# ] && [ "$PTX_COMPILER" = nvcc ]; then
    for directory in core backend_cuda; do cp -R "$srcdir/$directory" "$work/other/source"; done
    sed -e "s,$top/,$work/other/source/,g" -e 's/^# by .*/# by nvcc false /' fold_f32.ptx.d \
        > "$work/other/ptx/fold_f32.ptx.d"
    { cat fold_f32.ptx && echo "// taken"; } > "$work/other/ptx/fold_f32.ptx"
    take() {
        rm -f "$work/here/"*
        NVCC=false PTXAS='' COTANGENT_PTX=$work/other/ptx "$srcdir/backend_cuda/compile" nvcc "$srcdir" \
            "$work/here/fold_f32.ptx"
    }
    ok "PTX is taken from another build of the same sources" take
    ok "with the files that it knows" sh -c 'grep -q "// taken" "$1" && grep -q "$2/core/math/" "$1.d"' sh \
        "$work/here/fold_f32.ptx" "$srcdir"
    sed 's/nvcc false/nvcc true/' "$work/other/ptx/fold_f32.ptx.d" > "$work/by"
    cp -p "$work/other/ptx/fold_f32.ptx.d" "$work/same" && cp "$work/by" "$work/other/ptx/fold_f32.ptx.d"
    not_ok "not from another compiler" take
    cp "$work/same" "$work/other/ptx/fold_f32.ptx.d"
    chmod u+w "$work/other/source/core/math/exp.h"
    echo "/* changed */" >> "$work/other/source/core/math/exp.h"
    not_ok "not where a header of it is another one" take
fi

# Registers and spills as ptxas tells them, a line each: file kernel registers spilled.
assemble() {
    printf '%s\n' "$@" | xargs -P 2 -I{} \
        sh -c '"$PTXAS" -v -arch=sm_'"$arch"' {} -o /dev/null 2> "$0/{}.log" || echo {} >> "$0/refused"' "$work"
    awk '
        FNR == 1 { file = FILENAME; sub(/.*\//, "", file); sub(/\.ptx\.log$/, "", file) }
        /Compiling entry function/ { split($0, part, "\047"); kernel = part[2] }
        /spill stores/ { spilled = $0; sub(/.*frame, /, "", spilled); sub(/ bytes spill stores.*/, "", spilled) }
        /Used [0-9]+ registers/ { sub(/.*Used /, ""); print file, kernel, $1, spilled }' "$work"/*.log |
            sort > "$work/sm_$arch"
}

# The PTX does not depend on the host's compiler: the plain build looks at it for the others, and for distcheck.
again=
case "${SANITIZE-} ${CC-} $builddir" in *sanitize* | *clang* | */_build/sub) again=yes ;; esac
if [ -z "${PTXAS-}" ]; then
    skip "assembled for GPUs" "no ptxas"
elif [ -n "$again" ] && [ -z "$mode" ]; then
    skip "assembled for GPUs" "the plain build looks at the same PTX"
else
    for arch in $archs; do
        rm -f "$work"/*.log "$work/refused"
        assemble "$@"
        ok "ptxas takes every kernel for sm_$arch" test ! -e "$work/refused"
        ok "$(wc -l < "$work/sm_$arch") kernels, none spills on sm_$arch" \
            awk '$4 != 0 { print; bad = 1 } END { exit bad || !NR }' "$work/sm_$arch"
    done
fi

table=$srcdir/backend_cuda/registers.txt
if [ "$mode" = --write ]; then
    {
        printf '# Registers of each kernel on sm_75, by ptxas 13.0 from %s PTX. ' "nvcc's"
        echo "Made by backend_cuda/test_ptx.sh --write."
        cut -d' ' -f1-3 "$work/sm_75"
    } > "$table"
elif [ ! -e "$work/sm_75" ] || [ "$PTX_COMPILER" != nvcc ] || ! "$PTXAS" --version | grep -q 'release 13\.0'; then
    skip "registers" "the table is of nvcc's and ptxas' release 13.0"
else
    ok "no kernel takes more registers than the table says, and none is missing there" awk '
        { key = $1 " " $2 }
        FNR == NR { if ($1 != "#") most[key] = $3; next }
        !(key in most) { print key ": not in the table, " $3; bad = 1 }
        key in most && $3 > most[key] { print key ": " $3 " registers, " most[key] " in the table"; bad = 1 }
        { delete most[key] }
        END { for (k in most) { print k ": in the table only"; bad = 1 } exit bad }' "$table" "$work/sm_75"
fi
done_testing
