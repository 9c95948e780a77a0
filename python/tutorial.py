"""A tutorial that runs: judge one kernel, find a race in a Triton kernel, compare PyTorch and JAX at ties.

Each part below `# %%` is a cell for editors that know such marks. What is not installed is left out, and said.
"""

# %% One kernel: softmax's gradient, right, and with a sum in bfloat16's seven bits
import cotangent_suite as cs
import numpy as np

rng = np.random.default_rng(1)
x = rng.standard_normal((64, 1000)).astype(np.float32)
dy = rng.standard_normal((64, 1000)).astype(np.float32)
y = np.exp(x) / np.exp(x).sum(-1, keepdims=True)


def in_bfloat16(values):
    """Values with the bits of bfloat16: those behind the first sixteen are cut off."""
    return (np.ascontiguousarray(values).view(np.uint32) & np.uint32(0xFFFF0000)).view(np.float32)


def gradient(sum_of):
    return y * (dy - sum_of(y * dy))


def sum_in_bfloat16(terms):
    total = np.zeros((len(terms), 1), np.float32)
    for column in range(terms.shape[1]):
        total = in_bfloat16(total + terms[:, column : column + 1])
    return total


right = gradient(lambda terms: terms.sum(-1, keepdims=True))
small = gradient(sum_in_bfloat16)
print("right in f32:", cs.judge("softmax", dy=dy, y=y, dx=right))
print("close, by allclose(rtol=1e-2, atol=1e-2):", np.allclose(small, right, rtol=1e-2, atol=1e-2))
verdict = cs.judge("softmax", dy=dy, y=y, dx=small)
print(verdict)
assert not verdict

# %% A race in a Triton kernel: every block adds to one cell
try:
    import fixture_triton

    from softgpu import triton
except ImportError as missing:
    print("left out:", missing)
else:
    total = np.zeros(1, np.float32)
    launch = triton.run(fixture_triton.sum_all_racing, (4,), x[0], total, 1000, BLOCK=256)
    for finding in launch.found("racecheck"):
        if finding.severity == "error":
            print(f"race at {finding.source}:{finding.source_line}")
    assert not launch
    total[:] = 0
    assert triton.run(fixture_triton.sum_all, (4,), x[0], total, 1000, BLOCK=256)
    print("with atomic_add:", total[0], "of", x[0].sum())

# %% PyTorch and JAX at ties: whose gradient of max goes where?
tied, one = np.array([[3, 1, 3, 2]], np.float32), np.ones((1, 1), np.float32)
for convention in ("spec", "torch", "jax"):
    print(f"max {convention}:", cs.gradient("max", dy=one, x=tied, convention=convention)[0])
    print(f"cummax {convention}:", cs.gradient("cummax", dy=np.ones_like(tied), x=tied, convention=convention)[0])
