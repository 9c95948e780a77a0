"""Why a framework deviates from its convention: each deviation of a check gets a class by the rows of deviations.txt.

What the classes are is said in artefacts.txt, which `cotangent replay` reads too.
"""

import fnmatch
import pathlib
import re
import typing

HERE = pathlib.Path(__file__).parent


class Deviation(typing.NamedTuple):
    """A case that fails. The first seven are what rows speak of."""

    framework: str
    level: str
    op: str
    type: str
    extent: str
    generator: str
    clause: str
    id: str
    lost: bool  # no verdict: the process died, or was late
    shown: str  # the smallest case like it, where one was looked for


class Artefact(typing.NamedTuple):
    sentence: str
    vectors: str  # the first glob of vectors that show it, or ""


def read_deviation(framework, failure):
    op, element, shape, axis, _layout, generator, _options = failure["id"].split("/")
    extent = "-" if axis == "-" else shape.split("x")[int(axis)]
    circumstances = (framework, failure["level"] or "-", op, element, extent, generator, failure["clause"] or "-")
    return Deviation(*circumstances, failure["id"], bool(failure["lost"]), failure.get("shrunk") or failure["id"])


def deviations(report):
    framework = report["run"]["backend"]
    return [read_deviation(framework, failure) for row in report["rows"] for failure in row["failures"]]


def read_rules(path):
    """Rows of a class and seven columns, each a list of globs; the first that fits is the reason."""
    rows = (line.split() for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return [(name, tuple(column.split(",") for column in columns)) for name, *columns in rows]


def fits(rule, deviation):
    return all(any(fnmatch.fnmatchcase(what, glob) for glob in globs) for what, globs in zip(deviation, rule[1]))


def explain(rules, deviation):
    """The row that explains it; None: none does, or nothing was seen that could be explained."""
    return None if deviation.lost else next((rule for rule in rules if fits(rule, deviation)), None)


def read_artefacts(path):
    text = path.read_text()
    found = {}
    for name, sentence in re.findall(r"^class (\S+) (.*)$", text, re.M):
        first = re.search(r"^%s (\S+)$" % re.escape(name), text, re.M)
        found[name] = Artefact(sentence, first[1] if first else "")
    return found


class Reasons:
    """Rows and classes, from a folder that has both files."""

    def __init__(self, folder=HERE):
        self.rules = read_rules(folder / "deviations.txt")
        self.artefacts = read_artefacts(folder / "artefacts.txt")
        for rule in self.rules:
            if rule[0] not in self.artefacts or len(rule[1]) != 7:
                raise ValueError("deviations.txt: expected a class of artefacts.txt and seven columns: %s" % (rule,))

    def of(self, deviation):
        """The class's name, or None."""
        rule = explain(self.rules, deviation)
        return rule and rule[0]
