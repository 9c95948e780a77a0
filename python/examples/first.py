"""Judges a softmax's gradient, the same with a sum in bfloat16, and a Triton kernel: nothing but wheels is needed."""

import cotangent_suite as cs
import numpy as np
import triton
import triton.language as tl

import softgpu.triton


def gradient_of_softmax():
    """What PyTorch computes; the same formula in NumPy where that is not installed."""
    try:
        import torch
    except ImportError:
        dy, x = np.random.default_rng(1).standard_normal((2, 64, 1000), np.float32)
        y = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
        return "NumPy", dy, y, y * (dy - (y * dy).sum(-1, keepdims=True))
    x, dy = torch.randn(64, 1000, requires_grad=True), torch.randn(64, 1000)
    y = torch.softmax(x, -1)
    y.backward(dy)
    return "PyTorch", dy.numpy(), y.detach().numpy(), x.grad.numpy()


def sum_in_bfloat16(terms):
    total = np.zeros((len(terms), 1), np.float32)
    for column in range(terms.shape[1]):  # rounded to its upper sixteen bits, as bfloat16 has them
        bits = (total + terms[:, column : column + 1]).view(np.uint32)
        total = ((bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)
    return total


@triton.jit
def sum_all(x, total, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    part = tl.sum(tl.load(x + i, mask=i < n, other=0.0))
    tl.store(total, tl.load(total) + part)  # every block, and nothing orders them


# The ten lines.
library, dy, y, dx = gradient_of_softmax()
print(f"{library}:", cs.judge("softmax", dy=dy, y=y, dx=dx))

small = y * (dy - sum_in_bfloat16(y * dy))
print("allclose takes the sum in bfloat16 for the same:", np.allclose(small, dx, rtol=1e-2, atol=1e-2))
print(cs.judge("softmax", dy=dy, y=y, dx=small))

launch = softgpu.triton.run(sum_all, (4,), y[0], np.zeros(1, np.float32), 1000, BLOCK=256)
race = next(finding for finding in launch.found("racecheck") if finding.severity == "error")
print(f"{race.source.rpartition('/')[2]}:{race.source_line}: {race}")
