"""PTX as something to call: arrays and numbers in, a Launch out."""

import ctypes
from typing import Any, Dict, List, Sequence, Tuple, Union

import numpy as np

from . import driver
from .arrays import OnDevice, is_array
from .report import Launch

Grid = Union[int, Sequence[int]]
CTYPES: Dict[str, Any] = {
    "float16": ctypes.c_uint16,
    "float32": ctypes.c_float,
    "float64": ctypes.c_double,
    "bool": ctypes.c_uint8,
    **{f"{sign}int{bits}": getattr(ctypes, f"c_{sign}int{bits}") for sign in ("", "u") for bits in (8, 16, 32, 64)},
}


def dim3(value: Grid) -> Tuple[int, int, int]:
    """A grid or a block with all three extents.

    >>> dim3(4), dim3((2, 3))
    ((4, 1, 1), (2, 3, 1))
    """
    extents = (value,) if isinstance(value, int) else tuple(int(extent) for extent in value)
    if not 1 <= len(extents) <= 3:
        raise ValueError(f"{value}: expected 1 to 3 extents")
    return (*extents, 1, 1)[:3]  # type: ignore[return-value]


def number(value: Any) -> Any:
    """A kernel's parameter that is a number: an int is 32 bits, a float likewise; NumPy's types say theirs.

    >>> number(3), number(np.float64(0.5)), number(np.int64(7))
    (c_int(3), c_double(0.5), c_long(7))
    """
    if isinstance(value, (ctypes._SimpleCData, ctypes.Structure)):
        return value
    if isinstance(value, np.generic):
        if value.dtype.name not in CTYPES:
            raise TypeError(f"{value!r}: expected a float or an integer")
        return CTYPES[value.dtype.name](value.view(np.uint16) if value.dtype == np.float16 else value.item())
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise TypeError(f"{value!r}: expected an array, a number of Python's or NumPy's, or one of ctypes")
    return ctypes.c_int32(value) if isinstance(value, int) else ctypes.c_float(value)


class Kernel:
    """A kernel of loaded PTX; calling it launches it."""

    def __init__(self, code: "Code", name: str):
        self.code, self.name = code, name
        code.module.function(name)  # which says why where it cannot be had

    def __call__(self, grid: Grid, block: Grid, *arguments: Any, shared: int = 0, checks: str = "all") -> Launch:
        """Runs it with these checkers. Arrays in the host's memory are its pointers, and changed by it."""
        with driver.watching(checks) as opened, OnDevice(arguments) as memory:
            values: List[Any] = [
                ctypes.c_uint64(memory.pointer(value)) if is_array(value) else number(value) for value in arguments
            ]
            return driver.launch(opened, self.code.module, self.name, dim3(grid), dim3(block), shared, values)


class Code:
    """PTX that the device has loaded, with its kernels by name."""

    def __init__(self, ptx: str):
        self.ptx = ptx
        self.module = driver.Module(ptx)

    def kernel(self, name: str) -> Kernel:
        return Kernel(self, name)


def load(ptx: str) -> Code:
    """Loads PTX. What the device does not model is refused with its line, when its kernel is asked for."""
    return Code(ptx)
