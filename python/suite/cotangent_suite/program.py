"""The program ``cotangent``: where it is, and how it is run."""

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Dict, List, NoReturn, Sequence

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
    done = subprocess.run(
        [find(), *arguments], env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    if done.returncode in good:
        return done.stdout
    words = done.stderr.strip().replace("cotangent: ", "", 1)
    words = words.replace(directory + os.sep, "") if directory else words
    if done.returncode == WRONG_USAGE:
        raise ValueError(words)
    raise CotangentError(f"cotangent {arguments[0]} ended with status {done.returncode}: {words}")


def environment() -> Dict[str, str]:
    """This process's, and where the software device is: in the package softgpu, where that is installed."""
    known = dict(os.environ)
    if "COTANGENT_SOFTGPU" not in known:
        try:
            from softgpu import program as device

            known["COTANGENT_SOFTGPU"] = str(device.directory() / "libcuda.so.1")
        except (ImportError, RuntimeError):  # it is not: then the command says so where it needs it
            pass
    return known


def scratch() -> "tempfile.TemporaryDirectory[str]":
    """A directory for operands: in memory where the system has such a place."""
    shared = "/dev/shm"
    inside = shared if os.access(shared, os.W_OK | os.X_OK) else None
    return tempfile.TemporaryDirectory(prefix="cotangent-", dir=inside)


def refuse_op(op: str) -> NoReturn:
    """Raises what the command says to a name that is no op's."""
    run(["explain", op])
    raise ValueError(f'there is no op "{op}"')


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
    try:
        program = find()
    except CotangentError as error:
        sys.exit(f"cotangent: {error}")
    os.execve(program, [program, *sys.argv[1:]], environment())
