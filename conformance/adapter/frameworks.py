"""doc/frameworks.md: PyTorch and JAX judged under their own conventions, from the JSON reports of `cotangent check`.

usage: python3 frameworks.py FRAMEWORK=VERSION=REPORT.json... > doc/frameworks.md
"""

import json
import pathlib
import re
import sys

NAMES = {"torch": "PyTorch", "jax": "JAX", "numpy": "NumPy"}
LEVELS = {"E": "edges", "B": "bound", "D": "stable", "I": "invariant", "X": "bits", None: "none"}

HEAD = """# Frameworks

`./quickstart frameworks` makes this page anew. The gradients of PyTorch and JAX, on a processor, judged cell by cell
under the conventions that carry their names ([SPEC.md](SPEC.md), section 12). What a framework does by accident of its
evaluation is not reproduced by a convention; it shows here as a deviation, each with a case that repeats it:
`cotangent check --backend FRAMEWORK --case ID`.

In the tables a mark is the level that all cases of the op and type have reached (*edges*: every NaN, infinity and zero
is as the convention says; *bound*: and every number is within its error bound), or how many of the cases deviate; the
worst error over its bound; and the grade of the op's sum. JAX takes no saved y: where its own is another number than
the case's, its gradient is judged as that of the case's y all the same.
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


def deviations(rows):
    """One row for each op and clause: how often, in which types, and the shortest case that shows it."""
    groups = {}
    for row in rows:
        for failure in row["failures"]:
            group = groups.setdefault((row["op"], failure.get("clause")), {"dtypes": {}, "ids": []})
            group["dtypes"][row["dtype"]] = group["dtypes"].get(row["dtype"], 0) + 1
            group["ids"].append(failure.get("shrunk") or failure["id"])
    if groups:
        yield from ("", "| op | clause | cases | for example |", "|---|---|---|---|")
    for (op, clause), group in groups.items():
        counts = ", ".join("%s %d" % each for each in group["dtypes"].items())
        yield "| `%s` | %s | %s | `%s` |" % (op, clause or "-", counts, min(group["ids"], key=len))


def section(name, version, report):
    run, totals = report["run"], report["totals"]
    yield from ("", "## %s %s" % (NAMES[name], version), "")
    part = "" if run["shard"] == "1/1" else ", part %s" % run["shard"]
    yield "The %s range%s, contiguous operands: %d cases judged, %d deviate, %d cells." % (
        run["range"],
        part,
        totals["cases"],
        totals["failed"],
        totals["cells"],
    )
    if run["ended"]:
        yield "The run did not come to its end: %s." % run["ended"]
    yield "Skipped:"
    yield ""
    for why in report["not_done"]:
        yield "- %d cases: %s (`%s`)" % (why["cases"], why["why"], why["first"])
    yield ""
    yield from table(report["rows"])
    yield from deviations(report["rows"])


def artefacts():
    """The classes of the list that vectors are replayed with, and the first of the vectors of each."""
    text = (pathlib.Path(__file__).parent / "artefacts.txt").read_text()
    yield from (
        "",
        "## Artefacts",
        "",
        "Why they deviate, as the vectors of `conformance/adapter/vectors.jsonl` show it.",
    )
    if re.search("^pending ", text, re.M):
        yield "*Pending* are rules that a policy could follow, and none does yet."
    yield from ("", "| class | what | vectors, for example |", "|---|---|---|")
    for kind, name, sentence in re.findall(r"^(class|pending) (\S+) (.*)$", text, re.M):
        first = re.search(r"^%s (\S+)$" % re.escape(name), text, re.M)
        pending = " (pending)" if kind == "pending" else ""
        yield "| %s%s | %s | `%s` |" % (name, pending, sentence, first[1] if first else "")


def main(arguments):
    print(HEAD.rstrip("\n"))
    for argument in arguments:
        name, version, path = argument.split("=", 2)
        print("\n".join(section(name, version, json.loads(pathlib.Path(path).read_text()))))
    print("\n".join(artefacts()))


if __name__ == "__main__":
    main(sys.argv[1:])
