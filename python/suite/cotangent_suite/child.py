"""A submission that is graded: a function in a file, served to the suite by a process that has nothing else.

usage: child.main(FILE, NAME, OP, LIBRARY, OPS): what grade starts
"""

import importlib.util
import os
import sys
from typing import List

from .port import Answers, Served

REACHES_THE_ANSWER = ("cotangent_suite", "softgpu")


def main(file: str, name: str, op: str, library: str, ops: List[str]) -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a submission prints is no answer
    os.close(0)
    forget()
    Answers({op: Served(load(file, name), library)}, ops).serve(source, sink)


def forget() -> None:
    """The packages that have the reference cannot be imported from here on, nor its command be found by name."""
    for module in [*sys.modules]:
        if module.split(".")[0] in REACHES_THE_ANSWER:
            sys.modules[module] = None  # type: ignore[assignment] # the import system's own mark for "there is none"
    os.environ["PATH"] = "/nonexistent"  # an empty one would be the current directory
    os.chdir("/")
    for name in ("COTANGENT", "COTANGENT_SOFTGPU", "SOFTGPU_HOME", "PYTHONPATH"):
        os.environ.pop(name, None)


def load(file: str, name: str) -> object:
    spec = importlib.util.spec_from_file_location("submission", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file}: expected a file of Python's")
    module = importlib.util.module_from_spec(spec)
    sys.modules["submission"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)
