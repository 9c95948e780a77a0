#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Census says of every PTX file that there is what loading says, whatever the device: whether it loads, and which of its
# kernels are refused.
. "$srcdir/conformance/tap/tap.sh"
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT

mkdir "$work/ptx"
for file in "$srcdir"/softgpu/test/corpus/* "$srcdir"/softgpu/test/kernels/*.ptx \
    "$builddir"/backend_cuda/kernels/*.ptx; do
    [ ! -e "$file" ] || cp "$file" "$work/ptx"
done
head='.version 8.0 .target sm_80 .address_size 64'
echo "$head .entry a() { tcgen05.fence::before_thread_sync; ret; } .entry b() { ret; }" > "$work/ptx/one_refused.ptx"
echo "$head .func f() { tcgen05.fence::before_thread_sync; ret; } .entry b() { ret; }" > "$work/ptx/unused.ptx"
echo "$head .func f() { tcgen05.fence::before_thread_sync; ret; } .entry b() { call f; ret; }" > "$work/ptx/used.ptx"
echo "$head .entry a() { .reg .b7 %r; ret; } .entry b() { ret; }" > "$work/ptx/unreadable.ptx"
echo "$head .func f() { ?; } .entry a() { call f; ret; } .entry b() { ret; }" > "$work/ptx/calls_unreadable.ptx"
echo "$head .entry a() { ret; } .entry b() { ? ret;" > "$work/ptx/endless.ptx"
echo "$head .extern .func g(); .entry a() { call g, (); ret; }" > "$work/ptx/undefined.ptx"
echo "$head .global .b8 big[9000000000]; .entry a() { ret; }" > "$work/ptx/large.ptx"
for target in sm_75 sm_121 sm_999; do
    sed "s/sm_[0-9]*/$target/" "$srcdir/softgpu/test/kernels/memcheck_null_pointer.ptx" > "$work/ptx/for_$target.ptx"
done

# What census says of a file, as fixture_load does.
census() {
    "$builddir/softgpu/softgpu" census "$1" > "$work/said" 2> "$work/errors"
    printf '%d %s' $? "$1"
    [ -s "$work/errors" ] || sed -n 's/^kernel \(.*\) is refused: .*/ \1/p' "$work/said" | tr -d '\n'
    echo
}

agree() { # CAPABILITY FILE...
    export SOFTGPU_CC="$1"
    shift
    "$builddir/softgpu/test/fixture_load" "$@" > "$work/loaded" || return 1
    for file; do census "$file"; done > "$work/censused"
    diff "$work/loaded" "$work/censused"
}

occurs() { # STATUS NAME: among what was loaded last
    grep -q "^$1 .*/$2" "$work/loaded"
}

ok "they agree on the device that is the default" agree 12.0 "$work"/ptx/*
ok "a module that loads" occurs 0 memcheck_null_pointer.ptx
ok "a kernel that is refused" occurs 1 'one_refused.ptx a$'
ok "a kernel that calls what is not modelled" occurs 1 'used.ptx b$'
ok "a function that nobody calls refuses none" occurs 0 unused.ptx
ok "a kernel whose body cannot be read" occurs 1 'unreadable.ptx a$'
ok "a kernel that calls such a function" occurs 1 'calls_unreadable.ptx a$'
ok "a body without an end refuses the module" occurs 2 endless.ptx
ok "a function that is nowhere defined" occurs 1 'undefined.ptx a$'
ok "variables larger than the memory" occurs 2 large.ptx
ok "a target above the device" occurs 2 for_sm_999.ptx
ok "they agree on an older device" agree 7.5 "$work"/ptx/for_* "$work"/ptx/memcheck_*
ok "of which others are above" occurs 2 memcheck_null_pointer.ptx
ok "and one is not" occurs 0 for_sm_75.ptx
done_testing
