"""The table of doc/seeds.md: how far doc/seeds.py gets.

usage: cotangent check --backend "process:python3 doc/seeds.py" --format json > report.json
       python3 doc/seeds_table.py report.json...    reports of several parts are added up
"""

import collections
import json
import sys

LEVELS = {"E": "edges", "B": "bound", "D": "stable", "I": "invariant"}
DTYPES = ("f16", "bf16", "f32", "f64")


def reached(failures):
    """The last level without a failure; in brackets the cases that fail."""
    if not failures:
        return "invariant"
    letters = list(LEVELS)
    lowest = min(letters.index(failure["level"]) for failure in failures)
    return "%s (%d)" % (LEVELS[letters[lowest - 1]] if lowest else "none", len(failures))


def main(reports):
    failures, totals = collections.defaultdict(list), collections.Counter()
    for report in reports:
        for row in report["rows"]:
            failures[row["op"], row["dtype"]] += row["failures"]
        totals.update({key: report["totals"][key] for key in ("cases", "failed", "unsupported")})
    ops = list(dict.fromkeys(op for op, _ in failures))
    print("| op | f16 | bf16 | f32 | f64 | clauses that stop it |\n|---|---|---|---|---|---|")
    for op in ops:
        clauses = collections.Counter(failure["clause"] for dtype in DTYPES for failure in failures[op, dtype])
        levels = " | ".join(reached(failures[op, dtype]) for dtype in DTYPES)
        print("| `%s` | %s | %s |" % (op, levels, ", ".join(clause for clause, _ in clauses.most_common(3))))
    right = [[not failures[op, dtype] for dtype in DTYPES] for op in ops]
    print("\n%d of %d ops pass in all types," % (sum(map(all, right)), len(ops)), end=" ")
    print("%d of %d combinations of op and type." % (sum(map(sum, right)), 4 * len(ops)), end=" ")
    print("%d cases, %d failed, %d not done." % (totals["cases"], totals["failed"], totals["unsupported"]))


main([json.load(open(path)) for path in sys.argv[1:]])
