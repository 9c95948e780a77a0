"""The examples beneath the clauses of doc/SPEC.md, run: on the command `cotangent run`, and in doc/spec.py.

usage: examples.py COTANGENT SPEC.md [CLAUSE]    speaks TAP; of the clauses whose ids begin with CLAUSE

    example: max f32 dy=[5] x=[3 1 3] y=[3] -> dx=[5 0 5]

is an op, an element type, and what the call has: operands of one dimension, in which v*k is v k times; shape,
correction, reverse, param and policy. What comes out must be what stands behind the arrow, to the bit.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True
OPERANDS = ("dy", "x", "y", "a", "b")
# Clauses of sections 1 to 8 that speak of no numbers.
WITHOUT = {"EMPTY-RUN", "EMPTY-AXIS", "EXTENT-ANY"}


def numbers(text, element):
    """A list of numbers as cells of the element type; bf16 as its 16 bits."""
    values = []
    for word in text.split():
        value, _, count = word.partition("*")
        values += [float(value)] * int(count or 1)
    if element != "bf16":
        return np.array(values, np.float64).astype({"f16": np.float16, "f32": np.float32, "f64": np.float64}[element])
    return (np.array(values, np.float32).view(np.uint32) >> 16).astype(np.uint16)


def fields(words):
    """key=value and key=[values] as a dictionary."""
    return {key: value.strip("[]") for key, value in re.findall(r"([a-z0-9_]+)=(\[[^]]*\]|\S+)", words)}


class Example:
    def __init__(self, clause, line):
        self.clause, self.line = clause, line
        call, _, results = line.partition(" -> ")
        self.op, self.element, rest = (call + " ").split(" ", 2)
        self.given = fields(rest)
        self.wanted = {key: numbers(value, self.element) for key, value in fields(results).items()}
        self.operands = {k: numbers(self.given[k], self.element) for k in OPERANDS if k in self.given}

    def by_command(self, cotangent, directory):
        words = [cotangent, "run", self.op, "--dtype", self.element]
        for name, cells in self.operands.items():
            np.save(os.path.join(directory, name + ".npy"), cells)
            words += ["--" + name, os.path.join(directory, name + ".npy")]
        for key in ("shape", "correction", "param", "policy"):
            words += ["--" + key, self.given[key]] if key in self.given else []
        words += ["--reverse"] if "reverse" in self.given else []
        for name in self.wanted:
            words += ["--" + name, os.path.join(directory, name + ".npy")]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            return done.stderr
        return {name: np.load(os.path.join(directory, name + ".npy")) for name in self.wanted}

    def by_spec(self, spec):
        loaded = {name: spec.load(cells, self.element) for name, cells in self.operands.items()}
        widest = max(len(cells) for cells in loaded.values())
        n = int(self.given.get("shape", widest))
        policies = dict(policy.split("=") for policy in self.given.get("policy", "").split(",") if policy)
        real = np.float64 if self.element == "f64" else np.float32
        options = {"correction": int(self.given.get("correction", 0)), "reverse": "reverse" in self.given}
        call = spec.Call(n, real, param=float(self.given.get("param", 0)), **options, **policies)
        results = spec.gradient(self.op, call, loaded, 0)
        return {name: spec.store(v, self.element) for name, v in zip(self.names(), results)}

    def names(self):
        return ("dx",) if "dx" in self.wanted else ("da", "db")

    def right(self, results):
        return all(same(self.wanted[name], results[name]) for name in self.names())


def same(wanted, got):
    """The same bits; any NaN is any NaN (ARITH-NAN)."""
    if wanted.shape != got.shape:
        return False
    bits = "u%d" % wanted.dtype.itemsize
    nan = np.isnan(wanted) & np.isnan(got) if wanted.dtype.kind == "f" else False
    return bool(np.all((wanted.view(bits) == got.view(bits)) | nan))


def read(path):
    """The examples, and the clauses with the number of their section."""
    examples, clauses, section, clause = [], {}, 0, None
    for line in open(path):
        if re.match(r"# \d+ ", line):
            section = int(line.split()[1])
        if line.startswith("#### "):
            clause = line[5:].partition(":")[0]
            clauses[clause] = section
        if line.startswith("    example: "):
            examples.append(Example(clause, line[13:].strip()))
    return examples, clauses


def main(cotangent, path, prefix=""):
    sys.path.insert(0, os.path.dirname(path))
    import spec

    count, failed = 0, 0

    def say(good, words):
        nonlocal count, failed
        count, failed = count + 1, failed + (not good)
        print("%s %d - %s" % ("ok" if good else "not ok", count, words))

    examples, clauses = read(path)
    examples = [example for example in examples if example.clause.startswith(prefix)]
    with tempfile.TemporaryDirectory() as directory:
        for example in examples:
            results = example.by_command(cotangent, directory)
            say(isinstance(results, dict) and example.right(results), "%s: %s" % (example.clause, example.line[:90]))
            if isinstance(results, str) or not example.right(results):
                print("# run:", results)
            say(example.right(example.by_spec(spec)), "%s: the same in spec.py" % example.clause)
    shown = {example.clause for example in examples}
    for clause, section in clauses.items():
        if 1 <= section <= 8 and clause not in WITHOUT and clause.startswith(prefix):
            say(clause in shown, clause + " has an example")
    print("1..%d" % count)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
