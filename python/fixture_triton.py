"""Triton kernels for the tests: right ones, and ones with a known mistake at a known line."""

import triton
import triton.language as tl


@triton.jit
def add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i, mask=i < n) + tl.load(y + i, mask=i < n), mask=i < n)


@triton.jit
def sum_all(x, total, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(total, tl.sum(tl.load(x + i, mask=i < n, other=0.0)))


@triton.jit
def sum_all_racing(x, total, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + i, mask=i < n, other=0.0))
    tl.store(total, tl.load(total) + part)  # RACE


@triton.jit
def copy_unmasked(x, out, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(x + i))  # BOUNDS


@triton.jit
def accumulate(x, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    old = tl.load(out + i, mask=i < n)
    tl.store(out + i, old + tl.load(x + i, mask=i < n), mask=i < n)  # UNWRITTEN


@triton.jit
def softmax_backward(dx, dy, y, stride, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    yi = tl.load(y + row * stride + i, mask=i < n, other=0.0).to(tl.float32)
    gi = tl.load(dy + row * stride + i, mask=i < n, other=0.0).to(tl.float32)
    tl.store(dx + row * stride + i, yi * (gi - tl.sum(yi * gi, axis=0)), mask=i < n)


@triton.jit
def add_in_bf16(a, b):
    return (a + b).to(tl.bfloat16).to(tl.float32)


@triton.jit
def softmax_backward_bf16(dx, dy, y, stride, n, BLOCK: tl.constexpr):
    row, i = tl.program_id(0), tl.arange(0, BLOCK)
    yi = tl.load(y + row * stride + i, mask=i < n, other=0.0)
    gi = tl.load(dy + row * stride + i, mask=i < n, other=0.0)
    tl.store(dx + row * stride + i, yi * (gi - tl.reduce(yi * gi, 0, add_in_bf16)), mask=i < n)


@triton.autotune([triton.Config({"BLOCK": size}) for size in (64, 256)], key=["n"])
@triton.jit
def scale_tuned(x, out, factor, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + i, factor * tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def pair(arrays, out, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out + i, tl.load(arrays[0] + i, mask=i < n) - tl.load(arrays[1] + i, mask=i < n), mask=i < n)


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, STEP: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, STEP)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, K, STEP):
        left = tl.load(a + m[:, None] * K + start + k[None, :])
        right = tl.load(b + (start + k[:, None]) * N + n[None, :])
        total = tl.dot(left, right, total)
    tl.store(c + m[:, None] * N + n[None, :], total)
