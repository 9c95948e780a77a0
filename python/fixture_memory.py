"""Prints the memory that a verdict on a large wrong result takes at most, over the size of its operands.

It counts the operands themselves, their files, what this process takes beside them, and the program's whole process.
"""

import os
import stat
import sys
import tempfile
from pathlib import Path

import cotangent_suite as cs
import numpy as np
from cotangent_suite import program

ROWS, COLUMNS = 512, 4096
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


def operands():
    random = np.random.default_rng(1)
    dy, x = (random.standard_normal((ROWS, COLUMNS), np.float32) for _ in range(2))
    y = np.exp(x)
    y /= y.sum(-1, keepdims=True)
    dx = y * (dy - (y * dy).sum(-1, keepdims=True))
    dx[random.random((ROWS, COLUMNS)) < 0.4] *= 2
    return {"dy": dy, "y": y, "dx": dx}


def main():
    with tempfile.TemporaryDirectory() as directory:
        watch, peak = Path(directory) / "watch", Path(directory) / "peak"
        watch.write_text(WATCH.format(python=sys.executable, command=program.find(), peak=str(peak)))
        watch.chmod(watch.stat().st_mode | stat.S_IXUSR)
        os.environ["COTANGENT"] = str(watch)
        given = operands()
        Path("/proc/self/clear_refs").write_text("5")  # the most so far is what there is now
        size, before = sum(array.nbytes for array in given.values()), highest()
        verdict = cs.judge("softmax", **given)
        wrong = int(verdict.wrong_cells("dx").sum())
        assert wrong == verdict.wrong > ROWS * COLUMNS // 4, verdict
        print((2 * size + highest() - before + int(peak.read_text())) / size)


if __name__ == "__main__":
    main()
