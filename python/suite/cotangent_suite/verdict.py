"""What judge says of one gradient."""

from html import escape
from pathlib import Path
from typing import Any, Dict, List, Optional, Tuple, Union

import numpy as np

MOST_BOXES = 64  # of a picture, in each direction


class Verdict:
    """A verdict is true where every cell is right, prints as what the command prints, and has its parts as fields.

    Where an attribute is about what is wrong, it is None in a verdict that is right.
    """

    def __init__(
        self, data: Dict[str, Any], operands: Dict[str, np.ndarray], marks: Dict[str, np.ndarray], repeat: str
    ):
        self.data = data  #: the object that ``cotangent judge --format json`` prints, without its wrong_cells
        self.operands = operands  #: what was judged, by name; bfloat16 as its bits
        self.repeat: str = repeat  #: the command that repeats it on the files that ``save`` writes
        self.right: bool = data["right"]
        self.op: str = data["op"]
        self.dtype: str = data["dtype"]
        self.cells: int = data["cells"]
        self.wrong: int = data["wrong"]  #: how many cells are
        self.unjudged: Dict[str, int] = data["unjudged"]  #: cells without a ruling, by the reason
        self.worst: Optional[float] = data["worst"]  #: the largest error over its bound; None where it has no end
        self.worst_ulps: Optional[float] = data["worst_ulps"]
        self.grade: Optional[str] = data["grade"]  #: of the op's sum: pairwise, spec, sequential or worse
        self.clause: Optional[str] = data.get("clause")  #: that is broken
        self.clause_text: Optional[str] = data.get("clause_text")
        self.cell: Optional[str] = data.get("cell")  #: the first that is wrong, as in "dx[0,3]"
        self.got: Optional[Dict[str, str]] = data.get("got")  #: its number: decimal, hex and bits
        self.want: Optional[Dict[str, str]] = data.get("want")
        self.inputs: Dict[str, Dict[str, str]] = data.get("inputs", {})  #: what the op read there
        self.pattern: Optional[Dict[str, Any]] = data.get("pattern")  #: what the wrong cells have in common
        self.where: Optional[str] = data.get("where")  #: the same in words
        self.hints: List[str] = data.get("hints", [])
        self.text: str = data["text"].rstrip("\n")
        self._marks = marks  # a bit for each cell of an output

    def __bool__(self) -> bool:
        return self.right

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Verdict of {self.op} {self.dtype}: {self.text.splitlines()[0]}>"

    def wrong_cells(self, output: str) -> np.ndarray:
        """An array of bool in the shape of an output, true where a cell is wrong.

        >>> from cotangent_suite import judge
        >>> judge("cumsum", dy=np.ones(4), dx=np.array([4.0, 3.0, 0.0, 1.0])).wrong_cells("dx")
        array([False, False,  True, False])
        """
        if output not in self._marks:
            raise ValueError(f"{output}: expected {' or '.join(self._marks)}")
        shape = self.operands[output].shape
        bits = np.unpackbits(self._marks[output], count=int(np.prod(shape, dtype=np.int64)))
        return bits.view(bool).reshape(shape)

    def save(self, directory: Union[str, Path]) -> str:
        """Writes the operands as .npy files; gives the command that repeats the verdict there."""
        Path(directory).mkdir(parents=True, exist_ok=True)
        for name, cells in self.operands.items():
            np.save(Path(directory) / f"{name}.npy", cells)
        return self.repeat

    def _repr_html_(self) -> str:
        colour = "#1a7f37" if self.right else "#cf222e"
        pictures = "".join(picture(name, self.wrong_cells(name)) for name in self._wrong_outputs())
        style = f"border-left: 4px solid {colour}; padding-left: 8px"
        return f'<div style="{style}"><pre>{escape(self.text)}</pre>{pictures}</div>'

    def _wrong_outputs(self) -> List[str]:
        return [name for name, marks in self._marks.items() if marks.any()]


def boxes(marks: np.ndarray) -> np.ndarray:
    """Shares of wrong cells, of a tensor as rows of its last dimension, in at most 64 by 64 boxes.

    >>> boxes(np.array([[True, False], [True, True]]))
    array([[1., 0.],
           [1., 1.]])
    >>> boxes(np.ones((1000, 65), bool)).shape
    (63, 33)
    """
    rows = marks.reshape(-1, marks.shape[-1]).astype(float)
    for axis in (0, 1):
        step = -(-rows.shape[axis] // MOST_BOXES)
        counts = np.add.reduceat(np.ones(rows.shape[axis]), np.arange(0, rows.shape[axis], step))
        sums = np.add.reduceat(rows, np.arange(0, rows.shape[axis], step), axis=axis)
        rows = sums / (counts[:, None] if axis == 0 else counts)
    return rows


def picture(name: str, marks: np.ndarray) -> str:
    """An SVG of a tensor, redder where more cells are wrong."""
    shares = boxes(marks)
    size = 8 if max(shares.shape) <= 32 else 4
    height, width = (extent * size for extent in shares.shape)
    drawn = [_box(column, row, size, shares[row, column]) for row, column in zip(*np.nonzero(shares))]
    title = f"{name}: {int(marks.sum())} of {marks.size} cells are wrong"
    return (
        f'<div>{title}</div><svg width="{width}" height="{height}" role="img" aria-label="{title}">'
        f'<rect width="{width}" height="{height}" fill="#d8e6d8"/>{"".join(drawn)}</svg>'
    )


def _box(column: int, row: int, size: int, share: float) -> str:
    place: Tuple[int, int] = (column * size, row * size)
    opacity = round(0.3 + 0.7 * share, 2)
    return f'<rect x="{place[0]}" y="{place[1]}" width="{size}" height="{size}" fill="#cf222e" opacity="{opacity}"/>'
