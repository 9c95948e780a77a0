#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir; the scripts of sh -c have their own $1
# The JSON of a run keeps to the schema that is installed with the command, whatever became of the run.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent
here=$srcdir/conformance/report
work=$(mktemp -d)
trap 'rm -rf "$work" "$output"' EXIT
if "$cotangent" judge sum 2>&1 | grep -q MPFR; then
    skip "reports keep to the schema" "no MPFR in this build"
    done_testing
fi
valid() { python3 -B "$here/test_schema.py" "$here/report.schema.json" "$@"; }

ok "a run that ended, and one that did not" valid "$here/golden/finished.json" "$here/golden/ended.json"
"$cotangent" check --op max,cumsum --dtype f32 --generator 'ties*,uniform' --format json > "$work/good"
ok "a good run" valid "$work/good"
"$cotangent" check --backend mutant:max_tie_split --op max --dtype f16,f32 --generator ties --format json > "$work/bad"
ok "a run that failed did fail" grep -q '"shrunk"' "$work/bad"
ok "and is valid" valid "$work/bad"
echo 'max/* MAX-TIE 2999-12-31 known' > "$work/waivers"
"$cotangent" check --backend mutant:max_tie_split --op max --dtype f32 --generator ties --format json \
    --waivers "$work/waivers" > "$work/waived"
ok "with waivers" valid "$work/waived"

# ---- and the schema is no formality
spoil() { # NAME SED-SCRIPT
    sed "$2" "$work/bad" > "$work/spoilt"
    not_ok "caught: $1" cmp -s "$work/bad" "$work/spoilt"
    not_ok "in $1" valid "$work/spoilt"
}
spoil "a member that is not there" 's/"planned": [0-9]*, //'
spoil "a member too many" 's/"good": /"fine": 1, "good": /'
spoil "a number that is text" 's/"cells": \([0-9]*\)/"cells": "\1"/'
spoil "a level that is none" 's/"level": "E"/"level": "Q"/'
spoil "an id that is none" 's/"shrunk": "max/"shrunk": "-/'
done_testing
