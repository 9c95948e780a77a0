"""Prints the memory that a verdict on a large result takes at most, over the size of its operands, and its seconds.

usage: fixture_memory.py ROWS SHARE   rows of 4,096 cells; the share of cells that are wrong

Memory is the operands themselves, their files, what this process takes beside them, and the program's whole process.
Seconds are of all processors together, of this process and the program.
"""

import os
import stat
import sys
import tempfile
from pathlib import Path

import cotangent_suite as cs
import numpy as np
from cotangent_suite import program

COLUMNS = 4096
WATCH = """#!{python}
import resource, subprocess, sys
code = subprocess.run([{command!r}, *sys.argv[1:]]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss << 10, file=open({peak!r}, "w"))
sys.exit(code)
"""


def highest() -> int:
    """The most bytes that this process has had."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM:"))


def seconds() -> float:
    return sum(os.times()[:4])


def operands(rows, share):
    random = np.random.default_rng(1)
    dy, x = (random.standard_normal((rows, COLUMNS), np.float32) for _ in range(2))
    y = np.exp(x)
    y /= y.sum(-1, keepdims=True)
    dx = y * (dy - (y * dy).sum(-1, keepdims=True))
    if share:
        dx[random.random(dx.shape) < share] *= 2
    return {"dy": dy, "y": y, "dx": dx}


def main(rows, share):
    with tempfile.TemporaryDirectory() as directory:
        watch, peak = Path(directory) / "watch", Path(directory) / "peak"
        watch.write_text(WATCH.format(python=sys.executable, command=program.find(), peak=str(peak)))
        watch.chmod(watch.stat().st_mode | stat.S_IXUSR)
        os.environ["COTANGENT"] = str(watch)
        given = operands(rows, share)
        Path("/proc/self/clear_refs").write_text("5")  # the most so far is what there is now
        size, before, began = sum(array.nbytes for array in given.values()), highest(), seconds()
        verdict = cs.judge("softmax", **given)
        taken = seconds() - began
        wrong = int(verdict.wrong_cells("dx").sum())
        assert wrong == verdict.wrong >= rows * COLUMNS * share / 2, verdict
        assert bool(verdict) == (share == 0), verdict
        print((2 * size + highest() - before + int(peak.read_text())) / size, taken)


if __name__ == "__main__":
    main(int(sys.argv[1]), float(sys.argv[2]))
