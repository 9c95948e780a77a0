"""The software device through its driver API, by ctypes: memory, modules, launches, checkers."""

import ctypes
import threading
from contextlib import contextmanager
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint, c_uint32, c_uint64, c_void_p
from typing import Any, Callable, Iterator, List, Optional, Sequence, Tuple

from .program import SoftgpuError, directory
from .report import SEVERITIES, Finding, Launch, parse_counters

COUNTERS, TEXT = 64, 0
MAX_DYNAMIC_SHARED = 8  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
UNKNOWN_CHECKS = 0xFFFFFFFF
Dim3 = Tuple[int, int, int]


class _Report(Structure):
    _fields_ = [
        ("check", c_uint32),
        ("kernel", c_char_p),
        ("line", c_int),
        ("source", c_char_p),
        ("source_line", c_int),
        ("block", c_uint32 * 3),
        ("thread", c_uint32 * 3),
        ("address", c_uint64),
        ("count", c_uint64),
        ("text", c_char_p),
        ("other_line", c_int),
        ("other_block", c_uint32 * 3),
        ("other_thread", c_uint32 * 3),
        ("other_source", c_char_p),
        ("other_source_line", c_int),
        ("severity", c_int),
    ]


_lock = threading.RLock()  # checkers and their reports are the process's
_library: Optional[ctypes.CDLL] = None
_contexts = 0  # how many have ended: memory and modules of those before are gone

_SIGNATURES = {
    "cuMemAlloc_v2": [POINTER(c_uint64), c_size_t],
    "cuMemFree_v2": [c_uint64],
    "cuMemcpyHtoD_v2": [c_uint64, c_void_p, c_size_t],
    "cuMemcpyDtoH_v2": [c_void_p, c_uint64, c_size_t],
    "cuModuleLoadData": [POINTER(c_void_p), c_char_p],
    "cuModuleGetFunction": [POINTER(c_void_p), c_void_p, c_char_p],
    "cuModuleUnload": [c_void_p],
    "cuFuncSetAttribute": [c_void_p, c_int, c_int],
    "cuLaunchKernel": [c_void_p, *[c_uint] * 7, c_void_p, POINTER(c_void_p), POINTER(c_void_p)],
    "softgpuSetChecks": [c_uint32],
    "softgpuParseChecks": [c_char_p],
    "softgpuCheckName": [c_uint32],
    "softgpuGetReport": [c_size_t, POINTER(_Report)],
    "softgpuCountersJson": [c_char_p, c_size_t],
}
_RESULTS = {
    "softgpuParseChecks": c_uint32,
    "softgpuGetChecks": c_uint32,
    "softgpuCheckName": c_char_p,
    "softgpuReportCount": c_size_t,
    "softgpuCountersJson": c_size_t,
    "softgpuLastMessage": c_char_p,
}


def library() -> ctypes.CDLL:
    """The device's library, with a context that is current in this thread."""
    global _library
    with _lock:
        if _library is None:
            opened = ctypes.CDLL(str(directory() / "libcuda.so.1"))
            for name, arguments in _SIGNATURES.items():
                getattr(opened, name).argtypes = arguments
            for name, result in _RESULTS.items():
                getattr(opened, name).restype = result
            _library = opened
            call("cuInit", 0)
        context = c_void_p()
        call("cuDevicePrimaryCtxRetain", byref(context), 0)
        call("cuCtxSetCurrent", context)
        return _library


def call(name: str, *arguments: Any) -> None:
    """A function of the driver API; its error is a SoftgpuError."""
    assert _library is not None
    status = getattr(_library, name)(*arguments)
    if status:
        word = c_char_p()
        _library.cuGetErrorName(status, byref(word))
        message = (_library.softgpuLastMessage() or b"").decode(errors="replace")
        raise SoftgpuError(f"{name}: {(word.value or b'?').decode()}: {message}")


class Memory:
    """Bytes on the device that are a range of the host's; they come back by ``fetch``."""

    def __init__(self, host: int, size: int):
        self.host, self.size, self.context = host, size, _contexts
        address = c_uint64()
        call("cuMemAlloc_v2", byref(address), max(size, 1))
        self.address = address.value

    def send(self) -> None:
        call("cuMemcpyHtoD_v2", self.address, self.host, self.size)

    def fetch(self) -> None:
        call("cuMemcpyDtoH_v2", self.host, self.address, self.size)

    def free(self) -> None:
        if self.context == _contexts:
            call("cuMemFree_v2", self.address)


class Module:
    """PTX that the device has loaded.

    >>> Module("nonsense")
    Traceback (most recent call last):
    softgpu.program.SoftgpuError: cuModuleLoadData: CUDA_ERROR_INVALID_PTX: ...
    """

    def __init__(self, ptx: str):
        self.ptx = ptx
        library()
        self._load()

    def _load(self) -> None:
        self.handle, self.context = c_void_p(), _contexts
        call("cuModuleLoadData", byref(self.handle), self.ptx.encode())

    def __del__(self) -> None:
        if getattr(self, "handle", None) and _library is not None and self.context == _contexts:
            _library.cuModuleUnload(self.handle)

    def function(self, name: str) -> c_void_p:
        found = c_void_p()
        library()
        if self.context != _contexts:
            self._load()
        call("cuModuleGetFunction", byref(found), self.handle, name.encode())
        return found


@contextmanager
def watching(checks: str) -> Iterator[ctypes.CDLL]:
    """Inside, allocations and launches are seen by these checkers, and nobody else's are."""
    with _lock:
        opened = library()
        bits = opened.softgpuParseChecks(checks.encode())
        if bits == UNKNOWN_CHECKS:
            raise ValueError(f'checks "{checks}": expected all, none, or names of checkers with commas between them')
        before = opened.softgpuGetChecks()
        opened.softgpuSetChecks(bits | COUNTERS)
        opened.softgpuClearReports()
        opened.softgpuResetCounters()
        try:
            yield opened
        finally:
            opened.softgpuSetChecks(before)


def launch(
    opened: ctypes.CDLL, module: Module, name: str, grid: Dim3, block: Dim3, shared: int, parameters: Sequence[Any]
) -> Launch:
    """One launch, inside ``watching``. ``parameters`` are values of ctypes."""
    function = module.function(name)
    if shared > 48 << 10:
        call("cuFuncSetAttribute", function, MAX_DYNAMIC_SHARED, shared)
    values = (c_void_p * max(len(parameters), 1))(*(ctypes.addressof(value) for value in parameters))
    try:
        call("cuLaunchKernel", function, *grid, *block, shared, None, values, None)
        call("cuCtxSynchronize")
    except SoftgpuError as error:
        findings = _findings(opened)
        reset()
        raise SoftgpuError("\n".join([str(error), *map(str, findings)]), findings) from None
    return Launch(name, _findings(opened), parse_counters(_text(opened.softgpuCountersJson)), module.ptx)


def reset() -> None:
    """After a fault, which ends a context: a new one, without memory and modules."""
    global _contexts
    _contexts += 1
    call("cuDevicePrimaryCtxReset_v2", 0)


def _text(write: Callable[..., int], *arguments: Any) -> str:
    size = write(*arguments, None, 0) + 1
    text = ctypes.create_string_buffer(size)
    write(*arguments, text, size)
    return text.value.decode(errors="replace")


def _word(text: Optional[bytes]) -> Optional[str]:
    return text.decode(errors="replace") if text else None


def _findings(opened: ctypes.CDLL) -> List[Finding]:
    findings = []
    for index in range(opened.softgpuReportCount()):
        r = _Report()
        if opened.softgpuGetReport(index, byref(r)) == 0:
            findings.append(_finding(opened, r))
    return findings


def _finding(opened: ctypes.CDLL, r: _Report) -> Finding:
    return Finding(
        check=_word(opened.softgpuCheckName(r.check)) or "",
        severity=SEVERITIES[r.severity],
        kernel=_word(r.kernel) or "",
        text=_word(r.text) or "",
        source=_word(r.source),
        source_line=r.source_line,
        line=r.line,
        block=tuple(r.block),
        thread=tuple(r.thread),
        address=r.address,
        count=r.count,
        other_source=_word(r.other_source),
        other_source_line=r.other_source_line,
        other_line=r.other_line,
        other_block=tuple(r.other_block),
        other_thread=tuple(r.other_thread),
    )
