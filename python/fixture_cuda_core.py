"""A program of cuda-core's, as its users write them: a template, compiled and launched. Fails where it is wrong."""

import numpy as np
from cuda.core import Device, LaunchConfig, LegacyPinnedMemoryResource, Program, ProgramOptions, launch

SOURCE = """template<typename T>
__global__ void saxpy(T a, const T *x, T *y, size_t n)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (size_t)blockDim.x)
        y[i] = a * x[i] + y[i];
}
"""
N = 1000

device = Device()
device.set_current()
stream = device.create_stream()
options = ProgramOptions(std="c++17", arch=f"sm_{device.arch}")
code = Program(SOURCE, code_type="c++", options=options).compile("ptx", name_expressions=("saxpy<float>",))
kernel = code.get_kernel("saxpy<float>")

pinned = LegacyPinnedMemoryResource()
buffers = [pinned.allocate(4 * N, stream=stream) for _ in range(2)]
x, y = (np.from_dlpack(buffer).view(np.float32) for buffer in buffers)
x[:], y[:] = np.arange(N), 1
on_device = [device.memory_resource.allocate(4 * N, stream=stream) for _ in range(2)]
for there, here in zip(on_device, buffers):
    there.copy_from(here, stream=stream)
launch(stream, LaunchConfig(grid=4, block=128), kernel, np.float32(2), *on_device, np.uint64(N))
on_device[1].copy_to(buffers[1], stream=stream)
stream.sync()
assert (y == 2 * np.arange(N) + 1).all(), y
