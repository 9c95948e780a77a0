"""doc/frameworks.md: PyTorch and JAX judged under their own conventions, from the JSON reports of `cotangent check`.

usage: python3 frameworks.py [--reasons FOLDER] PAGE.md LIST.txt REPORT.json...

Writes the page, and the list of every case that deviates: class, framework, level, clause, id. Where a deviation has no
class by deviations.txt, it is printed, nothing is written, and the exit status is 1. A report that is not whole is said
to be none; FOLDER is where deviations.txt and artefacts.txt lie.
"""

import argparse
import collections
import json
import pathlib
import sys
import textwrap

import deviations

LEVELS = {"E": "edges", "B": "bound", "D": "stable", "I": "invariant", "X": "bits", None: "none"}

HEAD = """# Frameworks

`./quickstart frameworks` makes this page anew. The gradients of PyTorch and JAX, on a processor, are judged cell by
cell under the conventions that carry their names ([SPEC.md](SPEC.md), section 12). What a framework does by accident
of its evaluation is not reproduced by a convention; it shows here as a deviation. Each has a class, which says why
(`conformance/adapter/deviations.txt` says which is whose; one without a class fails the command), and each is a case
that anybody can repeat, `cotangent check --backend FRAMEWORK --case ID`: [frameworks.txt](frameworks.txt) has them all.
What baracuda's kernels do is in [baracuda.md](baracuda.md).

In the tables a mark is the level that all cases of the op and type have reached (*edges*: every NaN, infinity and zero
is as the convention says; *bound*: and every number is within its error bound), or how many of the cases deviate; the
worst error over its bound; and the grade of the op's sum. The letter of a deviation is the level that it misses. JAX
takes no saved y: where its own is another number than the case's, its gradient is judged as that of the case's y all
the same. It is called as a program without `jax.jit` calls it, its functions compiled one by one; compiled as a whole,
max and min select where they multiply here, which vectors marked `[jit]` show.

Calls that must be refused (`bad=`) ask for the spec's policies, and are skipped where the op heeds any.
"""


def mark(row):
    worst = row["worst"]
    text = "%d of %d deviate" % (row["failed"], row["cases"]) if row["failed"] else LEVELS[row["level"]]
    text += ", " + ("inf" if worst is None else "%.3g" % worst)
    return text + (", " + row["grade"] if row["grade"] else "")


def table(rows):
    dtypes = list(dict.fromkeys(row["dtype"] for row in rows if row["cases"]))
    cells = {(row["op"], row["dtype"]): mark(row) for row in rows if row["cases"]}
    yield "| op | %s |" % " | ".join(dtypes)
    yield "|---" * (1 + len(dtypes)) + "|"
    for op in dict.fromkeys(row["op"] for row in rows):
        if any((op, dtype) in cells for dtype in dtypes):
            yield "| `%s` | %s |" % (op, " | ".join(cells.get((op, dtype), "") for dtype in dtypes))


def counts(names):
    """f16 3, f64 1"""
    return ", ".join("%s %d" % each for each in collections.Counter(names).items())


def by_class(found, reasons):
    """A row for each class and op: how many cases, in which types, and the shortest that shows it."""
    groups = collections.defaultdict(list)
    for each in found:
        groups[reasons.of(each), each.op].append(each)
    if groups:
        yield from ("", "| class | op | cases | levels | for example |", "|---|---|---|---|---|")
    for name, op in sorted(groups, key=lambda key: list(reasons.artefacts).index(key[0])):
        group = groups[name, op]
        example = min((each.shown for each in group), key=len)
        cells = (name, op, counts(each.type for each in group), counts(each.level for each in group), example)
        yield "| %s | `%s` | %s | %s | `%s` |" % cells


def chosen(run):
    """What was to be judged: the whole range, or cases that were named; in words."""
    cases = run["selection"].get("cases")
    if not cases:
        part = "" if run["shard"] == "1/1" else ", part %s" % run["shard"]
        return "The %s range%s, contiguous operands" % (run["range"], part)
    names = [case.split("/") for case in cases]
    many = [len({name[column] for name in names}) for column in (0, 1, 5)]
    shape, same = collections.Counter(name[2] for name in names).most_common(1)[0]
    words = (len(names), *many, same, shape, len(names) - same)
    return (
        "Not the whole range, which takes a day where all shapes are compiled: %d cases of"
        " `conformance/adapter/subset.py` (%d ops, %d types, %d generators; %d cases of shape %s,"
        " and %d of the quick range's own)" % words
    )


def section(report, found, reasons):
    run, totals = report["run"], report["totals"]
    yield from ("", "## %s" % (run["device"] or run["backend"]), "")
    words = (chosen(run), totals["cases"], totals["failed"], totals["cells"])
    yield from textwrap.wrap("%s: %d cases judged, %d deviate, %d cells." % words, 120)
    if run["selection"].get("cases"):
        yield "The whole: `cotangent check --backend %s --convention %s --layout contig`." % ((run["backend"],) * 2)
    if run["ended"]:
        yield "The run did not come to its end: %s." % run["ended"]
    if report["not_done"]:
        yield from ("Skipped:", "")
    for why in report["not_done"]:
        yield "- %d cases: %s (`%s`)" % (why["cases"], why["why"], why["first"])
    yield ""
    yield from table(report["rows"])
    yield from by_class(found, reasons)


def classes(found, reasons):
    """Those that something shows: a vector, or a case of these checks."""
    yield from ("", "## Classes", "", "Vectors are those of `conformance/adapter/vectors.jsonl`.", "")
    yield from ("| class | why | cases | vectors, for example |", "|---|---|---|---|")
    cases = collections.Counter(reasons.of(each) for each in found)
    for name, artefact in reasons.artefacts.items():
        vectors = "`%s`" % artefact.vectors if artefact.vectors else "none: a case alone shows it"
        yield "| %s | %s | %d | %s |" % (name, artefact.sentence, cases[name], vectors)


def read_report(path):
    """None where the check did not get as far as to write one."""
    try:
        return json.loads(pathlib.Path(path).read_text())
    except (OSError, json.JSONDecodeError):
        return None


def page(paths, reports, found, reasons):
    yield HEAD.rstrip("\n")
    for path, report in zip(paths, reports):
        if report:
            own = [each for each in found if each.framework == report["run"]["backend"]]
            yield from section(report, own, reasons)
        else:
            yield from ("", "## %s" % pathlib.Path(path).stem, "", "The check left no report.")
    yield from classes(found, reasons)


def write(path, lines):
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def main():
    usage = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    usage.add_argument("--reasons", type=pathlib.Path, default=deviations.HERE)
    usage.add_argument("page")
    usage.add_argument("list")
    usage.add_argument("reports", nargs="+")
    asked = usage.parse_args()
    reasons = deviations.Reasons(asked.reasons)
    reports = [read_report(path) for path in asked.reports]
    found = [each for report in reports if report for each in deviations.deviations(report)]
    strange = [each for each in found if not reasons.of(each)]
    for each in strange:
        print("no class: %s %s %s %s" % (each.framework, each.level, each.clause, each.id), file=sys.stderr)
    if strange:
        sys.exit("%d of %d deviations have no class in deviations.txt" % (len(strange), len(found)))
    write(asked.page, page(asked.reports, reports, found, reasons))
    write(asked.list, ("%s %s %s %s %s" % (reasons.of(e), e.framework, e.level, e.clause, e.id) for e in found))


if __name__ == "__main__":
    main()
