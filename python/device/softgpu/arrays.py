"""The host's arrays on the device: each range of memory is copied once, however many arrays lie in it."""

import ctypes
import sys
from typing import Any, Dict, Iterable, Iterator, List, Sequence, Tuple

import numpy as np

from .driver import Memory

Span = Tuple[int, int]
_byte_bounds = np.lib.array_utils.byte_bounds if hasattr(np.lib, "array_utils") else getattr(np, "byte_bounds")
MARK = np.array([0xF5, 0x7F], np.uint8)  # a NaN in every type of numbers


class Unwritten(np.ndarray):
    """What owns the memory of ``empty``. What is derived from that is no view of it, and an array as any other."""

    launched = False

    def bytes(self) -> np.ndarray:
        return self.view(np.ndarray).reshape(-1).view(np.uint8)

    def untouched(self) -> bool:
        """Whether neither a launch nor the host has written here: a host that did left other bytes than ``empty``."""
        return not self.launched and np.array_equal(self.bytes(), np.resize(MARK, self.nbytes))


def empty(shape: Any, dtype: Any = np.float32) -> np.ndarray:
    """An array for results. As long as neither a launch nor the host has written to it, the device is told so, and
    initcheck reports a kernel that reads a cell before writing it. (Its numbers are NaN, its integers no round ones.)

    >>> empty((2, 3)).shape
    (2, 3)
    """
    owner = Unwritten(shape, dtype)
    owner.bytes()[:] = np.resize(MARK, owner.nbytes)
    array: np.ndarray = owner.view(np.ndarray)
    return array


def is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(value, torch.Tensor)


def is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) or is_tensor(value)


def address(array: Any) -> int:
    """Of the first cell, in the host's memory."""
    return int(array.data_ptr() if is_tensor(array) else array.ctypes.data)


def owner_of(array: Any) -> Any:
    """The array whose memory a view shows; a tensor is its own."""
    while isinstance(array, np.ndarray) and isinstance(array.base, np.ndarray):
        array = array.base
    return array


def span(array: Any) -> Span:
    """The bytes that an array's owner has, from and to: a kernel may reach all of them by strides."""
    if is_tensor(array):
        if array.device.type != "cpu":
            raise TypeError(f"a tensor on {array.device}, expected one on the CPU")
        storage = array.untyped_storage()
        return storage.data_ptr(), storage.data_ptr() + storage.nbytes()
    owner = owner_of(array)
    return _byte_bounds(owner)


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


def arrays_in(value: Any) -> Iterator[Any]:
    """The arrays among a launch's arguments.

    >>> len([*arrays_in([np.ones(1), 3, (np.ones(2), (np.ones(3),))])])
    3
    """
    if isinstance(value, (tuple, list)):
        for part in value:
            yield from arrays_in(part)
    elif is_array(value):
        yield value


def unwritten_owners(arrays: Iterable[Any]) -> List[Unwritten]:
    return [owner for owner in map(owner_of, arrays) if isinstance(owner, Unwritten)]


def spans_of(arrays: Sequence[Any]) -> Iterator[Tuple[Span, bool]]:
    """The memory of arrays, and whether anybody has written to it."""
    untouched = {span(owner) for owner in unwritten_owners(arrays) if owner.untouched()}
    for place in merged(filter(lambda s: s[0] < s[1], map(span, arrays))):
        yield place, place not in untouched


class Copies:
    """Copies of arguments, which share memory where the originals do."""

    def __init__(self, values: Any):
        self.memory: Dict[Span, np.ndarray] = {}
        for (low, high), written in spans_of([*arrays_in(values)]):
            copy = np.empty(high - low, np.uint8) if written else Unwritten(high - low, np.uint8)
            ctypes.memmove(copy.ctypes.data, low, high - low)
            self.memory[low, high] = copy

    def of(self, value: Any) -> Any:
        """
        >>> x = np.arange(4)
        >>> whole, (part,) = Copies([x, x[2:]]).of((x, (x[2:],)))
        >>> whole[2] = 9
        >>> x, part
        (array([0, 1, 2, 3]), array([9, 3]))
        """
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        if not is_array(value):
            return value
        found = [place for place in self.memory if place[0] <= address(value) < place[1]]
        view = _tensor_view if is_tensor(value) else _array_view
        return view(value, self.memory[found[0]], address(value) - found[0][0]) if found else value


def _array_view(array: np.ndarray, memory: np.ndarray, offset: int) -> np.ndarray:
    view: np.ndarray = np.ndarray(array.shape, array.dtype, memory, offset, array.strides)
    return view


def _tensor_view(tensor: Any, memory: np.ndarray, offset: int) -> Any:
    first, lead = divmod(offset, tensor.element_size())
    storage = sys.modules["torch"].from_numpy(memory[lead:]).untyped_storage()
    return tensor.new_empty(0).set_(storage, first, tensor.size(), tensor.stride())


class OnDevice:
    """Arrays for one launch. What a kernel changed is in them afterwards."""

    def __init__(self, arrays: Sequence[Any]):
        self.arrays = [array for array in arrays if is_array(array)]
        self.memory: Dict[Span, Memory] = {}

    def __enter__(self) -> "OnDevice":
        for (low, high), written in spans_of(self.arrays):
            memory = self.memory[low, high] = Memory(low, high - low)
            if written:
                memory.send()
        return self

    def __exit__(self, kind: Any, *_: Any) -> None:
        fixed = [address(array) for array in self.arrays if isinstance(array, np.ndarray) and not array.flags.writeable]
        for (low, high), memory in self.memory.items():
            if kind is None and not any(low <= where < high for where in fixed):
                memory.fetch()
            memory.free()
        for owner in unwritten_owners(self.arrays):
            owner.launched |= kind is None

    def pointer(self, array: Any) -> int:
        """Where an array's first cell is on the device; 0 for one without cells."""
        where = address(array)
        for (low, high), memory in self.memory.items():
            if low <= where < high:
                return memory.address + where - low
        return 0
