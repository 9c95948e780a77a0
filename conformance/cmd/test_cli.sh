#!/bin/sh
# shellcheck disable=SC1091,SC2154,SC2016 # make check sets srcdir and builddir
# The command line: what it prints, where, and how it exits.
. "$srcdir/conformance/tap/tap.sh"
cotangent=$builddir/cotangent

exits 0 "help" "$cotangent" --help
exits 2 "no command" "$cotangent"
exits 2 "an unknown command" "$cotangent" chek
says 'did you mean "check"?' "which suggests one" "$cotangent" chek
exits 2 "an unknown option" "$cotangent" check --bakend=ref
says 'did you mean "--backend"?' "which suggests one too" "$cotangent" check --bakend=ref
exits 2 "an option without its value" "$cotangent" check --op
says "needs a value: --op GLOB" "which says so" "$cotangent" check --op
exits 2 "a flag with a value" "$cotangent" ops --json=yes
exits 2 "an argument too many" "$cotangent" ops all
for command in check list run forward gradcheck ops explain spec version; do
    exits 0 "$command --help" "$cotangent" $command --help
    says "usage: cotangent $command" "$command --help says how" "$cotangent" $command --help
done

exits 0 "version" "$cotangent" version
says "$(sed -n 's/^#define COT_VERSION "\(.*\)"/cotangent \1/p' "$srcdir/core/cotangent.h")" \
    "the version is the header's" "$cotangent" --version
says "$(sed -n 's/^AC_INIT.*\[\([0-9.]*\)\].*/cotangent \1/p' "$srcdir/configure.ac" | head -1)" \
    "and configure's" "$cotangent" version

count=$(grep -c '^OP(' "$srcdir/core/ops.def")
rows=$("$cotangent" ops | wc -l)
ok "the op table has rows" test "$count" -gt 0
ok "ops prints all $count of them and a heading" test "$rows" = $((count + 1))
if command -v python3 > /dev/null; then
    ok "ops --json is an array of $count objects with family, op, reads and formula" python3 -c '
import json, subprocess, sys
ops = json.loads(subprocess.check_output([sys.argv[1], "ops", "--json"]))
assert len(ops) == int(sys.argv[2]) and all({"family", "op", "reads", "formula"} <= set(o) for o in ops)
assert next(o for o in ops if o["op"] == "var")["reads"] == ["dy", "x"]' "$cotangent" "$count"
else
    skip "ops --json" "no python3"
fi

exits 0 "explain" "$cotangent" explain max
says "MAX-TIE" "explain names the clauses of an op" "$cotangent" explain max
says "ties = all | split | first | last" "and its policies" "$cotangent" explain max
says "tie           x = 1 3 2 3 1  y = 3  dx = 0 3 0 3 0" "and a table of its edges" "$cotangent" explain max
says "a = 0  b = 2  da = 0  db = nan" "of pairs for a binary op" "$cotangent" explain pow
says "FOLD-ORDER" "softmax's clauses too" "$cotangent" explain softmax
says "ties = all | [split] | first | last" "chosen values are marked" "$cotangent" explain max --convention torch
says "y = 3  dx = 0 1.5 0 1.5 0" "the edges are theirs" "$cotangent" explain max --policy ties=split
says "but with   ties=split (POLICY-TIES): split: g / c" "and so is the formula" \
    "$cotangent" explain max --policy ties=split
exits 2 "a policy that is none" "$cotangent" explain max --policy ties=some
exits 2 "a convention that is none" "$cotangent" explain max --convention numpy
for list in generators layouts; do
    says "$([ $list = layouts ] && echo sliced || echo nanmid)" "list --$list" "$cotangent" list --$list
    "$cotangent" list --$list | sed 's/^\([a-z0-9]*\)  */| `\1` | /; s/$/ |/' > "$output.list"
    ok "each of the $list is in doc/suite.md with its line" \
        sh -c '[ "$(wc -l < "$1")" -ge 5 ] && ! grep -vxFf "$2" "$1"' sh "$output.list" "$srcdir/doc/suite.md"
done
rm -f "$output.list"
exits 2 "explain of an unknown op" "$cotangent" explain sofmax
says 'did you mean "softmax"?' "which suggests one" "$cotangent" explain sofmax
exits 2 "explain of nothing" "$cotangent" explain
exits 0 "spec" "$cotangent" spec
says "MAX-TIE (max, min)" "spec prints clauses" "$cotangent" spec 'MAX*'
exits 2 "a clause that is not there" "$cotangent" spec MAX-TYE
exits 0 "every clause has tests and mutants" "$cotangent" spec --coverage
says "mutant:max_tie_split" "which it names" "$cotangent" spec --coverage MAX-TIE
says "divides g among equal cells" "--mutants says what each does wrong" "$cotangent" spec --mutants MAX-TIE
if command -v python3 > /dev/null; then
    ok "spec --json names tests and mutants of every clause" python3 -c '
import json, subprocess, sys
spec = json.loads(subprocess.check_output([sys.argv[1], "spec", "--json"]))
assert spec["total"] == spec["covered"] == len(spec["clauses"]) > 100
assert all(c["cases"] and c["tests"] and c["mutants"] for c in spec["clauses"])
assert sum(len(c["mutants"]) for c in spec["clauses"]) >= 160' "$cotangent"
else
    skip "spec --json" "no python3"
fi
says "innocent:welford, level D" "--innocents lists right backends" "$cotangent" spec --innocents
says "stands for var, std" "and says which ops they stand for" "$cotangent" spec --innocents 'welf*'
says "its bits break FOLD-ORDER" "and which clauses their bits break" "$cotangent" spec --innocents 'welf*'
exits 2 "an innocent that no glob matches" "$cotangent" spec --innocents 'guilty*'
exits 3 "an innocent that is not there" "$cotangent" check --backend innocent:unheard_of
exits 3 "a mutant that is not there" "$cotangent" check --backend mutant:unheard_of
wide=$(for op in $("$cotangent" ops | awk 'NR > 1 { print $2 }'); do "$cotangent" explain "$op"; done |
    awk 'length > 80' | wc -l)
ok "explain stays within 80 columns for every op" test "$wide" = 0

if ! "$cotangent" check --case mul/f32/4/-/contig/uniform/1 2>&1 |
    grep -q 'truth in MPFR, and this build has none'; then
    exits 0 "check of one case" "$cotangent" check --case mul/f32/5x37/-/sliced/nan/7
    says "370 cells judged" "check counts the cells" "$cotangent" check --format text \
        --case mul/f32/5x37/-/sliced/nan/7
    says "ok 1 - mul/f32/5x37/-/sliced/nan/7 cells=370" "check speaks TAP" \
        "$cotangent" check --case mul/f32/5x37/-/sliced/nan/7
    exits 0 "an infinite dy where an exp underflows" "$cotangent" check --case logcumsumexp/f16/64x3/0/contig/pairs/4
    exits 2 "check of nothing" "$cotangent" check --op 'zz*'
else
    exits 3 "check without truth" "$cotangent" check --case mul/f32/5x37/-/sliced/nan/7
    says "libmpfr-dev" "it says what to install" "$cotangent" check --case mul/f32/5x37/-/sliced/nan/7
fi
exits 2 "check of a malformed case" "$cotangent" check --case mul/f32
exits 2 "check of an unknown element type" "$cotangent" check --dtype f8
exits 3 "check of an unknown backend" "$cotangent" check --backend nothing
exits 3 "check of a library that is not there" "$cotangent" check --backend ./nothing.so
done_testing
