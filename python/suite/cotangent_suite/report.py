"""What the suite says of functions."""

from html import escape
from typing import Any, Dict, List, Optional


class Report:
    """What ``check`` found. It is true where nothing failed and something was judged."""

    def __init__(self, data: Dict[str, Any], error: Optional[str]):
        self.data = data  #: the object that ``cotangent check --format json`` prints
        self.error = error  #: the traceback of the last function that raised
        self.failures: List[Dict[str, Any]] = [failure for row in data["rows"] for failure in row["failures"]]
        self.cases: int = data["totals"]["cases"]
        self.failed: int = data["totals"]["failed"]
        self.cells: int = data["totals"]["cells"]
        self.not_done: List[Dict[str, Any]] = data["not_done"]
        self.worst: Optional[float] = data["totals"]["worst"]

    def __bool__(self) -> bool:
        return bool(self.data["good"]) and self.cases > 0

    def __repr__(self) -> str:
        return f"<Report: {self.cases} cases, {self.failed} failed>"

    def __str__(self) -> str:
        lines = [self._row(row) for row in self.data["rows"] if row["cases"]]
        lines += [_failure(failure) for failure in self.failures]
        lines += [f"not done: {row['cases']} cases: {row['why']}" for row in self.not_done]
        lines += [self.error] if self.error else []
        verdict = "PASS" if self else "FAIL"
        return "\n".join([*lines, f"{verdict}  {self.cases} cases, {self.failed} failed, {self.cells} cells judged"])

    @staticmethod
    def _row(row: Dict[str, Any]) -> str:
        mark = f"FAIL {row['failed']} of {row['cases']}" if row["failed"] else f"level {row['level']}"
        worst = "unbounded" if row["worst"] is None else f"{row['worst']:.3g}"
        return f"{row['op']} {row['dtype']}: {mark}; worst error / bound {worst}"

    def _repr_html_(self) -> str:
        colour = "#1a7f37" if self else "#cf222e"
        return f'<pre style="border-left: 4px solid {colour}; padding-left: 8px">{escape(str(self))}</pre>'


def _failure(failure: Dict[str, Any]) -> str:
    cell = f" {failure['cell']}" if failure.get("cell") else ""
    why = f"\n  {failure['why']}" if failure.get("why") else ""
    return f"FAILED {failure['id']}\n  breaks {failure['clause']} (level {failure['level']}){cell}{why}"
