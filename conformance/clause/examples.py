"""The examples beneath the clauses of doc/SPEC.md, run: by the command `cotangent`, and gradients in doc/spec.py too.

usage: examples.py COTANGENT SPEC.md [CLAUSE]    speaks TAP; of the clauses whose ids begin with CLAUSE

    example: max f32 dy=[5] x=[3 1 3] y=[3] -> dx=[5 0 5]

is an op, an element type, and what the call has: operands of one dimension, in which v*k is v k times; shape,
correction, reverse, param and policy. What comes out must be what stands behind the arrow, to the bit.

    example: forward sum f32 x=[1 2 3] -> y=[6]
    example: judge mean f32 shape=3 dy=[7] dx=[2.3333335*3] -> right

are a forward operation and a ruling, "right" or "WRONG"; "refused" stands for a command that will not. What begins with
`call` is explained in raw_call.py.
"""

import os
import re
import subprocess
import sys
import tempfile

import numpy as np
import raw_call

sys.dont_write_bytecode = True
OPERANDS = ("dy", "x", "y", "a", "b")
OUTPUTS = ("dx", "da", "db")
# Clauses about no numbers: other runs, other backends, memory that is missing, and numbers that are drawn.
WITHOUT = {"DETERMINISM", "ASYNC", "VALID-LAYOUT", "VALID-WORKSPACE", "VALID-PREFERENCE", "ERROR-INTERNAL"}
WITHOUT |= {"BOUND-RANDOM"}


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
    return {key: value.strip("[]") for key, value in re.findall(r"([a-z0-9_.]+)=(\[[^]]*\]|\S+)", words)}


class Example:
    """A gradient: of `cotangent run`, and of spec.py."""

    command, inputs, in_spec = "run", OPERANDS, True

    def __init__(self, clause, line, call, results):
        self.clause, self.line = clause, line
        self.op, self.element, rest = (call + " ").split(" ", 2)
        self.given = fields(rest)
        self.words = None if "[" in results else results
        self.wanted = {key: numbers(value, self.element) for key, value in fields(results).items() if not self.words}
        self.operands = {k: numbers(self.given[k], self.element) for k in self.inputs if k in self.given}

    def outputs(self):
        return self.wanted

    def run(self, cotangent, directory):
        words = [cotangent, self.command, self.op, "--dtype", self.element]
        for name, cells in self.operands.items():
            np.save(os.path.join(directory, name + ".npy"), cells)
        for key in ("shape", "correction", "param", "policy"):
            words += ["--" + key, self.given[key]] if key in self.given else []
        words += ["--reverse"] if "reverse" in self.given else []
        for name in (*self.operands, *self.outputs()):
            words += ["--" + name, os.path.join(directory, name + ".npy")]
        return subprocess.run(words, capture_output=True, text=True)

    def by_command(self, cotangent, directory, server, spec):
        done = self.run(cotangent, directory)
        if done.returncode:
            return "refused" if done.returncode == 2 else done.stderr
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
        names = ("dx",) if len(results) == 1 else ("da", "db")
        return {name: spec.store(v, self.element) for name, v in zip(names, results)}

    def right(self, results):
        if self.words or isinstance(results, str):
            return results == self.words
        return bool(self.wanted) and all(same(wanted, results[name]) for name, wanted in self.wanted.items())


class Forward(Example):
    """What a gradient is of."""

    command, in_spec = "forward", False

    def outputs(self):
        return self.wanted or ("y",)


class Ruling(Example):
    """A result that is right or wrong."""

    command, inputs, in_spec = "judge", OPERANDS + OUTPUTS, False

    def by_command(self, cotangent, directory, server, spec):
        said = self.run(cotangent, directory).stdout
        return re.split(r"[:\s]", said)[0] if said else "nothing was said"


class Raw(Example):
    """A call that no command makes."""

    inputs, in_spec = (), False

    def memory(self, text):
        return numbers(text, self.element).tobytes()

    def by_command(self, cotangent, directory, server, spec):
        _formula, family, saves = spec.OPS[self.op]
        number = list(spec.OPS).index(self.op) + 1
        call = raw_call.RawCall(number, family, saves.split(), self.element, self.given, self.memory)
        chosen = dict(policy.split("=") for policy in self.given.get("policy", "").split(",") if policy)
        number = {name: int(v) if v.isdigit() else spec.POLICIES[name].index(v) for name, v in chosen.items()}
        after = call.ask(server, bytes(number.get(name, 0) for name in spec.POLICIES).ljust(16, b"\0"))
        if isinstance(after, str):
            return after
        return {name: np.frombuffer(cells, numbers("", self.element).dtype) for name, cells in after.items()}


KINDS = {"forward": Forward, "judge": Ruling, "call": Raw}


def example(clause, line):
    call, _, results = line.partition(" -> ")
    kind, _, rest = call.partition(" ")
    return KINDS[kind](clause, line, rest, results) if kind in KINDS else Example(clause, line, call, results)


def same(wanted, got):
    """The same bits; any NaN is any NaN (ARITH-NAN)."""
    if wanted.shape != got.shape:
        return False
    bits = "u%d" % wanted.dtype.itemsize
    nan = np.isnan(wanted) & np.isnan(got) if wanted.dtype.kind == "f" else False
    return bool(np.all((wanted.view(bits) == got.view(bits)) | nan))


def read(path):
    """The examples, and the clauses."""
    examples, clauses, clause = [], [], None
    for line in open(path):
        if line.startswith("#### "):
            clause = line[5:].partition(":")[0]
            clauses.append(clause)
        if line.startswith("    example: "):
            examples.append(example(clause, line[13:].strip()))
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
    examples = [each for each in examples if each.clause.startswith(prefix)]
    server = raw_call.Server(cotangent)
    with tempfile.TemporaryDirectory() as directory:
        for each in examples:
            results = each.by_command(cotangent, directory, server, spec)
            say(each.right(results), "%s: %s" % (each.clause, each.line[:90]))
            if not each.right(results):
                print("# run:", results)
            if each.in_spec:
                say(each.right(each.by_spec(spec)), "%s: the same in spec.py" % each.clause)
    server.close()
    shown = {each.clause for each in examples}
    for clause in clauses:
        if clause not in WITHOUT and clause.startswith(prefix):
            say(clause in shown, clause + " has an example")
    print("1..%d" % count)
    return failed > 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
