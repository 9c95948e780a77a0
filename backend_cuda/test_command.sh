#!/bin/sh
# shellcheck disable=SC1091,SC2016,SC2154 # make check sets srcdir and builddir
# The command on the CUDA backend: which device, what its last line says, its exit status, its counters.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
if ! "$cotangent" version | grep -q '^backends:.* cuda'; then
    exits 3 "without a compiler for PTX there is no backend cuda" "$cotangent" check --backend cuda
    says "neither nvcc nor clang" "and it says why" "$cotangent" check --backend cuda
    done_testing
fi

last_line() { "$@" 2>&1 | tail -1; }
case_id=max/f32/5x37/1/contig/ties/7
ok "a case on the software device" "$cotangent" check --backend cuda --device soft --case $case_id
says "software device: no silicon was tested" "its last line says that no silicon was tested" last_line \
    "$cotangent" check --backend cuda --device soft --case $case_id
ok "norm2 does not heed var's divisor, where n is no more than the correction" "$cotangent" check --backend cuda \
    --device soft --against ref --case norm2/f32/3/0/contig/uniform/1,corr=8,denominator=zero,divisor=dead
not_ok "the reference's does not" sh -c '"$0" check --case '$case_id' | grep -q silicon' "$cotangent"

# The device's checkers are on: a kernel with a race that changes no result fails its case. The unchanged kernels pass.
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
cp "$builddir"/backend_cuda/kernels/*_f32.ptx "$work"
ok "kernels from a directory" "$cotangent" check --backend cuda --device "soft,ptx=$work" --case $case_id
awk '/^\.visible \.entry/ && !done { print ".shared .align 4 .u32 raced;"; done = 1 }
    /^\.visible \.entry max_f32/ { inside = 1 }
    { print }
    inside && /^\{/ { print "{ .reg .u32 %mine; mov.u32 %mine, %tid.x; st.shared.u32 [raced], %mine; }"; inside = 0 }' \
    "$builddir/backend_cuda/kernels/reduce_f32.ptx" > "$work/reduce_f32.ptx"
exits 1 "a kernel with a race fails" "$cotangent" check --backend cuda --device "soft,ptx=$work" --case $case_id
says "the software device reports: " "by the device's report" "$cotangent" check --backend cuda \
    --device "soft,ptx=$work" --case $case_id
if "$cotangent" check --backend cuda --device real --case $case_id > /dev/null 2>&1; then
    skip "--device real without a GPU" "there is one"
else
    exits 3 "--device real without a GPU exits 3" "$cotangent" check --backend cuda --device real --case $case_id
    exits 3 "and so does COTANGENT_DEVICE=real" env COTANGENT_DEVICE=real "$cotangent" check --backend cuda \
        --case $case_id
fi

# A program of somebody's own, with a library that he has not put there: above it, beside it, where the installed lies.
mkdir -p "$work/top/bin/softgpu" "$work/top/softgpu" "$work/top/lib/cotangent/softgpu"
echo 'int puts(const char *); __attribute__((constructor)) static void take(void) { puts("planted"); }' \
    > "$work/planted.c"
printf '#include <cotangent.h>\n#include <stdio.h>\nint main(void) { cot_backend *b; cot_error e; return
    cot_backend_open("cuda", "device=soft", &b, &e) ? puts(e.message), 3 : (cot_backend_close(b), 0); }\n' \
    > "$work/program.c"
# shellcheck disable=SC2086 # $CC and $SANITIZE are words
$CC $SANITIZE -shared -fPIC -o "$work/top/softgpu/libcuda.so.1" "$work/planted.c"
for there in bin/softgpu lib/cotangent/softgpu; do
    cp "$work/top/softgpu/libcuda.so.1" "$work/top/$there"
done
# shellcheck disable=SC2086
ok "a program on the library" $CC $SANITIZE -fopenmp -I"$srcdir/core" -o "$work/top/bin/program" "$work/program.c" \
    "$builddir/.libs/libcotangent.a" -ldl -lpthread -lm
says planted "the planted library speaks where it is loaded" env COTANGENT_SOFTGPU="$work/top/softgpu/libcuda.so.1" \
    "$work/top/bin/program"
ok "what lies around a program is not loaded" \
    sh -c '! env -u COTANGENT_SOFTGPU -u LD_LIBRARY_PATH "$0" | grep -x planted' "$work/top/bin/program"
ok "the device that is named is" \
    env COTANGENT_SOFTGPU="$builddir/softgpu/libcuda.so.1" "$work/top/bin/program"
exits 2 "a device that is none is wrong usage" "$cotangent" bench --backend cuda --device fast
exits 3 "counters need the software device" "$cotangent" bench --counters
ok "counters" "$cotangent" bench --backend cuda --device soft --counters --op sub --dtype f64 --shape 8x131072
says '"launches": 1' "counters as JSON" "$cotangent" bench --backend cuda --device soft --counters --json --op sub \
    --dtype f64 --shape 8x131072
ok "which is JSON and nothing else" \
    sh -c '"$0" bench --backend cuda --device soft --counters --json --op "[ls]u[bm]" --dtype f32 2>/dev/null |
        python3 -m json.tool' "$cotangent"
says "GB/s" "time" "$cotangent" bench --op sub --dtype f32 --shape 1024x1024
done_testing
