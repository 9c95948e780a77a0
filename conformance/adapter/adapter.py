"""What the adapters share: the protocol of doc/porting.md, and a call's operands as arrays.

An adapter is started with one argument, the library's tables as JSON. It calls serve() with a function that says why
a problem is not done, and one that computes its gradient.
"""

import json
import struct
import sys

try:
    import numpy as np
except ImportError:
    sys.exit("it has no NumPy: set COTANGENT_PYTHON to a Python that has")

HELLO, SELECT, CHECK, RUN = 1, 2, 3, 4
OK, UNSUPPORTED, INTERNAL = 0, 3, 5
CONTIGUOUS = 1
OPERANDS = ("dy", "x", "y", "a", "b", "dx", "da", "db")
ARRAYS = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}  # bf16: its bits


class Message:
    """Numbers are 64 bits, little-endian; text is its length and its bytes."""

    def __init__(self, body):
        self.body, self.at = body, 0

    def ints(self, count):
        return struct.unpack("<%dq" % count, self.bytes(8 * count))

    def int(self):
        return self.ints(1)[0]

    def bytes(self, count):
        self.at += count
        return self.body[self.at - count : self.at]


class Problem:
    """A descriptor: op and element by their names, and what else it says."""

    def __init__(self, message, tables):
        _growth, _unknown, self.number, self.family, self.kind, rank = message.ints(6)
        self.element, row = tables["elements"][self.kind], tables["ops"][self.number]
        self.op, self.reads, self.heeds, self.elementwise = row["name"], row["reads"], row["heeds"], not row["axis"]
        self.shape = message.ints(8)[:rank]
        self.axis, self.reverse, self.correction = message.ints(3)
        (self.param,) = struct.unpack("<d", message.bytes(8))
        self.policies = message.bytes(16)
        self.reverse = self.reverse and row["reverse"]  # other families do not heed it

    def follows(self, policies):
        """Whether the bytes that the op's result depends on are these policies'."""
        return all(self.policies[at] == policies[at] for at in self.heeds)


def text(words):
    words = words.encode()[:255]
    return struct.pack("<q", len(words)) + words


def status(code, words=""):
    return struct.pack("<5q", code, 0, 0, 0, 0) + text(words)  # code, operand, needed, got, native, message


def read_views(message):
    views = {}
    for name in OPERANDS:
        if message.int():
            _element, rank, block, offset, _length = message.ints(5)
            views[name] = (block, offset, message.ints(8)[:rank])
            message.ints(8)  # strides: contiguous, as the sku asks for
    return views


def read_arrays(message, problem):
    """The blocks, and the operands as arrays that lie in them. Those that the op does not use may lie in none."""
    views = read_views(message)
    sizes = message.ints(message.int())
    message.ints(3)  # the workspace: block, offset, bytes
    blocks = [np.frombuffer(message.bytes(size), np.uint8).copy() for size in sizes]
    kind, arrays = np.dtype(ARRAYS[problem.element]), {}
    for name, (block, offset, shape) in views.items():
        bytes_ = int(np.prod(shape)) * kind.itemsize
        if 0 <= block < len(blocks) and offset >= 0 and offset + bytes_ <= len(blocks[block]):
            arrays[name] = blocks[block][offset : offset + bytes_].view(kind).reshape(shape)
    return blocks, arrays


class Adapter:
    def __init__(self, name, version, refuse, gradient):
        self.tables = json.loads(sys.argv[1])
        self.name, self.version, self.refuse, self.gradient = name, version, refuse, gradient

    def hello(self, _message):
        return status(OK) + struct.pack("<q", 1) + text(self.name) + bytes(8) + text(self.version) + bytes(16)

    def select(self, message):
        problem = Problem(message, self.tables)
        if why := self.refuse(problem, self.tables):
            return status(UNSUPPORTED, why)
        sku = struct.pack("<7q", problem.family, problem.number, problem.kind, 0, CONTIGUOUS, 0, 0)
        promise = struct.pack("<3qd3q", problem.kind, problem.kind, 0, -1.0, 0, 0, 0)  # of nothing but edges and bounds
        return status(OK) + sku + text(self.name) + text(self.version) + promise + struct.pack("<2q", 0, 0)

    def run(self, message):
        problem = Problem(message, self.tables)
        blocks, arrays = read_arrays(message, problem)
        results = self.gradient(problem, arrays)
        for name, result in zip(("da", "db") if problem.elementwise else ("dx",), results):
            arrays[name][...] = result
        return status(OK) + b"".join(block.tobytes() for block in blocks)

    def answer(self, message):
        kind = message.int()
        try:
            body = {HELLO: self.hello, SELECT: self.select, RUN: self.run}[kind](message)
        except Exception as wrong:  # the framework's own words
            body = status(INTERNAL, "%s: %s" % (type(wrong).__name__, wrong))
        return struct.pack("<q", kind) + body


def serve(name, version, refuse, gradient):
    adapter, answers = Adapter(name, version, refuse, gradient), sys.stdout.buffer
    while head := sys.stdin.buffer.read(8):
        reply = adapter.answer(Message(sys.stdin.buffer.read(struct.unpack("<q", head)[0])))
        answers.write(struct.pack("<q", len(reply)) + reply)
        answers.flush()


def under(convention):
    """Refuses what the convention, or the op, does not do."""

    def refuse(problem, tables):
        if problem.follows(bytes.fromhex(tables["conventions"][convention])):
            return None
        return "only the policies of %s: check it with --convention %s" % (convention, convention)

    return refuse


def missing(name, wrong):
    """Serves the news that a framework cannot be imported."""
    words = "%s cannot be used: %s (COTANGENT_PYTHON names a Python that has it)" % (name, wrong)
    sys.stdin.buffer.read(struct.unpack("<q", sys.stdin.buffer.read(8))[0])
    reply = struct.pack("<q", HELLO) + status(UNSUPPORTED, words)
    sys.stdout.buffer.write(struct.pack("<q", len(reply)) + reply)
    sys.stdout.buffer.flush()
