"""The protocol of porting.md for doc/spec.py: every op, element type, policy and layout, at level X.

Another module can be served instead, with its own `gradient` and what it declines, at the level that it claims.
"""

import struct
import sys

import numpy as np
import spec

HELLO, SELECT, CHECK, RUN = 1, 2, 3, 4
OK, UNSUPPORTED = 0, 3
ELEMENTS = {number: name for number, name in enumerate(spec.STORAGE, 1)}
OPS = {number: name for number, name in enumerate(spec.OPS, 1)}
FAMILIES = {"reduce": 1, "scan": 2, "binary": 3, "binary_param": 4, "softmax": 5}
OPERANDS = ("dy", "x", "y", "a", "b", "dx", "da", "db")
NO_ORDER, FOLD, SCAN, ANOTHER, SEQUENTIAL = range(5)
ORDERS = dict.fromkeys(("var", "std", "softmax", "log_softmax"), FOLD)
ORDERS.update({op: SCAN for op, (_, family, _) in spec.OPS.items() if family == "scan"})


class Port:
    """What is served: a name, a gradient, what it declines (a reason, or None), and whether it has the spec's bits.

    `checks` refuses calls in the library's place: its select and can_implement answer with a status, or None.
    """

    def __init__(
        self, name="spec.py", gradient=spec.gradient, declines=lambda problem: None, identical=True, checks=None
    ):
        self.name, self.gradient, self.declines, self.identical = name, gradient, declines, identical
        self.checks = checks

    def order(self, op):
        order = ORDERS.get(op, NO_ORDER)
        return order if self.identical or order == NO_ORDER else SEQUENTIAL


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


def status(code, words="", operand=0, needed=0, got=0):
    return struct.pack("<5q", code, operand, needed, got, 0) + text(words)  # 0: native


class Problem:
    """A descriptor as it travels."""

    def __init__(self, message):
        _growth, _unknown, self.op, self.family, self.element, self.rank = message.ints(6)
        self.shape = message.ints(8)[: self.rank]
        self.axis, self.reverse, self.correction = message.ints(3)
        (self.param,) = struct.unpack("<d", message.bytes(8))
        self.policies = message.bytes(16)

    def unknown(self):
        """What SPEC.md has and spec.py has not: nothing, or its name."""
        if self.op not in OPS or self.element not in ELEMENTS:
            return "op %d, element %d" % (self.op, self.element)
        lengths = [len(values) for values in spec.POLICIES.values()]
        lengths += [1] * (16 - len(lengths))
        wrong = [i for i, value in enumerate(self.policies) if value >= lengths[i]]
        return "policy %d" % wrong[0] if wrong else None

    def call(self):
        real = np.float64 if ELEMENTS[self.element] == "f64" else np.float32
        n = 1 if spec.OPS[OPS[self.op]][1].startswith("binary") else self.shape[self.axis]
        chosen = {name: values[self.policies[i]] for i, (name, values) in enumerate(spec.POLICIES.items())}
        call = spec.Call(n, real, self.correction, self.reverse != 0, self.param, **chosen)
        call.element = ELEMENTS[self.element]
        return call


def select(port, message):
    problem = Problem(message)
    refusal = port.checks and port.checks.select(problem)
    if refusal:
        return refusal
    unknown = problem.unknown() or port.declines(problem)
    if unknown:
        return status(UNSUPPORTED, port.name + " does not do " + unknown)
    op = OPS[problem.op]
    compute = max(problem.element, 3)
    # category, op, element, aux, layouts: all, epilogue, arch
    sku = struct.pack("<7q", FAMILIES[spec.OPS[op][1]], problem.op, problem.element, 0, 15, 0, 0)
    # math, accumulator, order, bound; deterministic, stable, identical
    promise = struct.pack("<3qd3q", compute, compute, port.order(op), -1.0, 1, 1, port.identical)
    # no software device, no workspace
    return status(OK) + sku + text(port.name) + text("numpy") + promise + struct.pack("<2q", 0, 0)


def read_views(message):
    """Block, offset, shape, strides and length of each operand that there is."""
    views = {}
    for name in OPERANDS:
        if message.int():
            _element, rank, block, offset, length = message.ints(5)
            shape, strides = message.ints(8), message.ints(8)
            views[name] = (block, offset, shape[:rank], strides[:rank], length)
    return views


def check(port, message):
    return port.checks.can_implement(Problem(message), read_views(message)) or status(OK)


def run(port, message):
    problem = Problem(message)
    element, op = ELEMENTS[problem.element], OPS[problem.op]
    views = read_views(message)
    sizes = message.ints(message.int())
    message.ints(3)  # the workspace: block, offset, bytes
    blocks = [bytearray(message.bytes(size)) for size in sizes]

    def cells(name):
        block, offset, shape, strides, _length = views[name]
        dtype = np.dtype(spec.STORAGE[element])
        return np.ndarray(shape, dtype, blocks[block], offset, [stride * dtype.itemsize for stride in strides])

    used = ["dy"] + spec.OPS[op][2].split()  # others may hold anything
    operands = {name: spec.load(cells(name), element) for name in used}
    results = port.gradient(op, problem.call(), operands, problem.axis)
    for name, values in zip(("dx",) if len(results) == 1 else ("da", "db"), results):
        cells(name)[...] = spec.store(values, element)
    return status(OK) + b"".join(blocks)


def answer(port, message):
    kind = message.int()
    if kind == HELLO:
        validates = struct.pack("<q", port.checks is not None)
        return struct.pack("<q", kind) + status(OK) + struct.pack("<q", 1) + text(port.name) + validates
    return struct.pack("<q", kind) + {SELECT: select, CHECK: check, RUN: run}[kind](port, message)


def serve(port=None):
    port = port or Port()
    while head := sys.stdin.buffer.read(8):
        reply = answer(port, Message(sys.stdin.buffer.read(struct.unpack("<q", head)[0])))
        sys.stdout.buffer.write(struct.pack("<q", len(reply)) + reply)
        sys.stdout.buffer.flush()
