#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# The suite itself on the reference: a quarter of the quick range where it runs at full speed, a thin part of it in
# other builds. And on the CUDA kernels, on the software device with every check on: a part of it everywhere
# (./quickstart runs it whole).
# usage: test_suite.sh [--long]. --long: the full range on the reference, the quick one on the kernels, both whole.
. "$srcdir/conformance/tap/tap.sh"
part=1/4 kernels=1/24
case "$SANITIZE/$CC/$builddir" in
*-fsanitize* | */*clang*/* | */_build/*) part=1/60 kernels=1/240 ;; # the last is make distcheck
esac
report=$(mktemp)
errors=$(mktemp) # a sanitizer remarks there on memory that a case wants refused
trap 'rm -f "$report" "$errors" "$output"' EXIT

# judged WHO PART ARGUMENT...: a run that must reach level X everywhere and leave nothing out.
judged() {
    who=$1 share=$2
    shift 2
    "$builddir/cotangent" check --shard "$share" "$@" > "$report" 2> "$errors"
    status=$?
    if [ $status = 3 ]; then
        skip "$who" "$(head -1 "$errors")"
        return
    fi
    sed -n '/^not ok/,/^  \.\.\./p; /^# /p' "$report" | head -200
    [ $status = 0 ] || sed 's/^/# /' "$errors" | head -50
    ok "$who pass (part $share)" test $status = 0
    ok "$who: nothing is left out" sh -c '! grep -q "# SKIP" "$1"' sh "$report"
    ok "$who: all of it was covered" grep -q "^ok .*coverage: " "$report"
    ok "$who: at level X" sh -c '! grep " cells=" "$1" | grep -qv " level=X "' sh "$report"
}

if [ "${1-}" = --long ]; then
    part=1/1 kernels=1/1
    set -- --full
fi
judged "the reference's results" $part "$@"
judged "the CUDA kernels' results" $kernels --backend cuda --against ref --level X
done_testing
