"""Is this gradient right? Judges gradients of reductions, scans, binary operations and softmax, cell by cell.

>>> import numpy as np
>>> import cotangent_suite as cs
>>> y = np.array([[0.25, 0.25, 0.5]], np.float32)
>>> dy = np.array([[1, 2, 3]], np.float32)
>>> bool(cs.judge("softmax", dy=dy, y=y, dx=y * (dy - (y * dy).sum(-1, keepdims=True))))
True
>>> verdict = cs.judge("softmax", dy=dy, y=y, dx=y * dy)
>>> bool(verdict), verdict.wrong, verdict.clause
(False, 3, 'SOFTMAX')

``judge`` is for a result that somebody has computed, ``check`` runs the suite on a function, ``gradient`` is the
reference, ``grade`` is for programs that write kernels.
"""

from .calls import gradient, judge
from .checks import check
from .grading import grade
from .program import CotangentError, version
from .report import Report
from .table import Inputs, cases, ops
from .verdict import Verdict

__all__ = [
    "CotangentError",
    "Inputs",
    "Report",
    "Verdict",
    "cases",
    "check",
    "grade",
    "gradient",
    "judge",
    "ops",
    "version",
]
