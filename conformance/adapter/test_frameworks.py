"""The page and the list that are committed fit each other and the rows that explain them. Exits 0 where all is well.

usage: python3 test_frameworks.py PAGE LIST
"""

import pathlib
import re
import sys

import deviations


def read_line(line):
    name, framework, level, clause, case = line.split()
    return name, deviations.read_deviation(framework, {"id": case, "level": level, "clause": clause, "lost": None})


def main(page, listed):
    page, lines = pathlib.Path(page).read_text(), pathlib.Path(listed).read_text().splitlines()
    reasons = deviations.Reasons()
    found = [read_line(line) for line in lines]
    for name, each in found:
        assert reasons.of(each) == name, (name, each)
    used = {id(deviations.explain(reasons.rules, each)) for _, each in found}
    assert all(id(rule) in used for rule in reasons.rules), [rule for rule in reasons.rules if id(rule) not in used]
    counts = re.findall(r"([0-9]+)\s+deviate,\s+[0-9]+\s+cells", page)
    assert sum(map(int, counts)) == len(lines) > 0, counts
    for name, artefact in reasons.artefacts.items():
        count = sum(name == other for other, _ in found)
        assert "| %s | %s | %d |" % (name, artefact.sentence, count) in page, name
        assert count or artefact.vectors, "nothing shows " + name
    for case in re.findall(r"^\| \S+ \| `\w+` \|.*`(\S+)` \|$", page, re.M):
        assert case.count("/") == 6, case


if __name__ == "__main__":
    main(*sys.argv[1:])
