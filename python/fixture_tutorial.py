"""Kernels that everybody writes first in Triton, written for the tests after what they compute."""

import triton
import triton.language as tl


@triton.jit
def vector_add(x, y, out, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    tl.store(out + i, tl.load(x + i, inside) + tl.load(y + i, inside), inside)


@triton.jit
def softmax(x, y, rows, columns, stride, BLOCK: tl.constexpr):
    """Each program takes every so many-th row, and holds it in registers."""
    i = tl.arange(0, BLOCK)
    for row in tl.range(tl.program_id(0), rows, tl.num_programs(0), num_stages=2):
        cells = tl.load(x + row * stride + i, i < columns, other=-float("inf"))
        powers = tl.exp(cells - tl.max(cells, 0))
        tl.store(y + row * stride + i, powers / tl.sum(powers, 0), i < columns)


@triton.jit
def layer_norm(x, y, weight, bias, means, scales, columns, epsilon, BLOCK: tl.constexpr):
    """A row in pieces: its mean, its variance, then its cells."""
    row = tl.program_id(0)
    x += row * columns
    y += row * columns
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        total += tl.load(x + i, i < columns, other=0.0)
    mean = tl.sum(total, 0) / columns
    squares = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        away = tl.where(i < columns, tl.load(x + i, i < columns, other=0.0) - mean, 0.0)
        squares += away * away
    scale = 1 / tl.sqrt(tl.sum(squares, 0) / columns + epsilon)
    tl.store(means + row, mean)
    tl.store(scales + row, scale)
    for start in range(0, columns, BLOCK):
        i = start + tl.arange(0, BLOCK)
        normal = (tl.load(x + i, i < columns) - mean) * scale
        tl.store(y + i, normal * tl.load(weight + i, i < columns) + tl.load(bias + i, i < columns), i < columns)


@triton.jit
def layer_norm_backward(
    dx, dy, x, weight, means, scales, weight_parts, bias_parts, locks, groups, columns, BLOCK: tl.constexpr
):
    """A row's dx; its share of the weight's and the bias's gradient is added to its group's, under a lock."""
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < columns
    g = tl.load(dy + row * columns + i, inside, other=0.0)
    scale = tl.load(scales + row)
    normal = tl.where(inside, (tl.load(x + row * columns + i, inside, other=0.0) - tl.load(means + row)) * scale, 0.0)
    weighted = g * tl.load(weight + i, inside, other=0.0)
    along = tl.sum(weighted * normal, 0) / columns
    tl.store(dx + row * columns + i, (weighted - normal * along - tl.sum(weighted, 0) / columns) * scale, inside)
    group = row % groups
    while tl.atomic_cas(locks + group, 0, 1) == 1:
        pass
    part = group * columns + i
    tl.store(weight_parts + part, tl.load(weight_parts + part, inside) + g * normal, inside)
    tl.store(bias_parts + part, tl.load(bias_parts + part, inside) + g, inside)
    tl.debug_barrier()  # all of the block's stores come before the lock is free
    tl.atomic_xchg(locks + group, 0)


@triton.jit
def sum_rows(parts, out, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((ROWS, BLOCK), tl.float32)
    for start in range(0, rows, ROWS):
        row = start + tl.arange(0, ROWS)
        inside = (row[:, None] < rows) & (i[None, :] < columns)
        total += tl.load(parts + row[:, None] * columns + i[None, :], inside, other=0.0)
    tl.store(out + i, tl.sum(total, 0), i < columns)


@triton.jit
def matmul(a, b, c, m, n, k, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr, GROUP: tl.constexpr):
    """A tile of c; programs go through GROUP rows of tiles before the next column, so that tiles of b are met again."""
    tiles_m, tiles_n = tl.cdiv(m, M), tl.cdiv(n, N)
    band = tl.program_id(0) // (GROUP * tiles_n)
    high = min(tiles_m - band * GROUP, GROUP)
    within = tl.program_id(0) % (GROUP * tiles_n)
    row = (band * GROUP + within % high) * M + tl.arange(0, M)
    column = (within // high) * N + tl.arange(0, N)
    total = tl.zeros((M, N), tl.float32)
    for start in range(0, k, K):
        step = start + tl.arange(0, K)
        left = tl.load(a + row[:, None] * k + step[None, :], (row[:, None] < m) & (step[None, :] < k), other=0.0)
        right = tl.load(b + step[:, None] * n + column[None, :], (step[:, None] < k) & (column[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + row[:, None] * n + column[None, :], total, (row[:, None] < m) & (column[None, :] < n))
