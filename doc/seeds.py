#!/usr/bin/env python3
"""The arithmetic of the backward kernels of baracuda-kernels 0.0.1-alpha.68 as a backend: how far they get, and why.

usage: cotangent check --backend "process:python3 seeds.py" --level B

`seeds.py --plans` is what the documents say beside: it checks calls as their plans do (seeds_plans.py), and takes what
its cummax does for PyTorch's choice among equal cells.

Each formula is that of SPEC.md with what those kernels do otherwise, as their sources have it: sums one term after the
other from +0, reciprocals, half precision where they compute in it. What nvcc may fuse is not fused here. The kernels
take O(n) a cell in scans; lines that are too long for that are declined, and so are policies other than the spec's own.
doc/seeds.md has the result.
"""

import sys

import numpy as np
import seeds_plans
import spec
import spec_math
import spec_port

# ---- arithmetic ------------------------------------------------------------------------------------------------------


def stored(call, v):
    """Rounded to the element type, where an operation is one of __half or __nv_bfloat16."""
    return spec.load(spec.store(v, call.element), call.element)


def total(terms):
    """The sum of each line, a term after the other from +0, one row."""
    return spec.running(np.add, 0.0, terms, axis=0)[-1:]


def fast_exp(v):
    """__expf: 2^(v * log2(e)), both steps in binary32; exp in binary64."""
    return np.exp(v) if v.dtype == np.float64 else np.exp2(v * np.float32(1.4426950408889634))


# ---- reductions ------------------------------------------------------------------------------------------------------


def mean(call, g, x, y):
    """A product with 1 / n, rounded to the element type."""
    inverse = stored(call, np.array([call.real(1.0 / call.n)]))
    return np.broadcast_to(stored(call, g * inverse), (call.n, g.shape[1]))


def prod(call, g, x, y):
    """In the element type."""
    return stored(call, stored(call, g * y) / x)


def norm2(call, g, x, y):
    """In the element type."""
    return stored(call, stored(call, g * x) / y)


def logsumexp(call, g, x, y):
    """With the fast exp."""
    return g * fast_exp(x - y)


def divisor(call):
    """n - correction wraps round at 32 bits."""
    m = (call.n - call.correction + 2**31) % 2**32 - 2**31
    return call.real(m if m > 0 else 1)


def var(call, g, x, y):
    """The mean is a product with a rounded 1 / n."""
    return g * 2 * (x - total(x) * (1 / call.real(call.n))) / divisor(call)


def std(call, g, x, y):
    """As var."""
    return g * (x - total(x) * (1 / call.real(call.n))) / (divisor(call) * y)


# ---- scans -----------------------------------------------------------------------------------------------------------


def cumsum(call, g, x, y):
    """The sum is kept in the element type."""
    result, so_far = np.empty_like(g), np.zeros_like(g[0])
    for i in reversed(range(call.n)):
        so_far = stored(call, so_far + g[i])
        result[i] = so_far
    return result


def from_cell_on(call, terms_of):
    """Each cell's own sum of terms, in the order of memory."""
    step = -1 if call.reverse else 1
    return np.concatenate([total(terms_of(j)[::step]) for j in range(call.n)])


def cumprod(call, g, x, y):
    """Every term is multiplied by 1 / x_j."""
    terms = g * y
    return from_cell_on(call, lambda j: terms[j:] * (1 / x[j]))


def cummax(call, g, x, y):
    """Each dy is added to its winner in the forward direction, from +0; no policy is known."""
    call.scan_ties = "first"
    wins = spec.winners(call, x)
    result, winner, lines = np.zeros_like(g), np.zeros(g.shape[1], int), np.arange(g.shape[1])
    for i in range(call.n):
        winner = np.where(wins[i], i, winner)
        result[winner, lines] += g[i]
    return result


def cummin(call, g, x, y):
    return cummax(call, g, -x, y)


def logcumsumexp(call, g, x, y):
    """The direct sum, with the fast exp."""
    return from_cell_on(call, lambda k: g[k:] * fast_exp(x[k] - y[k:]))


# ---- elementwise -----------------------------------------------------------------------------------------------------


def sub(call, g, a, b):
    """0 - g."""
    return g, 0 - g


def div(call, g, a, b):
    """In the element type, and 0 - g * a."""
    minus = stored(call, 0 - stored(call, g * a))
    return stored(call, g / b), stored(call, minus / stored(call, b * b))


def pow_(call, g, a, b):
    """As the spec; CUDA's powf is stated to be within 4 ULP, which is not imitated."""
    return g * b * spec_math.pow(a, b - 1), g * spec_math.pow(a, b) * spec_math.log(a)


def atan2(call, g, a, b):
    """By a reciprocal."""
    inverse = 1 / (a * a + b * b)
    return g * b * inverse, -g * a * inverse


def hypot(call, g, a, b):
    """The root of an unscaled sum of squares, and a reciprocal."""
    inverse = 1 / np.sqrt(a * a + b * b)
    return g * a * inverse, g * b * inverse


# ---- softmax ---------------------------------------------------------------------------------------------------------


def softmax(call, g, x, y):
    """Only the order of the sum differs."""
    return y * (g - total(y * g))


def log_softmax(call, g, x, y):
    """Only the order of the sum differs."""
    return g - spec_math.exp(y) * total(g)


OTHERWISE = {
    f.__name__.rstrip("_"): f for f in (mean, prod, norm2, logsumexp, var, std, cumsum, cumprod, cummax, cummin)
}
OTHERWISE.update(
    {f.__name__.rstrip("_"): f for f in (logcumsumexp, sub, div, pow_, atan2, hypot, softmax, log_softmax)}
)
FORMULAS = {op: (OTHERWISE.get(op, formula), family, saves) for op, (formula, family, saves) in spec.OPS.items()}
LONGEST = {"cumprod": 2100, "logcumsumexp": 2100, "cumsum": 70000, "cummax": 70000, "cummin": 70000}


def gradient(op, call, operands, axis):
    with np.errstate(all="ignore"):
        return spec.gradient(op, call, operands, axis, FORMULAS)


PLANS = sys.argv[1:] == ["--plans"]
PYTORCH = bytes(name == "scan_ties" for name in spec.POLICIES).ljust(16, b"\0")


def declines(problem):
    op = spec_port.OPS[problem.op]
    if any(problem.policies) and not (PLANS and op in ("cummax", "cummin") and problem.policies == PYTORCH):
        return "policies other than the spec's own"
    long = op in LONGEST and problem.shape[problem.axis] > LONGEST[op]
    return "lines of more than %d cells: O(n) a cell" % LONGEST[op] if long else None


if __name__ == "__main__":
    checks = seeds_plans if PLANS else None
    spec_port.serve(spec_port.Port("seeds.py", gradient, declines, identical=False, checks=checks))
