"""A program of cuda-python's, as its users write them: NVRTC, the driver API, one launch. Prints what it computed."""

import ctypes

import numpy as np
from cuda.bindings import driver, nvrtc

SOURCE = b"""extern "C" __global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
"""
N = 1000


def good(answer):
    assert int(answer[0]) == 0, answer[0]
    return answer[1] if len(answer) == 2 else None


program = good(nvrtc.nvrtcCreateProgram(SOURCE, b"saxpy.cu", 0, [], []))
good(nvrtc.nvrtcCompileProgram(program, 1, [b"--gpu-architecture=compute_80"]))
ptx = b" " * good(nvrtc.nvrtcGetPTXSize(program))
good(nvrtc.nvrtcGetPTX(program, ptx))

good(driver.cuInit(0))
good(driver.cuCtxSetCurrent(good(driver.cuDevicePrimaryCtxRetain(good(driver.cuDeviceGet(0))))))
module = good(driver.cuModuleLoadData(ptx))
kernel = good(driver.cuModuleGetFunction(module, b"saxpy"))

x, y = np.arange(N, dtype=np.float32), np.ones(N, np.float32)
on_device = [good(driver.cuMemAlloc(array.nbytes)) for array in (x, y)]
for memory, array in zip(on_device, (x, y)):
    good(driver.cuMemcpyHtoD(memory, array.ctypes.data, array.nbytes))
arguments = ((2.0, *on_device, N), (ctypes.c_float, None, None, ctypes.c_int))
good(driver.cuLaunchKernel(kernel, 4, 1, 1, 256, 1, 1, 0, 0, arguments, 0))
good(driver.cuMemcpyDtoH(y.ctypes.data, on_device[1], y.nbytes))
for memory in on_device:
    good(driver.cuMemFree(memory))
good(driver.cuModuleUnload(module))
print("right" if (y == 2 * x + 1).all() else f"wrong: {y}")
