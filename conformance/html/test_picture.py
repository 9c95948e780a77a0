"""usage: test_picture.py PAGE JUDGEMENT: counts the red boxes of the last picture of a page, and prints their number.

The picture must be that of the wrong cells which `judge --format json` lists one by one: a box is red where one of its
cells is wrong. Each output is a picture of its own.
"""

import json
import re
import sys


def pictures(page):
    """The places of the red boxes and the number of all boxes, of each picture, in the page's order."""
    for picture in re.findall(r"<svg role[^>]*wrong cells.*?</svg>", page, re.DOTALL):
        boxes = re.findall(r'<rect class="(\w+)" x="(\d+)"', picture)
        yield {int(x) // 10 for kind, x in boxes if kind == "wrong"}, len(boxes)


def expected(judgement):
    outputs = judgement["wrong_cells"]
    cells = judgement["cells"] // len(outputs)
    boxes = min(cells, 64)
    for runs in outputs.values():
        yield {i * boxes // cells for first, last in runs for i in range(first, last + 1)}, boxes


def main(page, judgement):
    want = list(expected(judgement))
    seen = list(pictures(page))[-len(want) :]
    print(
        f"{judgement['pattern']['kind']}: red are {[len(red) for red, _ in seen]} of {[all for _, all in seen]} boxes"
    )
    if seen != want:
        print(f"seen {seen}, expected {want}")
    return seen != want


if __name__ == "__main__":
    with open(sys.argv[1]) as html, open(sys.argv[2]) as told:
        sys.exit(main(html.read(), json.load(told)))
