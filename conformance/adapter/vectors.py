"""Vectors anew: what the installed PyTorch or JAX returns for every call of a file of vectors.

usage: python3 vectors.py torch|jax FILE.jsonl > NEW.jsonl

Inputs stay as they are, so the result depends on the framework's version alone; lines of other conventions are left
out. `cotangent replay NEW.jsonl` judges them.
"""

import importlib
import json
import sys

import adapter
import numpy as np

SCANS = ("cumsum", "cumprod", "cummax", "cummin", "logcumsumexp")


class Call:
    """A line as the problem that an adapter computes. No y is given: the framework makes its own."""

    def __init__(self, line):
        self.op, self.element, self.shape = line["op"], line["dtype"], tuple(line["shape"])
        self.axis, self.correction = line.get("axis", 0), line.get("correction", 0)
        self.reverse = line.get("reverse", False) and self.op in SCANS
        self.param = float.fromhex(line["param"]) if "param" in line else 0.0
        self.elementwise = "a" in line
        self.reads = ("dy", "a", "b") if self.elementwise else ("dy", "x")

    def operand_shape(self, name):
        reduced = name in ("dy", "y") and not self.elementwise and self.op not in SCANS + ("softmax", "log_softmax")
        return tuple(1 if reduced and i == self.axis else extent for i, extent in enumerate(self.shape))


def to_array(call, name, numbers):
    values = np.array([float.fromhex(number) for number in numbers], np.float64)
    values = values.reshape(call.operand_shape(name))
    if call.element != "bf16":
        return values.astype(adapter.ARRAYS[call.element])
    return (values.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)  # exact: these are bf16's numbers


def to_text(array):
    if array.dtype == np.uint16:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return ["nan" if number != number else float(number).hex() for number in array.astype(np.float64).ravel()]


def short(text):
    """C's %a: no zeros at the end of the fraction."""
    if "p" not in text:
        return text
    mantissa, exponent = text.split("p")
    return "%sp%s" % (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa, exponent)


def compute(framework, call, function, line):
    arrays = {name: to_array(call, name, line[name]) for name in call.reads}
    y, gradients = framework.both(call, arrays, function)
    results = {"y": y, **dict(zip(("da", "db") if call.elementwise else ("dx",), gradients))}
    return {name: [short(text) for text in to_text(result)] for name, result in results.items()}


def remake(framework, name, line):
    """The members in their order, with new results."""
    kept = {key: value for key, value in line.items() if key not in ("y", "dx", "da", "db", "error")}
    function = line["source"].split(" ", 2)[2]
    kept["source"] = "%s %s %s" % (name, framework.version(), function)
    try:
        kept.update(compute(framework, Call(line), framework.named(function, line["op"]), line))
    except (IndexError, RuntimeError, ValueError) as refused:  # an older version has no half on a processor
        kept["error"] = "%s: %s" % (type(refused).__name__, str(refused).split("\n")[0])
    return kept


def main(name, path):
    framework = importlib.import_module(name + "_adapter")
    with open(path) as lines:
        for line in map(json.loads, lines):
            if line["convention"] == name:
                print(json.dumps(remake(framework, name, line), separators=(",", ":")))


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("torch", "jax"):
        sys.exit(__doc__)
    main(*sys.argv[1:])
