"""Calls of examples.py that no command makes: any descriptor, strides, memory that is shared or missing.

    example: call cumsum f32 shape=[3] dy=[1 9 2 9 4] dy.strides=[2] -> dx=[7 6 4]
    example: call sum f32 shape=[4 6] axis=1 desc.rank=9 -> UNSUPPORTED desc needed=8 got=9

A call is a good one, with contiguous operands and 0 in every cell, but for what stands there: the memory of an operand
as numbers, `none` where it is not given; .shape, .strides, .length and .element of its view; .at, where its data is: so
many bytes into another's memory (dy+4), or null; and fields of the descriptor. Behind the arrow is the memory of
operands afterwards, or a status with what it is about. `cotangent serve ref` is asked, by the protocol of porting.md.
"""

import math
import struct
import subprocess

OPERANDS = ("dy", "x", "y", "a", "b", "dx", "da", "db")
NAMES = ("", "desc", "preference", "args", *OPERANDS, "workspace")
STATUS = ("OK", "MISALIGNED", "INVALID_PROBLEM", "UNSUPPORTED", "WORKSPACE_TOO_SMALL", "INTERNAL", "BUFFER_TOO_SMALL")
ELEMENTS = {"f16": 1, "bf16": 2, "f32": 3, "f64": 4}
SIZES = {"f16": 2, "bf16": 2, "f32": 4, "f64": 8}
SELECT, CHECK, RUN = 2, 3, 4


def integers(text):
    return [int(word) for word in text.split()]


def contiguous(shape):
    return [math.prod(shape[i + 1 :]) for i in range(len(shape))]


class Answer:
    def __init__(self, body):
        _kind, code, operand, self.needed, self.got, _native, length = struct.unpack_from("<7q", body)
        self.status, self.operand, self.rest = STATUS[code], NAMES[operand], body[56 + length :]
        self.message = body[56 : 56 + length].decode()


class Server:
    def __init__(self, cotangent):
        self.process = subprocess.Popen([cotangent, "serve", "ref"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.ask(struct.pack("<3q", 1, 1, 0))  # hello, version 1, no options

    def ask(self, body):
        self.process.stdin.write(struct.pack("<q", len(body)) + body)
        self.process.stdin.flush()
        return Answer(self.process.stdout.read(struct.unpack("<q", self.process.stdout.read(8))[0]))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


class RawCall:
    def __init__(self, number, family, saves, element, given, cells):
        """`cells` turns a list of numbers into the bytes of an operand, `given` are the example's fields."""
        self.family, self.element, self.given = family, element, given
        self.op, self.shape = number, integers(given["shape"])
        self.axis = int(given.get("axis", 0))
        outputs = ("da", "db") if family.startswith("binary") else ("dx",)
        used = {"dy", *saves, *outputs, *(name for name in OPERANDS if name in given)}
        self.used = [name for name in OPERANDS if name in used and given.get(name) != "none"]
        self.memory = {name: self.bytes_of(name, cells) for name in self.used}

    def own_shape(self, name):
        shape = list(self.shape)
        if self.family == "reduce" and name in ("dy", "y"):
            shape[self.axis] = 1
        return shape

    def bytes_of(self, name, cells):
        count = math.prod(self.own_shape(name))
        return cells(self.given.get(name, "0*%d" % count if count else ""))

    def descriptor(self, policies):
        def field(key, usual):
            return int(self.given.get("desc." + key, usual))

        shape = integers(self.given.get("desc.shape", self.given["shape"]))
        body = [field("growth", 0), field("unknown", 0), field("op", self.op), field("family", 0)]
        body += [field("element", ELEMENTS[self.element]), field("rank", len(shape))]
        body += shape + [0] * (8 - len(shape))
        body += [field("axis", self.axis), int("reverse" in self.given), int(self.given.get("correction", 0))]
        return struct.pack("<17q", *body) + struct.pack("<d", float(self.given.get("param", 0))) + policies

    def view(self, name):
        shape = integers(self.given.get(name + ".shape", " ".join(map(str, self.own_shape(name)))))
        strides = integers(self.given.get(name + ".strides", " ".join(map(str, contiguous(shape)))))
        at, element = self.given.get(name + ".at", name), self.given.get(name + ".element", self.element)
        block, _, offset = at.partition("+")
        place = -1 if block == "null" else self.used.index(block)
        length = int(self.given.get(name + ".length", len(self.memory[name]) // SIZES[self.element]))
        head = struct.pack("<6q", 1, ELEMENTS[element], len(shape), place, int(offset or 0), length)
        return head + struct.pack("<16q", *(shape + [0] * (8 - len(shape)) + strides + [0] * (8 - len(strides))))

    def operands(self):
        views = [self.view(name) if name in self.used else struct.pack("<q", 0) for name in OPERANDS]
        blocks = [len(self.memory[name]) for name in self.used]
        return b"".join(views) + struct.pack("<%dq" % (len(blocks) + 4), len(blocks), *blocks, -1, 0, 0)

    def ask(self, server, policies):
        """A status with what it is about, as the example would write it; or the memory of each operand."""
        descriptor = self.descriptor(policies)
        answer = server.ask(struct.pack("<q", SELECT) + descriptor)
        if answer.status == "OK":
            answer = server.ask(struct.pack("<q", CHECK) + descriptor + self.operands())
        if answer.status == "OK":
            memory = b"".join(self.memory[name] for name in self.used)
            answer = server.ask(struct.pack("<q", RUN) + descriptor + self.operands() + memory)
        if answer.status != "OK":
            return "%s %s needed=%d got=%d" % (answer.status, answer.operand, answer.needed, answer.got)
        after, at = {}, 0
        for name in self.used:
            after[name] = answer.rest[at : at + len(self.memory[name])]
            at += len(self.memory[name])
        return after
