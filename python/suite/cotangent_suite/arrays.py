"""Other libraries' arrays as NumPy's, with the name of their element type."""

import sys
from typing import Any, Dict, Optional, Tuple

import numpy as np

Array = Any  # NumPy's, or anything with __dlpack__, __array_interface__ or __array__ in the host's memory

DTYPES: Dict[str, np.dtype] = {"f16": np.dtype(np.float16), "f32": np.dtype(np.float32), "f64": np.dtype(np.float64)}
HOST = 1  # DLPack's kDLCPU
EXPECTED = "expected float16, bfloat16, float32 or float64"


def bfloat16() -> Optional[np.dtype]:
    """The type of ml_dtypes, which NumPy itself does not have; None where that is not installed."""
    try:
        import ml_dtypes
    except ImportError:
        return None
    known: np.dtype = np.dtype(ml_dtypes.bfloat16)
    return known


def numpy_dtype(element: str) -> np.dtype:
    """What cells of a type are handed out as: bfloat16 as its bits where ml_dtypes is not installed.

    >>> numpy_dtype("f32")
    dtype('float32')
    """
    return DTYPES.get(element) or bfloat16() or np.dtype(np.uint16)


def library_of(array: Array) -> str:
    """Whose array it is, by the module of its type: results come back in kind.

    >>> library_of(np.zeros(1))
    'numpy'
    """
    top = type(array).__module__.split(".")[0]
    return {"jaxlib": "jax"}.get(top, top)


def _on_host(array: Array) -> Array:
    """The array, or a copy of it where it is in a device's memory."""
    array = array.detach() if hasattr(array, "detach") else array
    if library_of(array) == "torch" and array.device.type != "cpu":
        return array.cpu()
    return array.get() if library_of(array) == "cupy" else array


def _as_numpy(name: str, array: Array) -> np.ndarray:
    array = _on_host(array)
    if str(getattr(array, "dtype", "")) == "torch.bfloat16":  # NumPy cannot read it: its bits travel as integers
        bits = np.from_dlpack(array.contiguous().view(sys.modules["torch"].int16)).view(np.uint16)
        return bits.view(bfloat16() or np.uint16)
    if hasattr(array, "__array_interface__") or hasattr(array, "__array__"):
        return np.asarray(array)
    if hasattr(array, "__dlpack__"):
        return _from_dlpack(name, array)
    raise TypeError(f"{name}: {type(array).__name__}, expected an array (NumPy's, or one with __dlpack__)")


def _from_dlpack(name: str, array: Array) -> np.ndarray:
    """Its memory where that is the host's, else a copy, which its library makes (and NumPy 2.1 or newer asks for)."""
    if array.__dlpack_device__()[0] == HOST:
        return np.from_dlpack(array)
    try:
        return np.from_dlpack(array, device="cpu")
    except (BufferError, RuntimeError, TypeError) as error:
        raise TypeError(f"{name}: {type(array).__name__} on a device ({error}), expected a copy on the host") from error


def element_of(name: str, dtype: np.dtype, torch_bits: bool = False) -> str:
    """The suite's name of a dtype."""
    for element, known in DTYPES.items():
        if dtype == known:
            return element
    if dtype.name == "bfloat16" or torch_bits:
        return "bf16"
    raise TypeError(f"{name}: {dtype}, {EXPECTED}")


def read(name: str, array: Array) -> Tuple[np.ndarray, str]:
    """An array's cells in the host's memory, and the name of their type.

    >>> read("dy", np.zeros(3))[1]
    'f64'
    >>> read("dy", np.zeros(3, int))
    Traceback (most recent call last):
    TypeError: dy: int64, expected float16, bfloat16, float32 or float64
    >>> read("dy", [1.0])
    Traceback (most recent call last):
    TypeError: dy: list, expected an array (NumPy's, or one with __dlpack__)
    """
    torch_bits = str(getattr(array, "dtype", "")) == "torch.bfloat16"
    cells = _as_numpy(name, array)
    element = element_of(name, cells.dtype, torch_bits)
    if not 1 <= cells.ndim <= 8:
        raise ValueError(f"{name}: {cells.ndim} dimensions, expected 1 to 8")
    return cells, element


def bits_of(cells: np.ndarray, element: str) -> np.ndarray:
    """What goes into a file: bfloat16 as integers of 16 bits."""
    return np.ascontiguousarray(cells).view(np.uint16) if element == "bf16" else cells


def in_kind(cells: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Cells with a dtype of the same size: bfloat16 may be ml_dtypes' or its bits."""
    return cells if cells.dtype == dtype else np.ascontiguousarray(cells).view(dtype)


def to_library(library: str, cells: Optional[np.ndarray], element: str) -> Any:
    """Cells as an array of a library, on the host and without a copy where it can; of None whether it has the type.

    >>> to_library("numpy", np.zeros(2, np.float32), "f32")
    array([0., 0.], dtype=float32)
    >>> to_library("matlab", None, "f32")
    Traceback (most recent call last):
    ValueError: library "matlab": expected numpy, torch, jax or cupy
    """
    if library not in _LIBRARIES:
        raise ValueError(f'library "{library}": expected numpy, torch, jax or cupy')
    return _LIBRARIES[library](cells, element)


def _numpy(cells: Optional[np.ndarray], element: str) -> Any:
    return (element != "bf16" or bfloat16() is not None) if cells is None else cells


def _torch(cells: Optional[np.ndarray], element: str) -> Any:
    import torch

    if cells is None:
        return True
    if any(stride % cells.itemsize or stride < 0 for stride in cells.strides) or not cells.flags.writeable:
        cells = cells.copy()
    return torch.from_numpy(cells.view(np.int16)).view(torch.bfloat16) if element == "bf16" else torch.from_numpy(cells)


def _jax(cells: Optional[np.ndarray], element: str) -> Any:
    import jax

    config: Any = jax.config  # its fields are made as it runs
    if cells is None:
        return element != "f64" or bool(config.jax_enable_x64)
    return jax.numpy.asarray(np.ascontiguousarray(cells))


def _cupy(cells: Optional[np.ndarray], element: str) -> Any:
    import cupy

    return element != "bf16" if cells is None else cupy.asarray(cells)


_LIBRARIES = {"numpy": _numpy, "torch": _torch, "jax": _jax, "cupy": _cupy}
