"""Batteries in NumPy, as their users write it: right programs pass, and wrong ones do not. TAP.

usage: test_battery.py COTANGENT
"""

import json
import os
import subprocess
import sys
import tempfile

import numpy as np

cotangent = sys.argv[1]
np.seterr(all="ignore")
tests = 0


def ok(good, name, *more):
    global tests
    tests += 1
    print(f"{'ok' if good else 'not ok'} {tests} - {name}")
    for line in "".join(more).splitlines() if not good else []:
        print(f"# {line}")


def softmax(y, dy, axis, total=np.sum):
    return y * (dy - total(y * dy, axis=axis, keepdims=True))


def half_sum(terms, axis, keepdims):
    """An accumulator in f16, one term after the other."""
    sums = np.add.accumulate(terms.astype(np.float16), axis=axis, dtype=np.float16)
    return np.take(sums, [-1], axis=axis).astype(terms.dtype)


programs = {
    ("softmax", "right"): lambda f, axis: softmax(f["y"], f["dy"], axis),
    ("softmax", "f16 accumulator"): lambda f, axis: softmax(f["y"], f["dy"], axis, half_sum),
    ("softmax", "nansum"): lambda f, axis: softmax(f["y"], f["dy"], axis, np.nansum),
    ("logsumexp", "right"): lambda f, axis: f["dy"] * np.exp(f["x"] - f["y"]),
    ("logsumexp", "no shift"): lambda f, axis: f["dy"]
    * (np.exp(f["x"]) / np.exp(f["x"]).sum(axis=axis, keepdims=True)),
}


def solve(directory, program):
    """Each case's result, beside its inputs; computed in f32 at least."""
    for name in sorted(os.listdir(directory)):
        path = os.path.join(directory, name)
        with open(os.path.join(path, "case.json")) as file:
            case = json.load(file)
        files = {key: np.load(os.path.join(path, file)) for key, file in case["inputs"].items()}
        stored = files["dy"].dtype
        wide = {key: array.astype(np.promote_types(stored, np.float32)) for key, array in files.items()}
        dx = np.empty(case["shape"], stored)
        if dx.size:
            dx[...] = program(wide, case["axis"])
        np.save(os.path.join(path, case["outputs"]["dx"]), dx)


def judge(directory, *options):
    return subprocess.run([cotangent, "judge", directory, *options], capture_output=True, text=True)


def check(op, dtype, what):
    directory = f"{op}-{dtype}"
    solve(directory, programs[op, what])
    said = judge(directory)
    wanted = 0 if what == "right" else 1
    ok(
        said.returncode == wanted,
        f"{op} in {dtype}, {what}: {said.stdout.count('WRONG  ')} cases are wrong",
        said.stdout,
        said.stderr,
    )


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for op, dtype in (("softmax", "f32"), ("softmax", "f16"), ("logsumexp", "f32")):
        said = subprocess.run(
            [cotangent, "emit", "--op", op, "--dtype", dtype, "--dir", f"{op}-{dtype}"], capture_output=True, text=True
        )
        ok(said.returncode == 0 and "mutants of" in said.stdout, f"emit --op {op} --dtype {dtype}", said.stderr)
    for op, dtype, what in (
        ("softmax", "f32", "right"),
        ("softmax", "f32", "f16 accumulator"),
        ("softmax", "f32", "nansum"),
        ("softmax", "f16", "right"),
        ("softmax", "f16", "f16 accumulator"),
        ("softmax", "f16", "nansum"),
        ("logsumexp", "f32", "right"),
        ("logsumexp", "f32", "no shift"),
    ):
        check(op, dtype, what)
    verdicts = json.loads(judge("logsumexp-f32", "--format", "json").stdout)
    outcomes = [case["outcome"] for case in verdicts["cases"]]
    ok(
        verdicts["totals"]["wrong"] == outcomes.count("wrong") > 0
        and verdicts["totals"]["cases"] == len(outcomes)
        and sum(verdicts["clauses"].values()) == outcomes.count("wrong")
        and all(case["verdict"]["right"] == (case["outcome"] == "right") for case in verdicts["cases"]),
        "in JSON the totals are those of the cases",
        str(verdicts["totals"]),
    )
print(f"1..{tests}")
