"""cotangent check --backend numpy: the spec's formulas as one writes them in NumPy, with the saved y."""

import adapter
import numpy as np


def widen(array):
    """The compute type: f32 for f16, bf16 (whose bits these are) and f32."""
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float64 if array.dtype == np.float64 else np.float32)


def narrow(array, element):
    if element != "bf16":
        return array.astype(adapter.ARRAYS[element])
    bits = np.ascontiguousarray(array, np.float32).view(np.uint32)
    rounded = ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype(np.uint16)  # to nearest even
    return np.where(np.isnan(array), np.uint16(0x7FC0), rounded)


def moments(p, x):
    """x - mean and n - correction, 1 where that is not positive."""
    m = x.shape[p.axis] - p.correction
    return x - x.mean(p.axis, keepdims=True), x.dtype.type(m if m > 0 else 1)


def var(p, dy, x):
    centred, m = moments(p, x)
    return dy * 2 * centred / m


def std(p, dy, x, y):
    centred, m = moments(p, x)
    return dy * centred / (m * y)


def walk(p, array):
    """The line along the first axis, from the forward scan's start."""
    array = np.moveaxis(array, p.axis, 0)
    return array[::-1] if p.reverse else array


def unwalk(p, array):
    return np.moveaxis(array[::-1] if p.reverse else array, 0, p.axis)


def back_sums(array):
    return np.cumsum(array[::-1], 0)[::-1]


def cumprod(p, dy, x, y):
    return unwalk(p, back_sums(walk(p, dy) * walk(p, y)) / walk(p, x))


def winners(worst, extreme, better):
    def gradient(p, dy, x):
        dy, x = walk(p, dy), walk(p, x)
        ranked = np.where(np.isnan(x), worst, x)  # a NaN never wins,
        ranked[0] = np.where(np.isnan(x[0]), -worst, x[0])  # but for the line's first, which stays the winner
        wins = np.zeros(x.shape, bool)
        wins[1:] = better(ranked[1:], extreme.accumulate(ranked)[:-1])
        winner = np.maximum.accumulate(np.where(wins, np.arange(len(x)).reshape(-1, *[1] * (x.ndim - 1)), 0))
        dx = np.zeros_like(x)
        np.add.at(dx, (winner, *np.indices(x.shape, sparse=True)[1:]), dy)
        return unwalk(p, dx)

    return gradient


def logcumsumexp(p, dy, x, y):
    dy, x, y = walk(p, dy), walk(p, x), walk(p, y)
    total = dy.copy()
    for i in range(len(x) - 2, -1, -1):
        total[i] += np.where(y[i] == y[i + 1], 1, np.exp(y[i] - y[i + 1])) * total[i + 1]
    return unwalk(p, np.exp(x - y) * total)


def pick(better):
    def gradient(p, dy, a, b):
        half = dy / 2
        tie, nan = a == b, np.isnan(a) | np.isnan(b)
        first = np.where(nan, dy, np.where(tie, half, np.where(better(a, b), dy, 0)))
        return first, np.where(nan, dy, np.where(tie, half, np.where(better(b, a), dy, 0)))

    return gradient


def lerp(p, dy):
    w = dy.dtype.type(np.float32(p.param))
    return (1 - w) * dy, w * dy


def atan2(p, dy, a, b):
    square = a * a + b * b
    return dy * b / square, -dy * a / square


def hypot(p, dy, a, b):
    h = np.hypot(a, b)
    return dy * a / h, dy * b / h


GRADIENTS = {
    "sum": lambda p, dy: np.broadcast_to(dy, p.shape),
    "mean": lambda p, dy: np.broadcast_to(dy / dy.dtype.type(p.shape[p.axis]), p.shape),
    "max": lambda p, dy, x, y: np.where(x == y, dy, 0),
    "min": lambda p, dy, x, y: np.where(x == y, dy, 0),
    "prod": lambda p, dy, x, y: dy * y / x,
    "norm2": lambda p, dy, x, y: dy * x / y,
    "logsumexp": lambda p, dy, x, y: dy * np.exp(x - y),
    "var": lambda p, dy, x, y: var(p, dy, x),
    "std": std,
    "cumsum": lambda p, dy: unwalk(p, back_sums(walk(p, dy))),
    "cumprod": cumprod,
    "cummax": winners(-np.inf, np.maximum, np.greater),
    "cummin": winners(np.inf, np.minimum, np.less),
    "logcumsumexp": logcumsumexp,
    "add": lambda p, dy: (dy, dy),
    "sub": lambda p, dy: (dy, -dy),
    "mul": lambda p, dy, a, b: (dy * b, dy * a),
    "div": lambda p, dy, a, b: (dy / b, -(dy * a) / (b * b)),
    "maximum": pick(np.greater),
    "minimum": pick(np.less),
    "pow": lambda p, dy, a, b: (dy * b * a ** (b - 1), dy * a**b * np.log(a)),
    "atan2": atan2,
    "hypot": hypot,
    "lerp": lerp,
    "softmax": lambda p, dy, y: y * (dy - (y * dy).sum(p.axis, keepdims=True)),
    "log_softmax": lambda p, dy, y: dy - np.exp(y) * dy.sum(p.axis, keepdims=True),
}


def refuse(problem, tables):
    if problem.op == "logcumsumexp" and problem.shape[problem.axis] > 1 << 14:
        return "a loop in Python takes too long for a line of so many cells"
    return adapter.under("spec")(problem, tables)


def gradient(problem, arrays):
    inputs = [widen(arrays[name]) for name in problem.reads]
    with np.errstate(all="ignore"):
        results = GRADIENTS[problem.op](problem, *inputs)
    results = results if problem.elementwise else (results,)
    return [narrow(result, problem.element) for result in results]


if __name__ == "__main__":
    adapter.serve("numpy", "NumPy " + np.__version__, refuse, gradient)
