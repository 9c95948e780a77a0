"""Random cases over everything that a case id can say, on the reference and on what must have its bits.

usage: soak.py BUILDDIR SECONDS [--state DIRECTORY] [--against NAME]... [--seed N] [--batch N] [--jobs N]

Each batch of cases is one `cotangent check --cases - --level X` for each backend: cuda on the software device, and wasm
where it was built. What differs goes to BUILDDIR/soak.differences, a backend and a case id a line; where the next run
goes on is in BUILDDIR/soak.json, with the sums of all runs of the seed. Fails where anything differed.
"""

import argparse
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import time

NAMES = re.compile(r"^(\w+)", re.M)


def cotangent(build, *words, **options):
    return subprocess.run([str(build / "cotangent"), *words], capture_output=True, text=True, **options)


def policies(source):
    """Each policy's name, and the names of its values."""
    table = {}
    for policy, value in re.findall(r"^POLICY\(\w+, (\w+)|^VALUE\(\w+, \w+, (\w+)", source.read_text(), re.M):
        if policy:
            values = table.setdefault(policy, [])
        else:
            values.append(value)
    return table


class Cases:
    """Draws case ids."""

    def __init__(self, build):
        self.ops = re.findall(r"^(\w+) +(\w+) ", cotangent(build, "ops").stdout, re.M)[1:]
        self.layouts = NAMES.findall(cotangent(build, "list", "--layouts").stdout)
        self.generators = NAMES.findall(cotangent(build, "list", "--generators").stdout)
        self.policies = policies(pathlib.Path(__file__).parent.parent / "core/policies.def")

    def shape(self, luck):
        """Up to 20,000 cells, as many of one size as of ten times it; rarely none."""
        rank = luck.choice([1, 1, 2, 2, 2, 3, 3, 4, 5, 8])
        cells, shape = 10 ** luck.uniform(0, 4.3), []
        for left in range(rank, 0, -1):
            extent = round(cells ** (luck.uniform(0.3, 1.7) / left)) if left > 1 else round(cells)
            shape.append(max(1, min(extent, 20000)))
            cells = max(1, cells / shape[-1])
        luck.shuffle(shape)
        if luck.random() < 0.01:
            shape[luck.randrange(rank)] = 0
        return shape

    def keys(self, luck, family, op):
        if luck.random() < 0.3 and family == "scan":
            yield "rev=1"
        if luck.random() < 0.5 and op in ("var", "std"):
            yield f"corr={luck.randint(-2, 9)}"
        if op == "lerp":
            yield f"w={float(luck.choice([0, 1, 0.5, luck.random(), luck.gauss(0, 3)])).hex()}"
        kind = luck.random()
        if kind < 0.3:
            yield f"conv={luck.choice(['torch', 'jax', 'accurate'])}"
        elif kind < 0.7:  # those that the op does not heed too
            for name in luck.sample(sorted(self.policies), luck.randint(1, 4)):
                yield f"{name}={luck.choice(self.policies[name])}"
        if luck.random() < 0.2:
            yield f"alias={luck.choice(['dy', 'x', 'y', 'a', 'b'])}"

    def one(self, luck):
        family, op = luck.choice(self.ops)
        shape = self.shape(luck)
        axis = "-" if family.startswith("binary") else luck.randrange(len(shape))
        element = luck.choice(["f16", "bf16", "f32", "f64"])
        laid, made = luck.choice(self.layouts), luck.choice(self.generators)
        words = [op, element, "x".join(map(str, shape)), str(axis), laid, made, str(luck.randrange(10**6))]
        return ",".join(["/".join(words), *self.keys(luck, family, op)])


def batch(build, cases, size, seed, number):
    """Its ids. An output cannot be every input: such ids are left out."""
    luck = random.Random(f"{seed}/{number}")
    ids = [cases.one(luck) for _ in range(size)]
    while True:
        refused = cotangent(build, "list", "--cases", "-", input="\n".join(ids))
        if not refused.returncode:
            return ids
        line = re.match(r"cotangent: -, line (\d+): .*alias=", refused.stderr)
        if not line:
            raise SystemExit(f"no case id: {refused.stderr}")
        del ids[int(line[1]) - 1]


def judge(build, words, ids, jobs):
    """How many cells have the reference's bits, and the ids that do not."""
    command = ["check", *words, "--against", "ref", "--level", "X", "--cases", "-", "--format", "json", "--jobs", jobs]
    done = cotangent(build, *command, input="\n".join(ids))
    try:
        result = json.loads(done.stdout)
    except ValueError:
        raise SystemExit(f"no result, of these ids:\n{chr(10).join(ids)}\n{done.stderr}") from None
    failed = [failure["id"] for row in result["rows"] for failure in row.get("failures", [])]
    if (done.returncode == 0) != (not failed):
        raise SystemExit(f"status {done.returncode}, {len(failed)} failures: {done.stderr}")
    return result["totals"]["cases"], result["totals"]["bit_cells"], failed


def backends(build, names):
    if names:
        return {name: ["--backend", name] for name in names}
    found = {"cuda": ["--backend", "cuda", "--device", "soft"]}
    if (build / "wasm/wasm.js").exists():
        found["wasm"] = ["--backend", "wasm"]
    return found


def begin(state, seed):
    sums = json.loads(state.read_text()) if state.exists() else {}
    if not sums or seed not in (None, sums["seed"]):
        sums = {"seed": time.time_ns() % 10**9 if seed is None else seed}
        sums |= {"batches": 0, "cases": 0, "cells": 0, "differences": 0}
    return sums


def soak(build, options):
    place, cases, began = options.state or build, Cases(build), time.time()
    state, differences = place / "soak.json", place / "soak.differences"
    sums, here = begin(state, options.seed), 0
    against = backends(build, options.against)
    print(f"seed {sums['seed']}, from batch {sums['batches']}: {', '.join(against)} against ref", flush=True)
    while time.time() - began < options.seconds:
        ids = batch(build, cases, options.batch, sums["seed"], sums["batches"])
        for name, words in against.items():
            judged, cells, failed = judge(build, words, ids, options.jobs)
            with differences.open("a") as to:
                to.writelines(f"{name} {one}\n" for one in failed)
            sums["cases"] += judged
            sums["cells"] += cells
            sums["differences"] += len(failed)
            here += cells
        sums["batches"] += 1
        state.write_text(json.dumps(sums))
    rate = here / (time.time() - began)
    print(f"{here:,} cells in this run, {rate:,.0f} a second; {sums['cells']:,} of {sums['cases']:,} cases in all")
    print(f"{sums['differences']} differences{f': {differences}' if sums['differences'] else ''}")
    return sums["differences"] > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--state", type=pathlib.Path, help="where its two files are, instead of BUILDDIR")
    parser.add_argument("--against", action="append", help="a backend in the place of cuda and wasm; may come again")
    parser.add_argument("--seed", type=int, help="begin anew with this one; else the last run's goes on")
    parser.add_argument("--batch", type=int, default=300, help="cases at a time")
    parser.add_argument("--jobs", default=str(os.cpu_count()))
    options = parser.parse_args()
    return soak(options.build.resolve(), options)


if __name__ == "__main__":
    sys.exit(main())
