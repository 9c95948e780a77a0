#!/usr/bin/env python3
"""Whole sweeps, from their directories, as the rows of whole.tsv and parts.txt.

usage: whole.py TABLE PARTS DIR...: writes a row of TABLE for each finished sweep (op, type, dy, cells, edges, failed
cells, the largest error over its bound, digest), and to PARTS, in lines of 16, the first half of the digest of each of
its 256 parts, of which part I/256 is every 256th block from the I-th on.
"""

import pathlib
import sys

PARTS = 256
MASK = 2**64 - 1


def text_digest(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & MASK
    return value


def joined(digests):
    """As the report of a sweep joins those of its blocks."""
    whole = text_digest("")
    for one in digests:
        whole = (whole ^ one) * 0x9E3779B97F4A7C15 & MASK
        whole ^= whole >> 32
    return whole


def read(directory):
    """The words of the heading, and of each block its words."""
    words, blocks = {}, {}
    for path in sorted(pathlib.Path(directory).glob("blocks-*")):
        heading, *lines = path.read_text().split("\n")[:-1]
        words = dict(word.split("=", 1) for word in heading.split() if "=" in word)
        for line in lines:
            block, *rest = line.split()
            blocks[int(block)] = rest
    return words, blocks


def tell(directory, table, parts):
    words, blocks = read(directory)
    if words["blocks"] != "0-65535/65536" or len(blocks) != 65536 or words["backend"] != "ref":
        return print(f"{directory}: not a whole sweep of the reference, {len(blocks)} blocks", file=sys.stderr)
    digests = [int(blocks[block][0], 16) for block in range(65536)]
    cells, edges, failed = (sum(int(one[at]) for one in blocks.values()) for at in (1, 2, 6))
    worst = max(float(one[5]) for one in blocks.values())
    dy = f"{float(words['dy']):g}"
    name = f"{words['op']}\t{words['dtype']}\t{dy}"
    print(name, cells, edges, failed, f"{worst:.17g}", f"{joined(digests):016x}", sep="\t", file=table)
    halves = [f"{joined(digests[part::PARTS]) >> 32:08x}" for part in range(PARTS)]
    for first in range(0, PARTS, 16):
        print(words["op"], words["dtype"], dy, first + 1, *halves[first : first + 16], sep=" ", file=parts)


if __name__ == "__main__":
    with open(sys.argv[1], "w") as rows, open(sys.argv[2], "w") as halves_of:
        for one in sys.argv[3:]:
            tell(one, rows, halves_of)
