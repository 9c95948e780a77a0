#!/usr/bin/env python3
"""Draws what a command prints on a terminal of 80 columns, colours and all, as SVG.

usage: terminal.py COMMAND [ARGUMENT...] > FILE.svg
README's are made by `make pictures`.
"""

import html
import os
import pty
import re
import shlex
import struct
import sys
import termios
from fcntl import ioctl

COLUMNS = 80
CELL, LEADING, MARGIN = 8.43, 19, 14  # of a monospaced font of 14 pixels
STYLES = {"31": "bad", "32": "good", "2": "faint"}
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" role="img">
<title>{title}</title>
<style>
text {{ font: 14px ui-monospace, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #e6e8ec; white-space: pre }}
.bad {{ fill: #ff8d85; font-weight: 700 }} .good {{ fill: #7fd6a0 }} .faint {{ fill: #9aa2af }}
</style>
<rect width="100%" height="100%" rx="8" fill="#14171c"/>"""


def printed(command):
    """What the command writes to a terminal."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm"
        os.environ.pop("NO_COLOR", None)
        ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 50, COLUMNS, 0, 0))
        os.execvp(command[0], command)
    seen = b""
    while True:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        seen += more
    os.waitpid(child, 0)
    return seen.decode().replace("\r\n", "\n")


def pieces(text):
    """Pieces of text in one style each, with the row and the column where they begin."""
    row, column, style = 0, 0, ""
    for part in re.split(r"(\033\[[0-9;]*m|\n)", text):
        code = re.fullmatch(r"\033\[([0-9;]*)m", part)
        if code:
            style = next((STYLES[one] for one in code[1].split(";") if one in STYLES), "")
        elif part == "\n":
            row, column = row + 1, 0
        elif not code and part:
            assert column + len(part) <= COLUMNS, f"a terminal would break this: {part}"
            yield row, column, style, part
            column += len(part)


def prompt(command):
    """The command as a person types it: where it is too long, options go on below."""
    lines = ["$"]
    for words in re.findall(r".+?(?= --|$)", shlex.join(command)):
        words = words.strip()
        if len(lines[-1]) + 1 + len(words) > COLUMNS - len(" \\"):
            lines[-1] += " \\"
            lines.append("   ")
        lines[-1] += " " + words
    return "\n".join(lines)


def draw(command):
    text = re.sub(r"[^\n]*\r\033\[K", "", printed(command))  # progress, written over
    drawn = list(pieces(f"{prompt(command)}\n{text.rstrip()}"))
    height = 2 * MARGIN + LEADING * (drawn[-1][0] + 1)
    print(HEAD.format(width=2 * MARGIN + CELL * COLUMNS, height=height, title=html.escape(shlex.join(command))))
    for row, column, style, part in drawn:
        if part.strip():
            x, y = MARGIN + CELL * column, MARGIN + LEADING * row + 14
            known = f' class="{style}"' if style else ""
            size = f'textLength="{CELL * len(part):.2f}" lengthAdjust="spacingAndGlyphs"'
            print(f'<text x="{x:.2f}" y="{y}" {size}{known} xml:space="preserve">{html.escape(part)}</text>')
    print("</svg>")


if __name__ == "__main__":
    draw(sys.argv[1:])
