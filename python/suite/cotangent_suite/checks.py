"""The whole suite, or a part of it, on functions of Python."""

import json
import shlex
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable, Dict, Iterable, Optional, Sequence, Union

from . import autograd, bridge, program
from .arrays import to_library
from .port import Function, Port, Served
from .report import Report
from .table import cases, known_op, ops

LEVELS = {"edges": "E", "bound": "B", "stable": "D", "invariant": "I", "bits": "X"}
CHECKED, FAILED = 0, 1


def level_letter(level: str) -> str:
    """A level by its name or its letter.

    >>> level_letter("bound"), level_letter("B")
    ('B', 'B')
    >>> level_letter("high")
    Traceback (most recent call last):
    ValueError: level "high": expected edges, bound, stable, invariant or bits
    """
    letter = LEVELS.get(level, level)
    if letter not in LEVELS.values():
        raise ValueError(f'level "{level}": expected edges, bound, stable, invariant or bits')
    return letter


class Session:
    """Functions that are ready to be judged, case by case."""

    def __init__(self, functions: Dict[str, Function], level: str, library: str):
        served = {op: Served(function, library) for op, function in functions.items()}
        self.letter = level_letter(level)
        self.port = Port(served, [row["op"] for row in ops()], self.letter)

    def __enter__(self) -> "Session":
        self.port.__enter__()
        return self

    def __exit__(self, *arguments: Any) -> None:
        self.port.__exit__(*arguments)

    def run(self, ids: Iterable[str], waivers: Optional[str] = None, timeout: float = 60) -> Report:
        self.port.error = None
        command = shlex.join([sys.executable, "-I", "-S", bridge.__file__, self.port.path])
        with tempfile.TemporaryDirectory(prefix="cotangent-") as directory:
            listed = Path(directory) / "cases"
            listed.write_text("".join(f"{case}\n" for case in ids))
            words = ["check", "--backend", f"process:{command}", "--level", self.letter, "--cases", str(listed)]
            words += ["--format", "json", "--jobs", "1", "--timeout", str(timeout)]
            words += ["--waivers", waivers] if waivers else []
            printed = program.run(words, (CHECKED, FAILED), directory)
        return Report(json.loads(printed), self.port.error)


def check(
    what: Union[Function, Dict[str, Function], Any],
    op: Optional[str] = None,
    *,
    level: str = "bound",
    range: str = "brief",
    dtypes: Sequence[str] = ("f32",),
    convention: str = "spec",
    library: Optional[str] = None,
    seed: Optional[int] = None,
    waivers: Optional[str] = None,
    timeout: float = 60,
) -> Report:
    """Runs the suite on a function, on several by the names of their ops, or on a function with its own derivative.

    A function takes, by the names of its parameters, what it needs of dy, x, y, a, b, axis (or dim), reverse,
    correction, param; and returns dx, or (da, db). Arrays are of ``library``: "numpy" (the default), "torch", "jax".
    A subclass of torch.autograd.Function, or a jax.custom_vjp, is called forward and back, in this process and without
    a timeout; it is judged at level "bound".

    >>> report = check(lambda dy, y, axis: y * (dy - (y * dy).sum(axis, keepdims=True)), op="softmax")
    >>> bool(report), report.failed
    (True, 0)
    >>> check({"mul": lambda dy, a, b: (dy * a, dy * b)}).failures[0]["clause"]
    'MUL'
    """
    if not isinstance(what, dict) and not op:
        raise ValueError("op: expected the name of the op that the function is a gradient of")
    given: Dict[str, Any] = what if isinstance(what, dict) else {str(op): what}
    adapted = {name: autograd.adapt(function, known_op(name)) for name, function in given.items()}
    libraries = {kind for _, kind in adapted.values() if kind}
    if len(libraries) > 1:
        raise ValueError(f"functions of {' and '.join(sorted(libraries))}: expected those of one library")
    ids = [case for name in given for case in cases(name, dtypes, range, convention, seed)]
    functions: Dict[str, Callable[..., Any]] = {name: function for name, (function, _) in adapted.items()}
    own = [isinstance(function, autograd.Forward) for function in functions.values()]
    if any(own) and not all(own):
        raise ValueError("functions with their own derivative and gradients: expected one kind in a call")
    if any(own) and library and {library} != libraries:
        raise ValueError(f'library "{library}": the function is one of {libraries.pop()}')
    if any(own):
        autograd.refuse_unmet(level_letter(level), waivers)
        return autograd.judge_all(functions, ids)
    kind = library or next(iter(libraries), "numpy")
    to_library(kind, None, "f32")  # which refuses a library that is not known or not there
    with Session(functions, level, kind) as session:
        return session.run(ids, waivers, timeout)
