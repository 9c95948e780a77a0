"""Functions that carry their own derivative: torch.autograd.Function and jax.custom_vjp.

Their forward result is their own, so that the suite's saved y is not what their gradient is made of. They are called
forward on the case's inputs and back on its dy, and the gradient is judged with the y that they computed.
"""

import sys
import traceback
from typing import Any, Callable, Dict, List, Optional, Tuple

import numpy as np

from .arrays import read, to_library
from .calls import judge
from .report import Report
from .table import Inputs
from .verdict import Verdict

FORWARD_FROM_Y: Dict[str, Callable[..., np.ndarray]] = {
    "softmax": np.log,
    "log_softmax": np.copy,
}  # an x that gives such a y, up to rounding


class Forward:
    """A function with its derivative: ``differentiate`` gives its result and the gradients of its operands."""

    def __init__(self, library: str, differentiate: Callable[..., Tuple[Any, Tuple[Any, ...]]], binary: bool):
        self.library, self.differentiate, self.binary = library, differentiate, binary

    def judge(self, case: Inputs) -> Verdict:
        arrays, shown = dict(case.arrays), case.data["op"]
        if shown in FORWARD_FROM_Y:
            with np.errstate(all="ignore"):
                arrays["x"] = FORWARD_FROM_Y[shown](arrays["y"].astype(np.float64)).astype(arrays["y"].dtype)
        names = ("a", "b") if self.binary else ("x",)
        unread = np.zeros(case.shape, arrays["dy"].dtype)  # a sum's gradient needs the shape of x alone
        operands = [to_library(self.library, arrays.get(name, unread), case.dtype) for name in names]
        dy = to_library(self.library, arrays["dy"], case.dtype)
        rest = (case.options["param"],) if shown == "lerp" else () if self.binary else (case.options["axis"],)
        y, gradients = self.differentiate(operands, dy, rest)
        outputs = dict(zip(("da", "db") if self.binary else ("dx",), gradients))
        if "y" in arrays:
            arrays["y"] = _shaped(y, arrays["y"])
        given: Dict[str, Any] = {name: cells for name, cells in arrays.items() if name in case.arrays}
        return judge(shown, **given, **outputs, **case.options)


def _shaped(y: Any, like: np.ndarray) -> np.ndarray:
    """The function's own result with the case's shape: a reduction may have dropped the axis."""
    cells, _ = read("y", y)
    return cells.reshape(like.shape)


def adapt(function: Any, row: Dict[str, Any]) -> Tuple[Any, Optional[str]]:
    """The function, or a Forward of it; and the library whose arrays it wants, where it shows that."""
    if isinstance(function, Forward):
        return function, function.library
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    binary = row["family"].startswith("binary")
    if torch and isinstance(function, type) and issubclass(function, torch.autograd.Function):
        return Forward("torch", _by_torch(function, torch), binary), "torch"
    if jax and isinstance(function, jax.custom_vjp):
        return Forward("jax", _by_jax(function, jax), binary), "jax"
    if not callable(function):
        raise TypeError(f"{row['op']}: {type(function).__name__}, expected a function")
    return function, None


def _by_torch(function: Any, torch: Any) -> Callable[..., Any]:
    def differentiate(operands: List[Any], dy: Any, rest: Tuple[Any, ...]) -> Any:
        inputs = [tensor.detach().clone().requires_grad_() for tensor in operands]
        result = function.apply(*inputs, *rest)
        return result, torch.autograd.grad(result, inputs, dy.reshape(result.shape))

    return differentiate


def _by_jax(function: Any, jax: Any) -> Callable[..., Any]:
    def differentiate(operands: List[Any], dy: Any, rest: Tuple[Any, ...]) -> Any:
        result, back = jax.vjp(lambda *inputs: function(*inputs, *rest), *operands)
        return result, back(dy.reshape(result.shape))

    return differentiate


def refuse_unmet(level: str, waivers: Optional[str]) -> None:
    """What cannot be had of functions with their own derivative: one call a case is judged, as one on files."""
    if level != "B":
        raise ValueError('level: expected "bound" for a function with its own derivative')
    if waivers:
        raise ValueError("waivers: not for a function with its own derivative")


def judge_all(functions: Dict[str, Any], ids: List[str]) -> Report:
    """A report as of the command's, made of verdicts."""
    rows: Dict[Tuple[str, str], Dict[str, Any]] = {}
    error = None
    for case in map(Inputs, ids):
        row = rows.setdefault((case.op, case.dtype), _row(case))
        if not to_library(functions[case.op].library, None, case.dtype):
            row["unsupported"] += 1
            continue
        row["cases"] += 1
        try:
            verdict = functions[case.op].judge(case)
            _count(row, case.id, verdict)
        except Exception as raised:  # whatever a function raises is a failure of the case, in its words
            error = traceback.format_exc()
            row["failed"] += 1
            why = f"{type(raised).__name__}: {raised}"
            row["failures"].append({"id": case.id, "level": "E", "clause": None, "why": why})
    return Report(_whole(list(rows.values())), error)


def _row(case: Inputs) -> Dict[str, Any]:
    counts = dict.fromkeys(("cases", "failed", "unsupported", "cells"), 0)
    return {"op": case.op, "dtype": case.dtype, "level": "B", "worst": 0.0, "failures": [], **counts}


def _count(row: Dict[str, Any], case: str, verdict: Verdict) -> None:
    row["cells"] += verdict.cells
    row["worst"] = None if verdict.worst is None or row["worst"] is None else max(row["worst"], verdict.worst)
    if not verdict.wrong:
        return
    row["failed"] += 1
    why = verdict.text.splitlines()
    failure = {"id": case, "level": "B", "clause": verdict.clause, "cell": verdict.cell, "why": "\n  ".join(why)}
    row["failures"].append(failure)


def _whole(rows: List[Dict[str, Any]]) -> Dict[str, Any]:
    totals = {key: sum(row[key] for row in rows) for key in ("cases", "failed", "unsupported", "cells")}
    worst = [row["worst"] for row in rows]
    totals["worst"] = None if None in worst else max(worst, default=0.0)
    not_done = [{"cases": row["unsupported"], "why": f"no {row['dtype']} there"} for row in rows if row["unsupported"]]
    return {"good": not totals["failed"], "totals": totals, "rows": rows, "not_done": not_done}
