"""CUDA C++ without a GPU: compiled by NVRTC from PyPI (nvidia-cuda-nvrtc), run on the software device.

::

    code = softgpu.cuda.compile(source)
    code.kernel("scale")((4,), (256,), x, np.int32(1000))
"""

import ctypes
import importlib.util
import re
from ctypes import byref, c_char_p, c_int, c_size_t, c_void_p
from pathlib import Path
from typing import Iterator, Optional, Sequence

from .kernel import Code

CAPABILITY = 80
_library: Optional[ctypes.CDLL] = None


class CompileError(ValueError):
    """What NVRTC says of a source."""


def _places() -> Iterator[str]:
    """NVRTC where pip's packages put it, else where the system would find it."""
    spec = importlib.util.find_spec("nvidia")
    for root in spec.submodule_search_locations or [] if spec else []:
        found = [path for path in Path(root).glob("*/lib/libnvrtc.so.*") if re.search(r"\.so\.\d+$", path.name)]
        yield from map(str, sorted(found, reverse=True))
    yield "libnvrtc.so"


def _nvrtc() -> ctypes.CDLL:
    global _library
    for place in _places():
        if _library is None:
            try:
                _library = ctypes.CDLL(place)
            except OSError:
                continue
    if _library is None:
        raise ImportError("softgpu.cuda needs NVRTC: pip install nvidia-cuda-nvrtc")
    _library.nvrtcGetErrorString.restype = c_char_p
    return _library


def _call(name: str, *arguments: object) -> None:
    status = getattr(_nvrtc(), name)(*arguments)
    if status:
        raise CompileError(f"{name}: {_nvrtc().nvrtcGetErrorString(c_int(status)).decode()}")


def _text(kind: str, program: c_void_p) -> str:
    size = c_size_t()
    _call(f"nvrtcGet{kind}Size", program, byref(size))
    text = ctypes.create_string_buffer(size.value)
    _call(f"nvrtcGet{kind}", program, text)
    return text.value.decode(errors="replace")


def ptx(source: str, options: Sequence[str] = (), name: str = "kernel.cu", capability: int = CAPABILITY) -> str:
    """The PTX of a CUDA C++ source, with its lines; a CompileError has NVRTC's own words."""
    program = c_void_p()
    _call("nvrtcCreateProgram", byref(program), source.encode(), name.encode(), 0, None, None)
    try:
        words = [f"--gpu-architecture=compute_{capability}", "-lineinfo", *options]
        values = (c_char_p * len(words))(*(word.encode() for word in words))
        if _nvrtc().nvrtcCompileProgram(program, len(words), values):
            raise CompileError(_text("ProgramLog", program).strip())
        return _text("PTX", program)
    finally:
        _nvrtc().nvrtcDestroyProgram(byref(program))


def compile(source: str, options: Sequence[str] = (), name: str = "kernel.cu", capability: int = CAPABILITY) -> Code:
    """Compiles and loads. Kernels are found by their names in PTX: declare them extern "C"."""
    return Code(ptx(source, options, name, capability))
