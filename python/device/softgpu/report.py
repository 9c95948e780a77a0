"""What the checkers saw in a launch, and what it cost."""

import json
from dataclasses import dataclass
from typing import Any, Dict, List, Optional, Tuple

SEVERITIES = ("note", "warning", "error")
Place = Tuple[int, int, int]


@dataclass(frozen=True)
class Finding:
    """One report of a checker, with the line of the source where the compiler wrote it down."""

    check: str  #: memcheck, initcheck, racecheck, synccheck, leakcheck, lint or fpcheck
    severity: str  #: note, warning or error
    kernel: str
    text: str  #: the whole message
    source: Optional[str]  #: the file of the source line
    source_line: int
    line: int  #: of the PTX
    block: Place
    thread: Place
    address: int  #: 0 where none is involved
    count: int  #: how often it recurred
    other_source: Optional[str] = None  #: a race's other party
    other_source_line: int = 0
    other_line: int = 0
    other_block: Place = (0, 0, 0)
    other_thread: Place = (0, 0, 0)

    def __str__(self) -> str:
        return self.text


class Launch:
    """A launch is true where no checker found an error or a warning; it prints as what they found."""

    def __init__(self, kernel: str, findings: List[Finding], counters: Dict[str, Any], ptx: str):
        self.kernel, self.findings, self.counters, self.ptx = kernel, findings, counters, ptx

    def __bool__(self) -> bool:
        return not any(finding.severity != "note" for finding in self.findings)

    def __str__(self) -> str:
        return "\n".join(map(str, self.findings)) or f"{self.kernel}: nothing to report"

    def __repr__(self) -> str:
        return f"<Launch of {self.kernel}: {len(self.findings)} reports>"

    def found(self, check: str) -> List[Finding]:
        """The reports of one checker.

        >>> Launch("add", [], {}, "").found("racecheck")
        []
        """
        return [finding for finding in self.findings if finding.check == check]


def parse_counters(text: str) -> Dict[str, Any]:
    """The counters of a launch, from what the device writes of all.

    >>> parse_counters('{"total": {"ctas": 4}, "launches": []}')
    {'ctas': 4}
    """
    return json.loads(text)["total"] if text else {}
