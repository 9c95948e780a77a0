"""Kernels of numba-cuda's, as its users write them: a map, a sum in shared memory, an atomic. Fails where one is wrong.

Where nvJitLink is installed, numba-cuda makes machine code; here it is not found, and the driver is given PTX.
"""

from cuda import pathfinder

_load = pathfinder.load_nvidia_dynamic_lib


def load_all_but_nvjitlink(name):
    if name == "nvJitLink":
        raise pathfinder.DynamicLibNotFoundError(name)
    return _load(name)


pathfinder.load_nvidia_dynamic_lib = load_all_but_nvjitlink

import numpy as np  # noqa: E402
from numba import cuda, float32  # noqa: E402

N, BLOCK = 1000, 128


@cuda.jit
def saxpy(a, x, y):
    i = cuda.grid(1)
    if i < x.size:
        y[i] += a * x[i]


@cuda.jit
def sum_all(x, total):
    part = cuda.shared.array(BLOCK, float32)
    i, t = cuda.grid(1), cuda.threadIdx.x
    part[t] = x[i] if i < x.size else 0
    cuda.syncthreads()
    step = BLOCK // 2
    while step:
        if t < step:
            part[t] += part[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        cuda.atomic.add(total, 0, part[0])


@cuda.jit
def transpose(x, out):
    tile = cuda.shared.array((16, 17), float32)
    row, column = cuda.grid(2)
    if row < x.shape[0] and column < x.shape[1]:
        tile[cuda.threadIdx.x, cuda.threadIdx.y] = x[row, column]
    cuda.syncthreads()
    if row < x.shape[0] and column < x.shape[1]:
        out[column, row] = tile[cuda.threadIdx.x, cuda.threadIdx.y]


x, y, total = np.arange(N, dtype=np.float32), np.ones(N, np.float32), np.zeros(1, np.float32)
on_device = cuda.to_device(x)
blocks = -(-N // BLOCK)
saxpy[blocks, BLOCK](np.float32(2), on_device, y)
sum_all[blocks, BLOCK](on_device, total)
square = np.arange(40 * 24, dtype=np.float32).reshape(40, 24)
turned = np.zeros((24, 40), np.float32)
transpose[(3, 2), (16, 16)](square, turned)
assert (y == 2 * x + 1).all(), y
assert total[0] == x.sum(), total
assert (turned == square.T).all(), turned
