#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# The suite itself on the reference: the quick range whole where it runs at full speed, a thin part of it in other builds.
. "$srcdir/conformance/tap.sh"
part=1/1
case "$SANITIZE/$CC/$builddir" in
*-fsanitize* | */*clang*/* | */_build/*) part=1/60 ;; # the last is make distcheck
esac
report=$(mktemp)
trap 'rm -f "$report" "$output"' EXIT
"$builddir/cotangent" check --shard $part > "$report" 2>&1
status=$?
sed -n '/^not ok/,/^  \.\.\./p; /^# /p' "$report" | head -200
ok "the reference passes (part $part)" test $status = 0
ok "nothing is left out" sh -c '! grep -q "# SKIP" "$1"' sh "$report"
ok "and all of it was covered" grep -q "^ok .*coverage: " "$report"
ok "at level X" sh -c '! grep " cells=" "$1" | grep -qv " level=X "' sh "$report"
done_testing
