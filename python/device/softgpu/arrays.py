"""The host's arrays on the device: each range of memory is copied once, however many arrays lie in it."""

import sys
from typing import Any, Dict, Iterable, List, Sequence, Tuple

import numpy as np

from .driver import Memory

Span = Tuple[int, int]
ALIGNMENT = 256  # of what the device allocates


class Unwritten(np.ndarray):
    """An array of which the device is told that nobody has written it: reading it there is reported."""

    written = False


def empty(shape: Any, dtype: Any = np.float32) -> np.ndarray:
    """An array for results. Until a launch has had it, initcheck reports a kernel that reads a cell before writing it.

    >>> empty((2, 3)).shape
    (2, 3)
    """
    return np.zeros(shape, dtype).view(Unwritten)


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_tensor(value)


def address(array: Any) -> int:
    """Of the first cell, in the host's memory."""
    return array.data_ptr() if is_tensor(array) else array.ctypes.data


def span(array: Any) -> Span:
    """The bytes that an array's owner has, from and to: a kernel may reach all of them by strides."""
    if is_tensor(array):
        if array.device.type != "cpu":
            raise TypeError(f"a tensor on {array.device}, expected one on the CPU")
        storage = array.untyped_storage()
        return storage.data_ptr(), storage.data_ptr() + storage.nbytes()
    owner = array
    while isinstance(owner.base, np.ndarray):
        owner = owner.base
    low, high = np.lib.array_utils.byte_bounds(owner) if hasattr(np.lib, "array_utils") else np.byte_bounds(owner)
    return low, high


def merged(spans: Iterable[Span]) -> List[Span]:
    """Spans without those that overlap.

    >>> merged([(0, 8), (16, 24), (4, 12)])
    [(0, 12), (16, 24)]
    """
    result: List[Span] = []
    for low, high in sorted(spans):
        if result and low < result[-1][1]:
            result[-1] = (result[-1][0], max(high, result[-1][1]))
        else:
            result.append((low, high))
    return result


class OnDevice:
    """Arrays for one launch. What a kernel changed is in them afterwards."""

    def __init__(self, arrays: Sequence[Any]):
        self.arrays = [array for array in arrays if is_array(array)]
        self.memory: Dict[Span, Memory] = {}

    def __enter__(self) -> "OnDevice":
        spans = merged(filter(lambda s: s[0] < s[1], map(span, self.arrays)))
        unwritten = {span(array) for array in self.arrays if isinstance(array, Unwritten) and not array.written}
        for low, high in spans:
            memory = self.memory[low, high] = Memory(low, high - low)
            if (low, high) not in unwritten:
                memory.send()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        fixed = [address(array) for array in self.arrays if isinstance(array, np.ndarray) and not array.flags.writeable]
        for (low, high), memory in self.memory.items():
            if kind is None and not any(low <= where < high for where in fixed):
                memory.fetch()
            memory.free()
        for array in self.arrays:
            if isinstance(array, Unwritten):
                array.written = True

    def pointer(self, array: Any) -> int:
        """Where an array's first cell is on the device; 0 for one without cells."""
        where = address(array)
        for (low, high), memory in self.memory.items():
            if low <= where < high:
                return memory.address + where - low
        return 0
