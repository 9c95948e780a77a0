"""A CUDA device in software: kernels run without a GPU, with checkers for memory, races, barriers and unwritten values.

``softgpu.triton`` runs kernels of Triton, ``softgpu.cuda`` those of CUDA C++, ``softgpu.load`` any PTX:

>>> import numpy as np
>>> import softgpu
>>> scale = softgpu.load(".version 7.0 .target sm_80 .address_size 64 "
...     ".visible .entry scale(.param .u64 p) { .reg .u64 %a; .reg .f32 %f; ld.param.u64 %a, [p]; "
...     "ld.global.f32 %f, [%a]; add.f32 %f, %f, %f; st.global.f32 [%a], %f; ret; }").kernel("scale")
>>> x = np.array([21], np.float32)
>>> launch = scale((1,), (1,), x)
>>> print(launch, x)
scale: nothing to report [42.]
"""

from .arrays import empty
from .kernel import Code, Kernel, load
from .program import SoftgpuError
from .report import Finding, Launch

__all__ = ["Code", "Finding", "Kernel", "Launch", "SoftgpuError", "empty", "load"]
