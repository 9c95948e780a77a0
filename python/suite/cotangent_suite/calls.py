"""One call of an op on arrays: judged, or computed by the reference."""

import json
import shlex
from pathlib import Path
from typing import Dict, List, Optional, Tuple, Union

import numpy as np

from . import program
from .arrays import Array, bits_of, library_of, numpy_dtype, read, to_library
from .table import outputs_of
from .verdict import Verdict

RIGHT, WRONG, UNJUDGED = 0, 1, 4


class Files:
    """Operands as .npy files in a directory, and the options that name them."""

    def __init__(self, directory: str, op: str, arrays: Dict[str, Optional[Array]]):
        self.directory, self.operands, self.element = directory, {}, ""
        given = {name: array for name, array in arrays.items() if array is not None}
        for name, array in given.items():
            cells, element = read(name, array)
            first = next(iter(given))
            if self.element and element != self.element:
                raise TypeError(f"{name}: {element}, expected {self.element} as in {first}: {op} takes one type")
            self.element = element
            self.operands[name] = cells

    def write(self) -> None:
        for name, cells in self.operands.items():
            np.save(self.path(name), bits_of(cells, self.element))

    def path(self, name: str) -> str:
        return str(Path(self.directory) / f"{name}.npy")

    def options(self) -> List[str]:
        return [word for name in self.operands for word in (f"--{name}", self.path(name))] + self.dtype()

    def dtype(self) -> List[str]:
        return ["--dtype", self.element] if self.element else []

    def result(self, name: str, library: str) -> Array:
        cells = np.load(self.path(name)).view(numpy_dtype(self.element))
        return to_library(library if library in ("torch", "jax", "cupy") else "numpy", cells, self.element)


def _options(
    axis: int, reverse: bool, correction: int, param: Optional[float], convention: str, policy: Optional[str]
) -> List[str]:
    options = ["--axis", str(axis), "--convention", convention]
    options += ["--reverse"] if reverse else []
    options += ["--correction", str(correction)] if correction else []
    options += ["--param", repr(float(param))] if param is not None else []
    return options + (["--policy", policy] if policy else [])


def judge(
    op: str,
    *,
    dy: Array,
    x: Optional[Array] = None,
    y: Optional[Array] = None,
    a: Optional[Array] = None,
    b: Optional[Array] = None,
    dx: Optional[Array] = None,
    da: Optional[Array] = None,
    db: Optional[Array] = None,
    axis: int = -1,
    reverse: bool = False,
    correction: int = 0,
    param: Optional[float] = None,
    convention: str = "spec",
    policy: Optional[str] = None,
    accept_unjudged: float = 0.0,
) -> Verdict:
    """Judges every cell of a gradient: edges exactly, all others by the bound of their rounding errors.

    ``dy`` is the gradient of the result (with extent 1 along the axis of a reduction); ``x``, ``y``, ``a`` and ``b``
    are what the op reads; ``dx``, or ``da`` and ``db``, is what is judged. ``convention`` is "spec", "torch",
    "jax" or "accurate".

    >>> dy, a, b = np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
    >>> print(judge("mul", dy=dy, a=a, b=b, da=dy * b, db=dy * a))
    right: 4 cells of mul's gradient, 0 edges exact, the others within their bounds (worst error/bound 0)
    >>> judge("mul", dy=dy, a=a, b=b, da=dy * a, db=dy * b).hints
    ['it is right with da and db exchanged']
    >>> judge("mull", dy=dy, a=a, b=b, da=dy * b, db=dy * a)
    Traceback (most recent call last):
    ValueError: there is no op "mull"; did you mean "mul"? (cotangent ops lists them)
    """
    given = {"dy": dy, "x": x, "y": y, "a": a, "b": b, "dx": dx, "da": da, "db": db}
    with program.scratch() as directory:
        files = Files(directory, op, given)
        files.write()
        words = ["judge", op, *files.options(), *_options(axis, reverse, correction, param, convention, policy)]
        words += ["--accept-unjudged", str(accept_unjudged)]
        as_data = ["--format", "json", "--marks", directory]
        printed = program.run([*words, *as_data], (RIGHT, WRONG, UNJUDGED), directory)
        outputs: List[str] = [name for name in ("dx", "da", "db") if name in files.operands]
        marks = {name: read_marks(Path(directory) / f"{name}.marks") for name in outputs}
        repeat = shlex.join(["cotangent", *words]).replace(directory + "/", "")
    operands = {name: bits_of(cells, files.element) for name, cells in files.operands.items()}
    return Verdict(json.loads(printed), operands, marks, repeat)


def read_marks(path: Path) -> np.ndarray:
    """A bit for each cell of an output: a wrong verdict on a large result takes little more memory than a right one."""
    return np.packbits(np.fromfile(path, np.uint8))


def gradient(
    op: str,
    *,
    dy: Array,
    x: Optional[Array] = None,
    y: Optional[Array] = None,
    a: Optional[Array] = None,
    b: Optional[Array] = None,
    axis: int = -1,
    reverse: bool = False,
    correction: int = 0,
    param: Optional[float] = None,
    convention: str = "spec",
    policy: Optional[str] = None,
) -> Union[Array, Tuple[Array, Array]]:
    """The reference's gradient: dx, or (da, db) of a binary operation, as arrays of dy's library.

    ``y`` is computed from ``x`` where it is needed and not given. ``sum``, ``mean`` and the like read no ``x``; its
    shape is needed where dy does not show it, as the extent along the axis is 1 there.

    >>> gradient("cumsum", dy=np.array([1.0, 2.0, 3.0]))
    array([6., 5., 3.])
    >>> gradient("mul", dy=np.ones(2), a=np.array([4.0, 5.0]), b=np.array([7.0, 8.0]))
    (array([7., 8.]), array([4., 5.]))
    """
    given = {"dy": dy, "x": x, "y": y, "a": a, "b": b}
    outputs = outputs_of(op)
    with program.scratch() as directory:
        files = Files(directory, op, given)
        files.write()
        words = ["run", op, *files.options(), *_options(axis, reverse, correction, param, convention, policy)]
        words += [word for name in outputs for word in (f"--{name}", files.path(name))]
        program.run(words, directory=directory)
        results = tuple(files.result(name, library_of(dy)) for name in outputs)
    return results[0] if len(results) == 1 else results
