"""The command ``softgpu`` and the device's library: where they are."""

import os
import shutil
import sys
from pathlib import Path
from typing import Any, NoReturn, Sequence

NATIVE = Path(__file__).parent / "native"


class SoftgpuError(RuntimeError):
    """The device is missing, or refused what it was asked for; the message is the device's own."""

    def __init__(self, message: str, findings: Sequence[Any] = ()):
        super().__init__(message)
        self.findings = list(findings)  #: of the launch that a fault ended


def directory() -> Path:
    """Where the device is: what SOFTGPU_HOME in the environment names, in this package, or beside the command."""
    command = shutil.which("softgpu")
    places = [Path(os.environ["SOFTGPU_HOME"])] if "SOFTGPU_HOME" in os.environ else [NATIVE]
    if command and "SOFTGPU_HOME" not in os.environ:
        beside = Path(command).resolve().parent
        places += [beside, beside.parent / "lib" / "cotangent" / "softgpu"]
    for place in places:
        if (place / "libcuda.so.1").exists():
            return place
    raise SoftgpuError(
        f"no libcuda.so.1 in {' or '.join(map(str, places))}: install a wheel of softgpu, or set SOFTGPU_HOME to the "
        "directory of one that was built"
    )


def find() -> str:
    """The command's program.

    >>> os.access(find(), os.X_OK)
    True
    """
    return str(directory() / "softgpu")


def main() -> NoReturn:
    """The command ``softgpu``: this process becomes the program."""
    try:
        program = find()
    except SoftgpuError as error:
        sys.exit(f"softgpu: {error}")
    os.execv(program, [program, *sys.argv[1:]])
