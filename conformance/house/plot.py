#!/usr/bin/env python3
"""Draws doc/accuracy.md as a picture: for each op and type the largest error over its bound.

usage: plot.py doc/accuracy.md > doc/accuracy.svg
"""

import html
import re
import sys

TYPES = {"f16": "#1d5fc2", "bf16": "#0b756f", "f32": "#b4450b", "f64": "#7a3db8"}
LEFT, TOP, ROW, WIDE, RIGHT = 120, 46, 18, 560, 30
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">
<title>The largest error of each gradient, as a share of its bound</title>
<style>text {{ font: 13px system-ui, sans-serif; fill: #1c1f26 }} .axis {{ stroke: #b4b9c3 }}</style>
<rect width="100%" height="100%" rx="8" fill="#faf9f6"/>"""


def rows_of(text):
    """op -> type -> error over bound"""
    rows = {}
    for op, kind, share in re.findall(r"^\| `(\w+)` \| (\w+) \|.*\| ([\d.e+-]+) \|$", text, flags=re.M):
        rows.setdefault(op, {})[kind] = float(share)
    return rows


def legend():
    for i, (kind, colour) in enumerate(TYPES.items()):
        x = LEFT + 80 * i
        yield f'<circle cx="{x}" cy="16" r="5" fill="{colour}"/><text x="{x + 10}" y="20">{kind}</text>'
    yield f'<text x="{LEFT + 340}" y="20">largest error / bound, at most 1</text>'


def draw(rows):
    bottom = TOP + ROW * len(rows)
    yield HEAD.format(width=LEFT + WIDE + RIGHT, height=bottom + 12)
    yield from legend()
    for share in (0, 0.25, 0.5, 0.75, 1):
        x = LEFT + WIDE * share
        yield f'<line class="axis" x1="{x}" x2="{x}" y1="{TOP - 6}" y2="{bottom}"/>'
        yield f'<text x="{x}" y="{TOP - 9}" text-anchor="middle">{share:g}</text>'
    for i, (op, shares) in enumerate(rows.items()):
        y = TOP + ROW * i + ROW / 2
        yield f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{html.escape(op)}</text>'
        for kind, share in shares.items():
            x = LEFT + WIDE * min(share, 1.02)
            yield f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{TYPES[kind]}" fill-opacity="0.75"/>'
    yield "</svg>"


if __name__ == "__main__":
    with open(sys.argv[1]) as file:
        print("\n".join(draw(rows_of(file.read()))))
