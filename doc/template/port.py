"""A port that speaks the protocol of doc/porting.md instead of being linked: mul in f32 and f64, in NumPy.

usage: cotangent check --backend "process:python3 port.py"
"""

import struct
import sys

import numpy as np

HELLO, SELECT, CHECK, RUN = 1, 2, 3, 4
OK, UNSUPPORTED = 0, 3
MUL = 17
DTYPES = {3: np.float32, 4: np.float64}
OPERANDS = ("dy", "x", "y", "a", "b", "dx", "da", "db")


class Message:
    """Numbers are 64 bits, little-endian; text is its length and its bytes."""

    def __init__(self, body):
        self.body, self.at = body, 0

    def ints(self, count):
        self.at += 8 * count
        return struct.unpack_from("<%dq" % count, self.body, self.at - 8 * count)

    def int(self):
        return self.ints(1)[0]

    def bytes(self, count):
        self.at += count
        return self.body[self.at - count : self.at]


def text(words):
    return struct.pack("<q", len(words)) + words.encode()


def status(code, words=""):
    return struct.pack("<5q", code, 0, 0, 0, 0) + text(words)  # code, operand, needed, got, native, message


def read_desc(message):
    _growth, _unknown, op, _family, element, _rank = message.ints(6)
    message.ints(8 + 3)  # shape; axis, reverse, correction
    message.bytes(8 + 16)  # param; policies
    return op, element


def read_views(message):
    views = {}
    for name in OPERANDS:
        if message.int():
            _element, _rank, block, offset, length = message.ints(5)
            message.ints(8 + 8)  # shape, strides: contiguous, as the sku asks for
            views[name] = (block, offset, length)
    return views


def select(message):
    op, element = read_desc(message)
    if op != MUL or element not in DTYPES:
        return status(UNSUPPORTED, "only mul in f32 and f64")
    # category, op, element, aux, layouts: contiguous, epilogue, arch
    sku = struct.pack("<7q", 3, op, element, 0, 1, 0, 0)
    # math, accumulator, order, bound; deterministic, stable, identical
    promise = struct.pack("<3qd3q", element, element, 0, -1.0, 1, 1, 1)
    # no software device, no workspace
    return status(OK) + sku + text("port.py") + text("numpy") + promise + struct.pack("<2q", 0, 0)


def run(message):
    _op, element = read_desc(message)
    views = read_views(message)
    sizes = message.ints(message.int())
    message.ints(3)  # the workspace: block, offset, bytes
    blocks = [np.frombuffer(message.bytes(size), np.uint8).copy() for size in sizes]

    def cells(name):  # of the operands that the op uses: others may hold anything
        block, offset, length = views[name]
        return blocks[block][offset : offset + length * DTYPES[element]().itemsize].view(DTYPES[element])

    with np.errstate(all="ignore"):
        cells("da")[:], cells("db")[:] = cells("dy") * cells("b"), cells("dy") * cells("a")
    return status(OK) + b"".join(block.tobytes() for block in blocks)


def answer(message):
    kind = message.int()
    if kind == HELLO:
        return struct.pack("<q", kind) + status(OK) + struct.pack("<q", 1) + text("port.py") + struct.pack("<q", 0)
    return struct.pack("<q", kind) + (select if kind == SELECT else run)(message)


while head := sys.stdin.buffer.read(8):
    reply = answer(Message(sys.stdin.buffer.read(struct.unpack("<q", head)[0])))
    sys.stdout.buffer.write(struct.pack("<q", len(reply)) + reply)
    sys.stdout.buffer.flush()
