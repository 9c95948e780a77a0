"""A submission that is graded: a function in a file, served to the suite by a process that has nothing else.

usage: child.main(FILE, NAME, OP, LIBRARY, OPS, COMMAND): what grade starts
"""

import importlib.util
import os
import shlex
import sys
from typing import Any, Iterator, List, Sequence, Set

from .port import Answers, Served

REACHES_THE_ANSWER = ("cotangent_suite", "softgpu")
WATCHED = ("open", "subprocess.Popen", "os.exec", "os.posix_spawn", "os.system", "ctypes.dlopen")


def main(file: str, name: str, op: str, library: str, ops: List[str], command: str) -> None:
    source, sink = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a submission prints is no answer
    os.close(0)
    places = homes()
    forget()
    guard([*places, command])
    Answers({op: Served(load(file, name), library)}, ops).serve(source, sink)


def homes() -> Set[str]:
    """The directories of the packages that have the reference, or what its command is made of."""
    found = [importlib.util.find_spec(package) for package in REACHES_THE_ANSWER]
    return {os.path.dirname(str(spec.origin)) for spec in found if spec and spec.origin}


def guard(places: Sequence[str]) -> None:
    """From here on Python opens and starts nothing that lies in these places: no code can take an audit hook away."""
    resolved = tuple(map(os.path.realpath, places))

    def look(event: str, arguments: Any) -> None:
        if event not in WATCHED:
            return
        for word in _words(event, arguments):
            path = os.path.realpath(word)
            if any(path == place or path.startswith(place + os.sep) for place in resolved):
                raise PermissionError(f"{event}: {word}: not for a submission that is graded")

    sys.addaudithook(look)


def _words(event: str, values: Any) -> Iterator[str]:
    """Whatever may be a path in the arguments of an event.

    >>> [*_words("subprocess.Popen", ("sh", [b"-c", "cat 'a b'"], None))]
    ['sh', '-c', "cat 'a b'", 'cat', 'a b']
    """
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from _words(event, value)
        elif isinstance(value, (str, bytes, os.PathLike)):
            word = os.fsdecode(value)
            yield word
            yield from _shell_words(word) if event != "open" else ()


def _shell_words(line: str) -> List[str]:
    try:
        words = shlex.split(line)
    except ValueError:  # no closing quotation
        words = line.split()
    return words if len(words) > 1 else []


def forget() -> None:
    """The packages that have the reference are not found from here on, nor its command by name."""
    for module in [*sys.modules]:
        if module.split(".")[0] in REACHES_THE_ANSWER:
            sys.modules[module] = None  # type: ignore[assignment] # the import system's own mark for "there is none"
    os.environ["PATH"] = "/nonexistent"  # an empty one would be the current directory
    os.chdir("/")
    for name in ("COTANGENT", "COTANGENT_SOFTGPU", "SOFTGPU_HOME", "PYTHONPATH"):
        os.environ.pop(name, None)


def load(file: str, name: str) -> Any:
    spec = importlib.util.spec_from_file_location("submission", file)
    if spec is None or spec.loader is None:
        raise ValueError(f"{file}: expected a file of Python's")
    module = importlib.util.module_from_spec(spec)
    sys.modules["submission"] = module
    spec.loader.exec_module(module)
    return getattr(module, name)
