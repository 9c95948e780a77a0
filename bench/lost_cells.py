#!/usr/bin/env python3
"""Which gradients get lost on the way: the tables of doc/lost.md, on the standard output.

    bench/lost_cells.py build/cotangent > doc/lost.md

The spec's own formulas and convention `accurate` run in the reference; PyTorch and JAX have columns where they are
installed. Every number is f32 and drawn by a counter, so the tables are the same every time.
"""

import array
import importlib
import itertools
import math
import pathlib
import random
import subprocess
import sys
import tempfile

CELLS = 4096
LINES, LINE = 8, 1000
NORMAL = (2.0**-126, 2.0**127 * (2 - 2.0**-23))
NEAR = 1e-3  # a result that is further off than this part of itself is lost


# ---- numbers ---------------------------------------------------------------------------------------------------------


def drawn(seed, count, scale, signed=True):
    """f32 numbers of one size: 1 to 2 times the scale."""
    draw = random.Random(seed)
    sign = [draw.choice((-1, 1)) if signed else 1 for _ in range(count)]
    return array.array("f", [s * draw.uniform(1, 2) * scale for s in sign])


def save(path, cells, shape):
    text = repr({"descr": "<f4", "fortran_order": False, "shape": shape}).encode()
    text += b" " * (-(len(text) + 11) % 64) + b"\n"
    path.write_bytes(b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + cells.tobytes())


def load(path):
    data = path.read_bytes()
    return array.array("f", data[10 + int.from_bytes(data[8:10], "little") :])


# ---- who computes ----------------------------------------------------------------------------------------------------

OPTIONS = {"norm2": ["--axis", "1"]} | dict.fromkeys(("var", "std"), ["--axis", "1", "--correction", "1"])


def differentiated(op):
    return ["x"] if op in OPTIONS else ["a", "b"]


def by_cotangent(convention):
    def gradient(op, shape, inputs, outputs):
        with tempfile.TemporaryDirectory() as name:
            folder, words = pathlib.Path(name), []
            for key, cells in inputs.items():
                reduced = shape if len(cells) == shape[0] * shape[1] else (shape[0], 1)
                save(folder / f"{key}.npy", cells, reduced)
                words += [f"--{key}", folder / f"{key}.npy"]
            for key in outputs:
                words += [f"--{key}", folder / f"{key}.npy"]
            words += OPTIONS.get(op, []) + ["--convention", convention]
            subprocess.run([sys.argv[1], "run", op, *words], check=True, stdout=sys.stderr)
            return [load(folder / f"{key}.npy") for key in outputs]

    return gradient


def by_torch(torch):
    forward = {"div": torch.div, "atan2": torch.atan2, "hypot": torch.hypot}
    forward["norm2"] = lambda x: torch.linalg.vector_norm(x, dim=1, keepdim=True)
    forward["var"] = lambda x: torch.var(x, dim=1, keepdim=True, correction=1)
    forward["std"] = lambda x: torch.std(x, dim=1, keepdim=True, correction=1)

    def gradient(op, shape, inputs, outputs):
        tensors = [torch.tensor(inputs[n]).reshape(shape).requires_grad_() for n in differentiated(op)]
        y = forward[op](*tensors)
        y.backward(torch.tensor(inputs["dy"]).reshape(y.shape))
        return [array.array("f", t.grad.flatten().tolist()) for t in tensors]

    return gradient


def by_jax(jax):
    np = jax.numpy
    forward = {"div": np.divide, "atan2": np.arctan2, "hypot": np.hypot}
    forward["norm2"] = lambda x: np.linalg.norm(x, axis=1, keepdims=True)
    forward["var"] = lambda x: np.var(x, axis=1, keepdims=True, ddof=1)
    forward["std"] = lambda x: np.std(x, axis=1, keepdims=True, ddof=1)

    def gradient(op, shape, inputs, outputs):
        arrays = [np.array(inputs[n], dtype="float32").reshape(shape) for n in differentiated(op)]
        y, back = jax.vjp(forward[op], *arrays)
        dy = np.array(inputs["dy"], dtype="float32").reshape(y.shape)
        return [array.array("f", d.flatten().tolist()) for d in back(dy)]

    return gradient


def columns():
    found = [("literal", by_cotangent("spec")), ("`accurate`", by_cotangent("accurate"))]
    for name, title, make in (("torch", "PyTorch", by_torch), ("jax", "JAX", by_jax)):
        try:
            module = importlib.import_module(name)
            found.append((f"{title} {module.__version__.split('+')[0]}", make(module)))
        except ImportError:
            print(f"{title} is not installed: no column", file=sys.stderr)
    return found


# ---- div, atan2, hypot -----------------------------------------------------------------------------------------------

EXACT = {  # in binary64, which holds every square of an f32 number
    "div": lambda g, a, b: (g / b, -g * (a / b) / b),
    "atan2": lambda g, a, b: (g * b / (a * a + b * b), -g * a / (a * a + b * b)),
    "hypot": lambda g, a, b: (g * a / (a * a + b * b) ** 0.5, g * b / (a * a + b * b) ** 0.5),
}


def share_lost(exact, results):
    """Of the cells whose exact gradient is a normal number, the share that did not come out near it."""
    pairs = [(want, got) for cell, both in zip(exact, zip(*results)) for want, got in zip(cell, both)]
    judged = [(want, got) for want, got in pairs if NORMAL[0] <= abs(want) <= NORMAL[1]]
    lost = sum(not abs(got - want) <= NEAR * abs(want) for want, got in judged)
    return f"{100 * lost / len(judged):.1f} %" if judged else "none can be"


PAIRS = {  # sizes of a and b, and of g where it is not 1
    "div": (1e-37, 1e-30, 1e-23, 1e-10, 1, 1e18, 1e19, 1e20, 1e30),
    "atan2": (1e-37, 1e-30, 1e-23, 1e-10, 1, 1e18, 1e19, 1e20, 1e23),
    "hypot": (1e-44, 1e-37, (1e-35, 1e-10), 1, (1e30, 1e10), 1e37, 1e38),
}


def sizes(table):
    return [(op, *(size if isinstance(size, tuple) else (size, 1))) for op, row in table.items() for size in row]


def pair_rows(found):
    for op, scale, size in sizes(PAIRS):
        g, a, b = (drawn(f"{op} {name} {scale}", CELLS, s) for name, s in (("g", size), ("a", scale), ("b", scale)))
        exact = [EXACT[op](*cell) for cell in zip(g, a, b)]
        results = [run(op, (1, CELLS), {"dy": g, "a": a, "b": b}, ["da", "db"]) for _, run in found]
        if op == "div":  # da is one division
            exact, results = [cell[1:] for cell in exact], [both[1:] for both in results]
        yield [f"`{op}`", f"{scale:g}", f"{size:g}", *(share_lost(exact, both) for both in results)]


# ---- norm2, var, std -------------------------------------------------------------------------------------------------


def lines(x):
    return [x[i * LINE : (i + 1) * LINE] for i in range(LINES)]


def by_line(found, op, g, x, y):
    """dx as everybody computes it; y is for those who are given it."""
    for title, run in found:
        inputs = {"dy": g, "x": x} | ({} if title[0].isupper() else {"y": array.array("f", y)})
        yield run(op, (LINES, LINE), inputs, ["dx"])[0]


def norm_rows(found):
    for op, scale, size in sizes({"norm2": ((1e-35, 1e-10), 1e-30, 1e-18, 1, 1e18, (1e18, 1e22), (1e30, 1e10))}):
        g, x = drawn(f"{op} g {scale} {size}", LINES, size), drawn(f"{op} x {scale}", LINES * LINE, scale)
        y = [math.fsum(cell * cell for cell in line) ** 0.5 for line in lines(x)]
        exact = [(g[i] * cell / y[i],) for i, line in enumerate(lines(x)) for cell in line]
        yield [f"`{op}`", f"{scale:g}", f"{size:g}", *(share_lost(exact, [dx]) for dx in by_line(found, op, g, x, y))]


def exact_spread(op, x, g):
    """The line's variance or deviation, and its gradient."""
    mean = math.fsum(x) / len(x)
    var = math.fsum((cell - mean) ** 2 for cell in x) / (len(x) - 1)
    y, factor = (var, 2) if op == "var" else (var**0.5, var**-0.5)
    return y, [g * factor * (cell - mean) / (len(x) - 1) for cell in x]


def worst_error(exact, dx):
    """The largest error of a line's cells over its largest gradient, in the worst line."""
    worst = 0
    for want, got in zip(exact, lines(dx)):
        worst = max(worst, max(abs(g - w) for g, w in zip(got, want)) / max(map(abs, want)))
    return f"{worst:.1e}"


def spread_rows(found):
    for op, mean in ((op, mean) for op in ("var", "std") for mean in (0, 1e2, 1e3, 1e4, 1e5, 1e6)):
        noise = drawn(f"var {mean}", LINES * LINE, 1)
        x, g = array.array("f", [mean + cell for cell in noise]), drawn("var g", LINES, 1)
        y, exact = zip(*(exact_spread(op, line, g[i]) for i, line in enumerate(lines(x))))
        yield [f"`{op}`", f"{mean:g}", *(worst_error(exact, dx) for dx in by_line(found, op, g, x, y))]


# ---- the page --------------------------------------------------------------------------------------------------------


def table(titles, rows):
    print("|" + "|".join(f" {title} " for title in titles) + "|")
    print("|---" * len(titles) + "|")
    for row in rows:
        print("|" + "|".join(f" {cell} " for cell in row) + "|")


ABOUT_LOSS = f"""# Numbers that get lost on the way

Made by `bench/lost_cells.py build/cotangent`. All numbers are f32; *literal* is the spec's own formula, as
it is written, `accurate` the convention that takes POLICY-QUOTIENT and POLICY-CENTRE.

A gradient is *lost* where its exact value is a normal number and the result is further from it than a
thousandth: 0, infinite, NaN or a few bits. Numbers are 1 to 2 times the size that is given, of either sign.
Of div only db is counted. At 1e-44 hypot itself is a subnormal of a few bits. norm2 is that of lines of
{LINE:,} cells; our columns are given the exact y, rounded, and frameworks compute their own, whose squares
leave the range.
"""

ABOUT_ERRORS = f"""
var and std over lines of {LINE:,} cells that lie 1 to 2 from a mean, on either side: the worst error, over
the line's largest gradient. Of std our columns are given the exact y, rounded.
"""


def main():
    found = columns()
    titles = [title for title, _ in found]
    print(ABOUT_LOSS)
    table(["op", "size of the operands", "of g", *titles], itertools.chain(pair_rows(found), norm_rows(found)))
    print(ABOUT_ERRORS)
    table(["op", "mean", *titles], spread_rows(found))


if __name__ == "__main__":
    main()
