#!/bin/sh
# shellcheck disable=SC1091,SC2154 # make check sets srcdir and builddir
# Inputs that fuzzing found worth keeping, once more: none of them is a finding.
. "$srcdir/conformance/tap/tap.sh"
trap 'rm -f "$output"' EXIT
replay=$builddir/conformance/fuzz/replay
for folder in "$srcdir"/conformance/fuzz/corpus/*; do
    ok "${folder##*/}" "$replay" "${folder##*/}" "$folder"/*
done
printf trap > "$output.trap"
not_ok "a finding would be seen" "$replay" trap "$output.trap"
rm -f "$output.trap"
exits 2 "no such target" "$replay" nothing
done_testing
