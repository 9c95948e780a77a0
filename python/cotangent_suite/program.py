"""The program ``cotangent``: where it is, and how it is run."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import List, NoReturn, Sequence

WRONG_USAGE = 2


class CotangentError(RuntimeError):
    """The program ``cotangent`` is missing, or failed for a reason that is not the caller's."""


def find() -> str:
    """The program: what COTANGENT in the environment names, the one in this package, or the one on PATH."""
    named = os.environ.get("COTANGENT")
    bundled = Path(__file__).parent / "native" / "cotangent"
    found = named or (str(bundled) if bundled.exists() else shutil.which("cotangent"))
    if not found or not os.access(found, os.X_OK):
        raise CotangentError(
            f"no program cotangent ({named or 'neither in this package nor on PATH'}): install a wheel of "
            "cotangent-suite, or set COTANGENT to the path of one that was built"
        )
    return found


def run(arguments: Sequence[str], good: Sequence[int] = (0,), directory: str = "") -> str:
    """What the program prints. Wrong usage is a ValueError in its own words, without the directory of the files."""
    done = subprocess.run([find(), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode in good:
        return done.stdout
    words = done.stderr.strip().replace("cotangent: ", "", 1)
    words = words.replace(directory + os.sep, "") if directory else words
    if done.returncode == WRONG_USAGE:
        raise ValueError(words)
    raise CotangentError(f"cotangent {arguments[0]} ended with status {done.returncode}: {words}")


def lines(arguments: Sequence[str]) -> List[str]:
    return run(arguments).splitlines()


def version() -> str:
    """The program's version.

    >>> version().split(".")[0].isdigit()
    True
    """
    return lines(["version"])[0].split()[1]


def main() -> NoReturn:
    """The command ``cotangent``: this process becomes the program."""
    program = find()
    os.execv(program, [program, *sys.argv[1:]])
