"""usage: on_device.py DEVICE FILE...: finished blocks as a run on another device would have written them."""

import pathlib
import re
import sys


def digest(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return value


for path in map(pathlib.Path, sys.argv[2:]):
    heading, *lines = path.read_text().splitlines()
    heading = re.sub(" device=[^ ]*", f" device={sys.argv[1].replace(' ', '%20')}", heading)
    for at, line in enumerate(lines):
        words = " ".join([*line.split()[:-2], f"{digest(heading):016x}"])
        lines[at] = f"{words} {digest(words) >> 32:08x}"
    path.write_text("\n".join([heading, *lines, ""]))
