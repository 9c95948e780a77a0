"""Draws the table of rooms as an SVG: a house each for the library, the device, the suite and the page.

Arrows say who includes whom.
"""

import html
import textwrap

COLUMNS = [
    [
        ("the page, and what measures", ("web", "bench", "doc")),
        ("the library", ("core", "backend_ref", "backend_cuda")),
    ],
    [("the software device", ("softgpu",))],
    [("the suite", ("conformance",))],
]
WIDTH, GAP_X, GAP_Y, MARGIN, LINE = 208, 16, 34, 18, 14
STYLE = """
text { font: 12px system-ui, sans-serif; fill: #444 } .room { font-weight: 600; font-size: 13.5px; fill: #111 }
.house { font-size: 15px; font-weight: 600; fill: #111 } .door { font-style: italic; fill: #7a4a00 }
rect.room { fill: #fff; stroke: #8a8a8a } rect.house { fill: #f4f5f7; stroke: none } \
path { fill: none; stroke: #5b7fb4; stroke-width: 1.3 }
@media (prefers-color-scheme: dark) { svg { background: #16181c } text { fill: #c4c7cc } .room, .house { fill: #f2f2f2 }
.door { fill: #e0b060 } rect.room { fill: #24272d; stroke: #6b6f76 } rect.house { fill: #1d2025 } \
path { stroke: #7fa3d8 } }
"""


class Box:
    """One room: its place, and the lines of text in it."""

    def __init__(self, rooms, name, house):
        inside = set(house)
        self.name = name
        self.arrows = [other for other in rooms.needed(name) if other in inside]
        outside = [other for other in rooms.sees[name] if other not in inside]
        self.purpose = textwrap.wrap(rooms.purpose[name], 30)
        self.doors = textwrap.wrap("sees " + ", ".join(outside), 28, break_long_words=False) if outside else []
        self.height = 27 + LINE * (len(self.purpose) + len(self.doors))
        self.x = self.y = 0

    def svg(self):
        yield f'<rect class="room" x="{self.x}" y="{self.y}" width="{WIDTH}" height="{self.height}" rx="6"/>'
        yield f'<text class="room" x="{self.x + 10}" y="{self.y + 17}">{html.escape(self.name)}</text>'
        for i, line in enumerate(self.purpose + self.doors):
            kind = ' class="door"' if i >= len(self.purpose) else ""
            yield f'<text{kind} x="{self.x + 10}" y="{self.y + 33 + LINE * i}">{html.escape(line)}</text>'


def layers(boxes):
    """Rooms in rows, each just below the lowest that includes it; rooms without part in it come last, two in a row."""
    viewers = {name: [box.name for box in boxes.values() if name in box.arrows] for name in boxes}
    depth = {}
    for box in boxes.values():  # the table names only rows above, so what a room sees has its depth already
        depth[box.name] = 1 + max((depth[other] for other in box.arrows), default=-1)
    for name in reversed(boxes):
        depth[name] = min((depth[viewer] for viewer in viewers[name]), default=depth[name] + 1) - 1
    alone = [box for box in boxes.values() if not box.arrows and not viewers[box.name]]
    rows = [
        [box for box in boxes.values() if depth[box.name] == level and box not in alone]
        for level in range(max(depth.values()) + 1)
    ]
    return [row for row in rows[::-1] if row] + [alone[i : i + 2] for i in range(0, len(alone), 2)]


def arrow(upper, lower):
    x0, y0, x1, y1 = upper.x + WIDTH / 2, upper.y + upper.height, lower.x + WIDTH / 2, lower.y - 3
    middle = (y0 + y1) / 2
    return f'<path d="M{x0},{y0} C{x0},{middle} {x1},{middle} {x1},{y1}" marker-end="url(#tip)"/>'


def draw_house(rooms, title, prefixes, left, top):
    """The SVG of a house, and its right and lower edge."""
    names = [name for name in rooms.names if name.split("/")[0] in prefixes]
    boxes = {name: Box(rooms, name, names) for name in names}
    rows = layers(boxes)
    width = max(len(row) for row in rows) * (WIDTH + GAP_X) - GAP_X + 2 * MARGIN
    y = top + 40
    for row in rows:
        x = left + (width - (len(row) * (WIDTH + GAP_X) - GAP_X)) / 2
        for box in row:
            box.x, box.y = x, y
            x += WIDTH + GAP_X
        y += max(box.height for box in row) + GAP_Y
    out = [
        f'<rect class="house" x="{left}" y="{top}" width="{width}" height="{y - top - GAP_Y + MARGIN}" rx="12"/>',
        f'<text class="house" x="{left + MARGIN}" y="{top + 26}">{title}</text>',
    ]
    out += [arrow(box, boxes[other]) for box in boxes.values() for other in box.arrows]
    out += [line for box in boxes.values() for line in box.svg()]
    return out, left + width, y - GAP_Y + MARGIN


def draw(rooms):
    """The whole picture, as text: a column of houses beside another."""
    body, left, bottom = [], MARGIN, 0
    for column in COLUMNS:
        top, right = MARGIN, left
        for title, prefixes in column:
            part, edge, low = draw_house(rooms, title, prefixes, left, top)
            body += part
            top, right, bottom = low + MARGIN, max(right, edge), max(bottom, low)
        left = right + MARGIN
    right, top = left, bottom + MARGIN
    tip = (
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0,0 L8,4 L0,8"/></marker></defs>'
    )
    size = f'viewBox="0 0 {right:g} {top:g}" width="{right:g}" height="{top:g}"'
    head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size}>', f"<style>{STYLE}</style>", tip]
    return "\n".join([*head, *body, "</svg>", ""])
