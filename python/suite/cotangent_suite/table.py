"""The op table and the ids of cases, from the command."""

import json
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Tuple

import numpy as np

from . import program
from .arrays import numpy_dtype


def ops() -> List[Dict[str, Any]]:
    """The op table: family, name, what an op reads, its policies and formulas.

    >>> [row["op"] for row in ops()][:3]
    ['sum', 'mean', 'max']
    """
    if not _ops:
        _ops.extend(json.loads(program.run(["ops", "--json"])))
    return _ops


_ops: List[Dict[str, Any]] = []


def known_op(op: str) -> Dict[str, Any]:
    for row in ops():
        if row["op"] == op:
            return row
    return program.refuse_op(op)


def cases(
    op: str,
    dtypes: Sequence[str] = ("f32",),
    range: str = "brief",
    convention: str = "spec",
    seed: Optional[int] = None,
) -> List[str]:
    """Ids of cases: of "brief" one a generator of numbers and type; "quick" and "full" as the command has them.

    >>> cases("softmax")[0]
    'softmax/f32/...'
    """
    row = known_op(op)
    words = ["list", "--op", op, "--dtype", ",".join(dtypes), "--convention", convention]
    words += ["--full"] if range == "full" else []
    words += ["--seed", str(seed)] if seed is not None else []
    if range not in ("brief", "quick", "full"):
        raise ValueError(f'range "{range}": expected brief, quick or full')
    ids = [case for case in program.lines(words) if _is_for(case, row["policies"], convention)]
    if range != "brief":
        return ids
    first = {tuple(case.split("/")[i] for i in (1, 5)): case for case in reversed(ids)}
    return [case for case in ids if first[tuple(case.split("/")[i] for i in (1, 5))] == case]


def _is_for(case: str, policies: List[str], convention: str) -> bool:
    """Not a call that must be refused, nor one under other policies: a function has one convention."""
    keys = dict(word.split("=", 1) for word in case.split(",")[1:])
    heeded = not policies or keys.get("conv", "spec") == convention
    return "bad" not in keys and heeded and not any(policy in keys for policy in policies)


def outputs_of(op: str) -> Tuple[str, ...]:
    """What a gradient of the op is called.

    >>> outputs_of("mul"), outputs_of("max")
    (('da', 'db'), ('dx',))
    """
    return ("da", "db") if known_op(op)["family"].startswith("binary") else ("dx",)


class Inputs:
    """The inputs of a case, as NumPy's arrays; ``options`` are those of ``judge`` and ``gradient``.

    >>> case = Inputs("cumsum/f32/4/0/contig/integers/1,rev=1")
    >>> case.arrays["dy"].shape, case.options["reverse"]
    ((4,), True)
    """

    def __init__(self, case: str):
        with program.scratch() as directory:
            program.run(["emit", "--case", case, "--dir", directory], directory=directory)
            self.data: Dict[str, Any] = json.loads((Path(directory) / "case.json").read_text())
            dtype = numpy_dtype(self.data["dtype"])
            self.arrays: Dict[str, np.ndarray] = {
                name: np.load(Path(directory) / file).view(dtype) for name, file in self.data["inputs"].items()
            }
        self.id, self.op, self.dtype, self.shape = case, self.data["op"], self.data["dtype"], tuple(self.data["shape"])
        self.options: Dict[str, Any] = {
            key: self.data[key] for key in ("axis", "reverse", "correction") if key in self.data
        }
        if self.op == "lerp":
            self.options["param"] = self.data["param"]
        if self.data.get("policies"):
            self.options["policy"] = ",".join(f"{name}={value}" for name, value in self.data["policies"].items())
