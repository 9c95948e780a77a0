"""README's gradient of softmax behind the protocol: its formula from README, everything else from the template.

usage: cotangent check --op softmax --backend "process:python3 readme_port.py PORT.PY README.MD"
"""

import re
import struct
import sys
import types

import numpy as np

SOFTMAX, ANOTHER_ORDER = 25, 3
template, readme = (open(name).read() for name in sys.argv[1:3])
port = types.ModuleType("port")
exec(template.split("\nwhile head")[0], port.__dict__)  # all but its loop
formula = compile(re.findall(r"^dx = .*$", readme, re.M)[-1], "README", "exec")


def read_desc(message):
    _growth, _unknown, op, _family, element, rank = message.ints(6)
    shape, (axis, _reverse, _correction) = message.ints(8)[:rank], message.ints(3)
    message.bytes(8 + 16)  # param; policies
    return op, element, shape, axis


def select(message):
    op, element, _shape, _axis = read_desc(message)
    if op != SOFTMAX or element not in port.DTYPES:
        return port.status(port.UNSUPPORTED, "only softmax in f32 and f64")
    sku = struct.pack("<7q", 5, op, element, 0, 1, 0, 0)
    promise = struct.pack("<3qd3q", element, element, ANOTHER_ORDER, -1.0, 1, 0, 0)  # deterministic, no more
    return port.status(port.OK) + sku + port.text("readme") + port.text("numpy") + promise + struct.pack("<2q", 0, 0)


def run(message):
    _op, element, shape, axis = read_desc(message)
    views = port.read_views(message)
    sizes = message.ints(message.int())
    message.ints(3)
    blocks = [np.frombuffer(message.bytes(size), np.uint8).copy() for size in sizes]

    def tensor(name):
        block, offset, length = views[name]
        cell = port.DTYPES[element]
        return blocks[block][offset : offset + length * cell().itemsize].view(cell).reshape(shape)

    names = {}
    for name in ("dy", "y"):
        names[name] = np.moveaxis(tensor(name), axis, -1).reshape(-1, shape[axis])
    with np.errstate(all="ignore"):
        exec(formula, names)
    moved = np.moveaxis(tensor("dx"), axis, -1)
    moved[...] = names["dx"].reshape(moved.shape)
    return port.status(port.OK) + b"".join(block.tobytes() for block in blocks)


port.select, port.run = select, run
while head := sys.stdin.buffer.read(8):
    reply = port.answer(port.Message(sys.stdin.buffer.read(struct.unpack("<q", head)[0])))
    sys.stdout.buffer.write(struct.pack("<q", len(reply)) + reply)
    sys.stdout.buffer.flush()
