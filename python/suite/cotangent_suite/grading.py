"""Grades for programs that write kernels: one JSON object, the same for the same seed."""

import json
import os
import random
import re
import secrets
import shlex
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union

from . import program
from .arrays import Array, to_library
from .calls import judge
from .table import cases, known_op, ops, outputs_of

SCHEMA = Path(__file__).with_name("grade.schema.json")
INSTRUCTIONS = Path(__file__).with_name("assistants.md")
USAGE = "usage: python3 -m cotangent_suite.grading OP FILE.py[:NAME] [SEED]   or --instructions"
NO_START = "no answer to open within"  # what the command says where a submission does not end to load
START = "import sys\nsys.path.insert(0, {!r})\nfrom cotangent_suite import child\nchild.main{!r}\n"


def grade(
    op: str,
    submission: Union[str, Path, None] = None,
    *,
    inputs: Optional[Dict[str, Array]] = None,
    output: Union[Array, Sequence[Array], None] = None,
    seed: Optional[int] = None,
    cases: int = 48,
    dtypes: Sequence[str] = ("f32",),
    convention: str = "spec",
    library: str = "numpy",
    timeout: float = 300,
    **options: Any,
) -> Dict[str, Any]:
    """Grades a submission: a file of Python's with a function ``gradient`` (or "file.py:name"), as ``check`` wants one.

    It runs in a process of its own, on numbers and shapes that are drawn by ``seed`` (where none is given, by one that
    nobody knew before; the grade has it). ``inputs`` and ``output`` instead of a submission grade one result.

    >>> import numpy as np
    >>> ones = np.ones(3, np.float32)
    >>> grade("cumsum", inputs={"dy": ones}, output=np.zeros(3, np.float32))["right"]
    False
    """
    row = known_op(op)
    if (submission is None) == (inputs is None or output is None):
        raise ValueError("expected a submission, or inputs and an output")
    if submission is None:
        return _of_result(row, inputs or {}, output, convention, options)
    file, _, name = str(submission).partition(":")
    if not Path(file).is_file():
        raise ValueError(f"{file}: there is no such file")
    to_library(library, None, dtypes[0])
    seed = secrets.randbelow(2**31) if seed is None else seed
    ids = drawn(op, dtypes, convention, seed, cases)
    result = _blank(op, convention, seed)
    result.update(_run(op, os.path.abspath(file), name or "gradient", library, ids, timeout))
    return result


def drawn(op: str, dtypes: Sequence[str], convention: str, seed: int, count: int) -> List[str]:
    """Cases by a seed: as far as they go one of every kind of numbers, then any; each twice, with other numbers in the
    same shape, so that an answer that was kept is not the next one's.

    >>> drawn("softmax", ("f32",), "spec", 1, 3) == drawn("softmax", ("f32",), "spec", 1, 3)
    True
    >>> drawn("softmax", ("f32",), "spec", 1, 3) == drawn("softmax", ("f32",), "spec", 2, 3)
    False
    """
    every = cases(op, dtypes, "quick", convention, seed)
    random.Random(seed).shuffle(every)
    kinds = {(case.split("/")[1], case.split("/")[5]): case for case in reversed(every)}
    first = [*kinds.values()]
    rest = [case for case in every if case not in kinds.values()]
    chosen = [*reversed(first), *rest][: max(count, 1)]
    return [case for one in chosen for case in (one, _with_other_numbers(one))][: max(count, 1)]


def _with_other_numbers(case: str) -> str:
    """
    >>> _with_other_numbers("cumsum/f32/4/0/contig/uniform/1,rev=1")
    'cumsum/f32/4/0/contig/uniform/1000000008,rev=1'
    """
    head, _, keys = case.partition(",")
    start, _, number = head.rpartition("/")
    return f"{start}/{(int(number) + 10**9 + 7) % 2**31}{',' if keys else ''}{keys}"


def _blank(op: str, convention: str, seed: Optional[int]) -> Dict[str, Any]:
    counts = {"cases": 0, "failed": 0, "cells": 0, "not_done": 0}
    said: Dict[str, Any] = {
        "right": False,
        "score": 0.0,
        "worst": None,
        "clauses": {},
        "failures": [],
        "error": None,
        "timed_out": False,
    }
    names = {"format": 1, "cotangent": program.version(), "op": op, "convention": convention, "seed": seed}
    return {**names, **said, **counts}


def _of_result(
    row: Dict[str, Any], inputs: Dict[str, Array], output: Any, convention: str, options: Dict[str, Any]
) -> Dict[str, Any]:
    names = outputs_of(row["op"])
    results = dict(zip(names, output if len(names) > 1 else (output,)))
    verdict = judge(row["op"], **inputs, **results, convention=convention, **options)
    result = _blank(row["op"], convention, None)
    result.update({"right": verdict.right, "score": float(verdict.right), "cases": 1, "failed": int(not verdict.right)})
    result.update({"cells": verdict.cells, "worst": verdict.worst})
    if not verdict.right:
        result["clauses"] = {verdict.clause: 1} if verdict.clause else {}
        result["failures"] = [{"id": None, "clause": verdict.clause, "cell": verdict.cell, "why": verdict.text}]
    return result


def _run(op: str, file: str, name: str, library: str, ids: List[str], timeout: float) -> Dict[str, Any]:
    package = str(Path(__file__).parent.parent)
    with tempfile.TemporaryDirectory(prefix="cotangent-") as directory:
        start, listed = Path(directory) / "start.py", Path(directory) / "cases"
        given = (file, name, op, library, [row["op"] for row in ops()], program.find())
        start.write_text(START.format(package, given))
        command = shlex.join([sys.executable, "-I", "-B", str(start)])
        listed.write_text("".join(f"{case}\n" for case in ids))
        arguments = ["check", "--backend", f"process:{command}", "--level", "B", "--cases", str(listed)]
        arguments += ["--format", "json", "--jobs", "1", "--timeout", str(max(timeout / 5, 3))]
        status, printed, said = _within(timeout, [program.find(), *arguments])
    printed, said = (_lasting(text, command, os.path.basename(file)) for text in (printed, said))
    if status is None:
        return {"timed_out": True, "error": f"no end within {timeout:g} s"}
    if status not in (0, 1):
        return {"timed_out": NO_START in said, "error": said or f"cotangent ended with status {status}"}
    return _summary(json.loads(printed))


def _lasting(words: str, command: str, name: str) -> str:
    """Words without what differs from run to run: the command of a submission's process, and addresses of objects.

    >>> _lasting("python3 /tmp/x: <object at 0x7f06fb1a6920>", "python3 /tmp/x", "kernel.py")
    'kernel.py: <object at 0x...>'
    """
    return re.sub(r"\bat 0x[0-9a-f]+", "at 0x...", words.replace(command, name)).strip()


def _within(timeout: float, words: List[str]) -> Any:
    """A program's status and words; its whole group is ended with it, and the status is None where time runs out."""
    with subprocess.Popen(
        words,
        env=program.environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as running:
        try:
            printed, said = running.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            os.killpg(running.pid, signal.SIGKILL)
            running.communicate()
            return None, "", ""
        return running.returncode, printed, said


def _summary(data: Dict[str, Any]) -> Dict[str, Any]:
    totals = data["totals"]
    failures = [failure for row in data["rows"] for failure in row["failures"]]
    clauses: Dict[str, int] = {}
    for failure in failures:
        clauses[failure["clause"]] = clauses.get(failure["clause"], 0) + 1
    tried = totals["cases"] + totals["unsupported"]
    return {
        "right": bool(data["good"]) and totals["cases"] > 0 and not totals["unsupported"],
        "score": (totals["cases"] - totals["failed"]) / tried if tried else 0.0,
        "cases": totals["cases"],
        "failed": totals["failed"],
        "not_done": totals["unsupported"],
        "cells": totals["cells"],
        "worst": totals["worst"],
        "clauses": clauses,
        "failures": [{key: failure.get(key) for key in ("id", "clause", "cell", "why")} for failure in failures],
    }


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """python3 -m cotangent_suite.grading OP FILE [SEED]: prints the grade; 0 right, 1 not, 2 wrong usage."""
    words = [*(sys.argv[1:] if arguments is None else arguments)]
    if words == ["--instructions"]:
        print(INSTRUCTIONS.read_text(), end="")
        return 0
    if len(words) not in (2, 3) or not all(word.isdigit() for word in words[2:]):
        print(USAGE, file=sys.stderr)
        return program.WRONG_USAGE
    try:
        result = grade(words[0], words[1], seed=int(words[2]) if len(words) == 3 else None)
    except ValueError as error:
        print(f"cotangent_suite.grading: {error}", file=sys.stderr)
        return program.WRONG_USAGE
    print(json.dumps(result, indent=2))
    return 0 if result["right"] else 1


if __name__ == "__main__":
    sys.exit(main())
