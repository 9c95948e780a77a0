#!/usr/bin/env python3
"""Draws measured tables as pictures: a dot for each op and series, on one axis or two.

usage: plot.py doc/accuracy.md > doc/accuracy.svg      error over bound, by op and type
       plot.py doc/reference.md > doc/bandwidth.svg    the reference's bandwidth against a copy, by op
       plot.py bench/counters.txt > doc/counters.svg   what the GPU kernels cost on the software device, by op
"""

import html
import itertools
import math
import pathlib
import re
import sys

TYPES = {"f16": "#1d5fc2", "bf16": "#0b756f", "f32": "#b4450b", "f64": "#7a3db8"}
WAYS = {"along rows": "#1d5fc2", "down columns": "#b4450b", "no axis": "#0b756f"}
LEFT, TOP, ROW, WIDE, RIGHT = 120, 46, 18, 560, 30
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" role="img">
<title>{title}</title>
<style>text {{ font: 13px system-ui, sans-serif; fill: #1c1f26 }} .axis {{ stroke: #b4b9c3 }}</style>
<rect width="100%" height="100%" rx="8" fill="#faf9f6"/>"""


class Axis:
    """From `start` on, `wide` pixels; marks are where lines stand, the first and the last at its ends."""

    def __init__(self, says, marks, start=LEFT, wide=WIDE, power=False):
        self.says, self.marks, self.start, self.wide = says, marks, start, wide
        self.scale = math.log if power else float

    def place(self, value):
        first, last, at = (self.scale(one) for one in (self.marks[0], self.marks[-1], value))
        return self.start + self.wide * min((at - first) / (last - first), 1.02)


# ---- the tables: op -> series -> a value for each axis ---------------------------------------------------------------


def accuracy(text):
    rows = {}
    for op, kind, share in re.findall(r"^\| `(\w+)` \| (\w+) \|.*\| ([\d.e+-]+) \|$", text, flags=re.M):
        rows.setdefault(op, {})[kind] = [float(share)]
    return rows


def bandwidth(text):
    """A cell of the table is `op ROWS / COLUMNS`; it is read column by column."""
    table = text[text.index("**Bandwidth**") :].split("\n\n")[1]
    cells = [re.findall(r"\| (\w+) ([\d.]+) / ([\d.]+) (?=\|)", line) for line in table.splitlines()]
    in_turn = [cell for column in itertools.zip_longest(*cells) for cell in column if cell]
    return {op: {"along rows": [float(rows)], "down columns": [float(columns)]} for op, rows, columns in in_turn}


def counters(text):
    """Of 1,024 x 1,024 cells of f32, under the spec's own policies."""
    rows, ways = {}, {"1": "along rows", "0": "down columns", "-": "no axis"}
    for line in text.splitlines():
        op, dtype, shape, axis, instructions, sectors, *_ = line.split()
        if (dtype, shape) == ("f32", "1024x1024") and "," not in op:
            rows.setdefault(op, {})[ways[axis]] = [float(instructions), float(sectors)]
    return rows


DRAWINGS = {
    "accuracy": (
        accuracy,
        "The largest error of each gradient, as a share of its bound",
        TYPES,
        [Axis("largest error / bound, at most 1", (0, 0.25, 0.5, 0.75, 1))],
    ),
    "reference": (
        bandwidth,
        "The bandwidth of each gradient on a processor, as a share of a copy's",
        dict(list(WAYS.items())[:2]),
        [Axis("bytes a second / a copy's", (0, 0.25, 0.5, 0.75, 1, 1.25, 1.5))],
    ),
    "counters": (
        counters,
        "What each gradient's kernels cost: PTX instructions a cell, and sectors moved beside the fewest",
        WAYS,
        [
            Axis("PTX instructions a cell", (1, 4, 16, 64, 256, 512), wide=330, power=True),
            Axis("sectors / the fewest", (1, 1.25, 1.5, 1.75), start=LEFT + 370, wide=190),
        ],
    ),
}

# ---- drawing ---------------------------------------------------------------------------------------------------------


def legend(series, axes):
    step = 80 if len(series) > 3 else 120
    for i, (name, colour) in enumerate(series.items()):
        x = LEFT + step * i
        yield f'<circle cx="{x}" cy="16" r="5" fill="{colour}"/><text x="{x + 10}" y="20">{name}</text>'
    if len(axes) == 1:
        yield f'<text x="{LEFT + 340}" y="20">{axes[0].says}</text>'


def lines(axis, top, bottom):
    for mark in axis.marks:
        x = axis.place(mark)
        yield f'<line class="axis" x1="{x:g}" x2="{x:g}" y1="{top - 6}" y2="{bottom}"/>'
        yield f'<text x="{x:g}" y="{top - 9}" text-anchor="middle">{mark:g}</text>'


def draw(rows, title, series, axes):
    top = TOP + (20 if len(axes) > 1 else 0)
    bottom = top + ROW * len(rows)
    yield HEAD.format(width=LEFT + WIDE + RIGHT, height=bottom + 12, title=html.escape(title))
    yield from legend(series, axes)
    for axis in axes:
        if len(axes) > 1:
            yield f'<text x="{axis.start}" y="{top - 27}" font-weight="bold">{axis.says}</text>'
        yield from lines(axis, top, bottom)
    for i, (op, values) in enumerate(rows.items()):
        y = top + ROW * i + ROW / 2
        yield f'<text x="{LEFT - 10}" y="{y + 4}" text-anchor="end">{html.escape(op)}</text>'
        for name, all_values in values.items():
            for axis, value in zip(axes, all_values, strict=True):
                x = axis.place(value)
                yield f'<circle cx="{x:.1f}" cy="{y}" r="5" fill="{series[name]}" fill-opacity="0.75"/>'
    yield "</svg>"


def main(file):
    table, title, series, axes = DRAWINGS[file.stem]
    rows = table(file.read_text())
    if not rows:
        sys.exit(f"{file}: no row to draw")
    print("\n".join(draw(rows, title, series, axes)))


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
