"""Triton's kernels without a GPU: compiled by pip's Triton, run on the software device with its checkers.

``run`` is one launch on NumPy arrays or CPU tensors; inside ``device()`` every launch of a program goes there::

    launch = softgpu.triton.run(kernel, (4,), x, y, out, n, BLOCK=1024)
    with softgpu.triton.device() as seen:
        kernel[(4,)](x, y, out, n, BLOCK=1024)  # tensors; of a NumPy array softgpu.triton.tensor(array)
    print(seen.launches)
"""

import ctypes
from contextlib import contextmanager
from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from . import driver
from .arrays import Copies, OnDevice, address, is_array
from .report import Launch

try:
    import triton
    from triton import knobs
    from triton.backends.compiler import GPUTarget
    from triton.backends.driver import DriverBase, decompose_descriptor, expand_signature
    from triton.runtime import driver as active_driver
except ImportError as error:
    raise ImportError(f"softgpu.triton needs Triton 3.6 or newer ({error}): pip install triton") from error

CAPABILITY = 80
MAX_SHARED = {75: 64, 80: 163, 86: 99, 87: 163, 89: 99, 90: 227, 100: 227, 120: 99}  # KiB a block may have
THREADS = 1024

_C = {
    "i1": ctypes.c_int8,
    "i8": ctypes.c_int8,
    "i16": ctypes.c_int16,
    "i32": ctypes.c_int32,
    "i64": ctypes.c_int64,
    "u1": ctypes.c_uint8,
    "u8": ctypes.c_uint8,
    "u16": ctypes.c_uint16,
    "u32": ctypes.c_uint32,
    "u64": ctypes.c_uint64,
    "fp32": ctypes.c_float,
    "f32": ctypes.c_float,
    "fp64": ctypes.c_double,
}


class _Pointer:
    """A NumPy array as Triton wants to see a tensor."""

    def __init__(self, array: np.ndarray):
        self.array, self.dtype = array, _TYPES.get(array.dtype.name)
        self.shape, self.device = array.shape, "cpu"
        if self.dtype is None:
            raise TypeError(f"an array of {array.dtype}: expected one of {', '.join(_TYPES)}")

    def data_ptr(self) -> int:
        return address(self.array)

    def element_size(self) -> int:
        return self.array.itemsize

    def stride(self, dimension: int) -> int:
        return self.array.strides[dimension] // self.array.itemsize


_TYPES = {
    "float16": "fp16",
    "float32": "fp32",
    "float64": "fp64",
    "bfloat16": "bf16",
    "bool": "i1",
    **{f"int{bits}": f"i{bits}" for bits in (8, 16, 32, 64)},
    **{f"uint{bits}": f"u{bits}" for bits in (8, 16, 32, 64)},
}


def _leaves(signature: Any, values: Any) -> Iterator[Tuple[str, Any]]:
    """Types and values of a launch, tuples as their members."""
    for kind, value in zip(signature, values):
        if isinstance(kind, tuple):
            yield from _leaves(kind, value)
        else:
            yield kind, value


def _flat(signature: Any) -> Iterator[str]:
    for kind in signature:
        if isinstance(kind, tuple):
            yield from _flat(kind)
        else:
            yield kind


def _values(signature: Any, values: Any) -> Iterator[Any]:
    """What goes to the kernel for each leaf that is no constexpr; a tensor descriptor becomes its parts."""
    for kind, value in _leaves(signature, values):
        if kind.startswith("tensordesc"):
            yield from decompose_descriptor(value)
        elif kind != "constexpr":
            yield value


def _parameter(kind: str, value: Any, memory: OnDevice) -> Any:
    if kind[0] == "*":
        value = value.array if isinstance(value, _Pointer) else value
        if value is None or is_array(value):
            return ctypes.c_uint64(0 if value is None else memory.pointer(value))
        raise TypeError(f"{type(value).__name__} for a pointer: expected a NumPy array or a tensor on the CPU")
    if kind in ("fp16", "bf16"):
        bits = np.float32(value).view(np.uint32)
        half = np.float16(value).view(np.uint16) if kind == "fp16" else _bf16_bits(int(bits))
        return ctypes.c_uint16(int(half))
    if kind not in _C:
        raise TypeError(f"a parameter of type {kind} is not supported on the software device")
    return _C[kind](value)


def _bf16_bits(bits: int) -> int:
    """A float's bits as bfloat16's, rounded to nearest, ties to even.

    >>> hex(_bf16_bits(0x3F808000)), hex(_bf16_bits(0x3F818000))
    ('0x3f80', '0x3f82')
    """
    return (bits + 0x7FFF + (bits >> 16 & 1)) >> 16


class _Launcher:
    """What Triton calls in place of the driver's launch."""

    def __init__(self, src: Any, metadata: Any):
        self.signature = tuple(src.signature.values())
        descriptors = getattr(metadata, "tensordesc_meta", None)
        if descriptors and any(descriptors):
            raise NotImplementedError("tensor descriptors in hardware (TMA): compile for a capability under 90")
        flat = _flat(expand_signature(self.signature, None, "nvTmaDesc"))
        self.kinds = [kind for kind in flat if kind != "constexpr"]
        self.metadata = metadata

    def __call__(self, x: int, y: int, z: int, stream: Any, function: Any, packed: Any, *rest: Any) -> None:
        values = list(_values(self.signature, rest[3:]))
        arrays = [value.array if isinstance(value, _Pointer) else value for value in values]
        scratch = [_scratch(self.metadata, part, x * y * z) for part in ("global", "profile")]
        seen: SoftwareDriver = active_driver.active
        with driver.watching(seen.checks) as opened, OnDevice([*arrays, *scratch]) as memory:
            parameters = [_parameter(kind, value, memory) for kind, value in zip(self.kinds, values)]
            parameters += [ctypes.c_uint64(memory.pointer(part)) for part in scratch]
            block = (32 * self.metadata.num_warps, 1, 1)
            module, name = function
            if x * y * z:
                shared = self.metadata.shared
                seen.launches.append(driver.launch(opened, module, name, (x, y, z), block, shared, parameters))


def _scratch(metadata: Any, part: str, blocks: int) -> np.ndarray:
    size = getattr(metadata, f"{part}_scratch_size", 0) or 0
    return np.zeros(size * blocks * getattr(metadata, "num_ctas", 1), np.uint8)


class _Utilities:
    """What Triton asks of a device."""

    def __init__(self, capability: int):
        self.capability = capability

    def load_binary(self, name: str, binary: bytes, shared: int, device: int) -> Tuple[Any, ...]:
        module = driver.Module(binary.decode())
        module.function(name)
        return module, (module, name), 0, 0, THREADS

    def unload_module(self, module: Any) -> None:
        del module

    def get_device_properties(self, device: int) -> Dict[str, int]:
        return {
            "max_shared_mem": MAX_SHARED.get(self.capability, 99) << 10,
            "max_num_regs": 65536,
            "multiprocessor_count": 16,
            "warpSize": 32,
            "sm_clock_rate": 1000000,
            "mem_clock_rate": 1000000,
            "mem_bus_width": 256,
        }


class SoftwareDriver(DriverBase):
    """The device as a driver of Triton's; ``launches`` has what ran on it, in order."""

    launcher_cls = _Launcher

    def __init__(self, capability: int, checks: str):
        self.capability, self.checks = capability, checks
        self.launches: List[Launch] = []
        self.utils = _Utilities(capability)

    def __bool__(self) -> bool:
        return all(self.launches)

    def __str__(self) -> str:
        return (
            "\n".join(str(launch) for launch in self.launches if not launch) or f"{len(self.launches)} clean launches"
        )

    @staticmethod
    def is_active() -> bool:
        return True

    def get_current_target(self) -> Any:
        return GPUTarget("cuda", self.capability, 32)

    def get_current_device(self) -> int:
        return self.capability  # kernels are cached by it

    def set_current_device(self, device: int) -> None:
        pass

    def get_current_stream(self, device: int) -> int:
        return 0

    def get_device_capability(self, device: Optional[int] = None) -> Tuple[int, int]:
        return divmod(self.capability, 10)

    def get_active_torch_device(self) -> Any:
        import torch

        return torch.device("cpu")

    def get_device_interface(self) -> Any:
        import torch

        return torch.cpu

    def map_python_to_cpp_type(self, ty: str) -> str:
        return ty

    def get_benchmarker(self) -> Any:
        return self._instructions

    def _instructions(self, kernel_call: Any, quantiles: Sequence[float] = (0.5,), **_: Any) -> List[float]:
        """What a configuration costs, for autotuning: instructions of its warps. A launch for it is not kept."""
        before = len(self.launches)
        kernel_call()
        cost = sum(launch.counters["ptx_warp_instructions"] for launch in self.launches[before:])
        del self.launches[before:]
        return [float(cost)] * len(quantiles)


def _stop_at_ptx(*arguments: Any) -> Optional[Tuple[str, str]]:
    """Triton's hook for the stages of a compilation: the last one, machine code, is left out."""
    if not arguments:
        return "softgpu: PTX with true lines", "softgpu: PTX with true lines"
    stages = arguments[1]
    stages["cubin"] = lambda ptx, metadata: true_lines(ptx).encode()
    return None


def true_lines(ptx: str) -> str:
    """PTX whose inline assembly is at the line of its Python: LLVM counts on, from line to line of the assembly.

    >>> print(true_lines(".loc 1 7 5\\n// begin inline asm\\n.loc 1 8 5\\nld.global\\n// end inline asm\\n.loc 1 9 5"))
    .loc 1 7 5
    // begin inline asm
    .loc 1 7 5
    ld.global
    // end inline asm
    .loc 1 9 5
    """
    lines, inside, known = ptx.split("\n"), False, ""
    for index, line in enumerate(lines):
        words = line.strip()
        inside = words.startswith("// begin inline asm") or inside and not words.startswith("// end inline asm")
        if words.startswith(".loc"):
            lines[index] = known = known if inside and known else line
    return "\n".join(lines)


@contextmanager
def device(capability: int = CAPABILITY, checks: str = "all") -> Iterator[SoftwareDriver]:
    """Inside, every Triton launch of this process goes to the software device, as code for this capability."""
    software, hook = SoftwareDriver(capability, checks), knobs.runtime.add_stages_inspection_hook
    before = active_driver._active
    knobs.runtime.add_stages_inspection_hook = _stop_at_ptx
    active_driver.set_active(software)
    try:
        yield software
    finally:
        active_driver._active = before
        knobs.runtime.add_stages_inspection_hook = hook


def tensor(array: np.ndarray) -> Any:
    """A NumPy array as a kernel takes it inside ``device()``, with the same memory; ``run`` does this by itself.

    >>> tensor(np.zeros(3, np.float32)).dtype
    'fp32'
    """
    return _Pointer(array)


def _wrapped(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(map(_wrapped, value))
    return tensor(value) if isinstance(value, np.ndarray) else value


def run(
    kernel: Any, grid: Any, *arguments: Any, capability: int = CAPABILITY, checks: str = "all", **meta: Any
) -> Launch:
    """One launch of a Triton kernel on NumPy arrays or CPU tensors, which it changes as it would on a GPU.

    ``grid`` is a tuple, or a function of the meta-parameters; the rest is as in ``kernel[grid](...)``. An autotuned
    kernel runs with the configuration that takes the fewest instructions. A fault is a SoftgpuError with its report.
    """
    with device(capability, checks) as software:
        kernel[grid](*map(_wrapped, arguments), **{name: _wrapped(value) for name, value in meta.items()})
        if not software.launches:
            raise ValueError(f"{grid}: expected a grid with at least one block")
        return software.launches[-1]


def check(kernel: Any, grid: Any, *arguments: Any, capability: int = CAPABILITY, **meta: Any) -> Launch:
    """As ``run``, on copies of all arrays, with fpcheck as well: where NaN, infinities and subnormals come from."""
    every = "memcheck,initcheck,racecheck,synccheck,leakcheck,lint,fpcheck"
    copies = Copies([*arguments, *meta.values()])
    named = {name: copies.of(value) for name, value in meta.items()}
    return run(kernel, grid, *copies.of(arguments), capability=capability, checks=every, **named)


__all__ = ["SoftwareDriver", "check", "device", "run", "tensor", "triton"]
