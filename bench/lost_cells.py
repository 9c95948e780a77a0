#!/usr/bin/env python3
"""Which gradients get lost on the way: the tables of doc/lost.md, on the standard output.

    bench/lost_cells.py build/cotangent > doc/lost.md

The spec's own formulas and convention `accurate` run in the reference; PyTorch and JAX have columns where they are
installed. Every number is f32 and drawn by a counter, so the tables are the same every time.
"""

import array
import importlib
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
            if op == "var":
                words += ["--axis", "1", "--correction", "1"]
            subprocess.run([sys.argv[1], "run", op, *words, "--convention", convention], check=True, stdout=sys.stderr)
            return [load(folder / f"{key}.npy") for key in outputs]

    return gradient


def by_torch(torch):
    def gradient(op, shape, inputs, outputs):
        names = ["x"] if op == "var" else ["a", "b"]
        tensors = [torch.tensor(inputs[n]).reshape(shape).requires_grad_() for n in names]
        forward = {"div": torch.div, "atan2": torch.atan2, "hypot": torch.hypot}
        y = torch.var(*tensors, dim=1, keepdim=True, correction=1) if op == "var" else forward[op](*tensors)
        y.backward(torch.tensor(inputs["dy"]).reshape(y.shape))
        return [array.array("f", t.grad.flatten().tolist()) for t in tensors]

    return gradient


def by_jax(jax):
    def gradient(op, shape, inputs, outputs):
        np = jax.numpy
        names = ["x"] if op == "var" else ["a", "b"]
        arrays = [np.array(inputs[n], dtype="float32").reshape(shape) for n in names]
        forward = {"div": np.divide, "atan2": np.arctan2, "hypot": np.hypot}
        forward["var"] = lambda x: np.var(x, axis=1, keepdims=True, ddof=1)
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


def pair_rows(found):
    for op, scales in (
        ("div", (1e-37, 1e-30, 1e-23, 1e-10, 1, 1e18)),
        ("atan2", (1e-37, 1e-30, 1e-23, 1e-10, 1, 1e18, 1e23)),
        ("hypot", (1e-44, 1e-37, 1, 1e37, 1e38)),
    ):
        for scale in scales:
            g, a, b = (drawn(f"{op} {name} {scale}", CELLS, s) for name, s in (("g", 1), ("a", scale), ("b", scale)))
            exact = [EXACT[op](*cell) for cell in zip(g, a, b)]
            inputs = {"dy": g, "a": a, "b": b}
            results = [run(op, (1, CELLS), inputs, ["da", "db"]) for _, run in found]
            if op == "div":  # da is one division
                exact, results = [cell[1:] for cell in exact], [both[1:] for both in results]
            yield [f"`{op}`", f"{scale:g}", *(share_lost(exact, both) for both in results)]


# ---- var -------------------------------------------------------------------------------------------------------------


def exact_var(x, g):
    mean = sum(x) / len(x)
    return [g * 2 * (cell - mean) / (len(x) - 1) for cell in x]


def worst_error(x, dy, dx):
    """The largest error of a line's cells over its largest gradient, in the worst line."""
    worst = 0
    for line in range(LINES):
        cells = slice(line * LINE, (line + 1) * LINE)
        exact = exact_var(x[cells], dy[line])
        error = max(abs(got - want) for got, want in zip(dx[cells], exact))
        worst = max(worst, error / max(map(abs, exact)))
    return f"{worst:.1e}"


def var_rows(found):
    for mean in (0, 1e2, 1e4, 1e6):
        noise = drawn(f"var {mean}", LINES * LINE, 1)
        x, dy = array.array("f", [mean + cell for cell in noise]), drawn("var g", LINES, 1)
        y = array.array("f", [0] * LINES)
        errors = []
        for title, run in found:
            inputs = {"dy": dy, "x": x} | ({} if title[0].isupper() else {"y": y})
            errors.append(worst_error(x, dy, run("var", (LINES, LINE), inputs, ["dx"])[0]))
        yield [f"{mean:g}", *errors]


# ---- the page --------------------------------------------------------------------------------------------------------


def table(titles, rows):
    print("|" + "|".join(f" {title} " for title in titles) + "|")
    print("|---" * len(titles) + "|")
    for row in rows:
        print("|" + "|".join(f" {cell} " for cell in row) + "|")


def main():
    found = columns()
    titles = [title for title, _ in found]
    print("# Numbers that get lost on the way\n")
    print("Made by `bench/lost_cells.py build/cotangent`. All numbers are f32; *literal* is the spec's own formula, as")
    print("it is written, `accurate` the convention that takes POLICY-QUOTIENT and POLICY-CENTRE.\n")
    print("A gradient is *lost* where its exact value is a normal number and the result is further from it than a")
    print("thousandth: 0, infinite, NaN or a few bits. g is near 1, a and b are 1 to 2 times the size that is given.")
    print("Of div only db is counted. At 1e-44 hypot itself is a subnormal of a few bits.\n")
    table(["op", "size of a and b", *titles], pair_rows(found))
    print(f"\nvar over lines of {LINE:,} cells that lie 1 to 2 from a mean, on either side: the worst error, over the")
    print("line's largest gradient.\n")
    table(["mean", *titles], var_rows(found))


if __name__ == "__main__":
    main()
