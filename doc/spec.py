#!/usr/bin/env python3
"""SPEC.md in NumPy: all gradients under every policy, written from the clauses, in their order, to be read beside them.

usage: cotangent check --backend "process:python3 spec.py" --level X

A gradient gets its operands in the compute type as arrays of lines: the first index runs along the axis (in the
forward direction of a scan), the second over lines. `call` holds the rest of the descriptor. spec_math.py has exp, log,
pow and hypot, spec_port.py the protocol of porting.md. Needs NumPy and gmpy2.
"""

import numpy as np
from spec_math import exp, hypot, log, pow

# Section 12: values in the order of the table, which is that of the descriptor's bytes.
POLICIES = {
    "ties": ("all", "split", "first", "last"),
    "max_nan": ("none", "spread", "first"),
    "scan_ties": ("first", "last"),
    "scan_nan": ("leading", "every"),
    "zeros": ("literal", "exact", "where_zero"),
    "denominator": ("literal", "zero"),
    "divisor": ("one", "literal", "dead"),
    "pair_nan": ("both", "neither"),
    "pow_zero": ("literal", "masked", "unit_log"),
    "atan2_zero": ("literal", "zero"),
    "hypot_zero": ("literal", "half"),
    "lerp_weight": ("f32", "compute"),
    "quotient": ("literal", "careful", "div_norm2"),
    "centre": ("literal", "shifted"),
    "losers": ("zero", "line_product", "product"),
}


class Call:
    """A descriptor without its shape: n, the compute type, correction, reverse, param, and each policy by its name."""

    def __init__(self, n, real, correction=0, reverse=False, param=0.0, **policies):
        self.n, self.real = n, real
        self.correction, self.reverse, self.param = correction, reverse, param
        for policy, values in POLICIES.items():
            setattr(self, policy, policies.get(policy, values[0]))


# ---- 1 Arithmetic ----------------------------------------------------------------------------------------------------

STORAGE = {"f16": np.float16, "bf16": np.uint16, "f32": np.float32, "f64": np.float64}


def load(cells, element):
    """ARITH-COMPUTE: widened exactly to the compute type."""
    if element == "bf16":
        return (cells.astype(np.uint32) << 16).view(np.float32)
    return cells.astype(np.float64 if element == "f64" else np.float32)


def store(values, element):
    """ARITH-STORE: rounded once to the element type, to nearest even."""
    if element != "bf16":
        with np.errstate(all="ignore"):
            return values.astype(STORAGE[element])
    bits = np.ascontiguousarray(values).view(np.uint32)
    nearest = (bits + 0x7FFF + (bits >> 16 & 1)) >> 16
    return np.where(np.isnan(values), 0x7FC0, nearest).astype(np.uint16)


# ---- 2 Orders of summation -------------------------------------------------------------------------------------------

MISSING = -0.0  # FOLD-MISSING


def blocks(cells, filler):
    """The lines' cells as tiles of segments of 32, the last of them filled up."""
    n, lines = cells.shape
    segments = min(32, -(-n // 32))
    tiles = -(-n // (32 * segments))
    filled = np.full((tiles * segments * 32, lines), filler, cells.dtype)
    filled[:n] = cells
    return filled.reshape(tiles, segments, 32, lines)


def unblocked(results, n):
    return results.reshape(-1, results.shape[-1])[:n]


def fold(terms):
    """FOLD-ORDER, FOLD-TILES, FOLD-MISSING: the sum of each line, one row."""
    rows = blocks(terms, MISSING)
    lanes = rows[:, 0]
    for row in range(1, rows.shape[1]):
        lanes = lanes + rows[:, row]
    for s in (16, 8, 4, 2, 1):
        lanes = lanes[:, :s] + lanes[:, s : 2 * s]
    tiles = lanes[:, 0]
    return tiles if len(tiles) == 1 else fold(tiles)


def running(add, start, terms, axis):
    """`start`, then `start` with the terms added one after the other."""
    first = np.full_like(np.take(terms, [0], axis), start)
    return add.accumulate(np.concatenate([first, terms], axis), axis)


def scan(terms, add=np.add, start=MISSING):
    """SCAN-ORDER; with np.multiply and 1 that of POLICY-ZEROS-PROD."""
    local = add.accumulate(blocks(terms, start), axis=2)
    e = running(add, start, local[:, :, -1], axis=1)
    t = running(add, start, e[:, -1], axis=0)
    return unblocked(add(add(t[:-1, None], e[:, :-1])[:, :, None], local), len(terms))


def earlier(flags, axis):
    """Whether any flag before this one, along the axis, is set."""
    return np.take(running(np.logical_or, False, flags, axis), range(flags.shape[axis]), axis)


def segmented_scan(terms, ends):
    """SCAN-SEGMENTED: the sum restarts after each cell that `ends` marks."""
    local, ends = blocks(terms, MISSING), blocks(ends, False)
    for i in range(1, 32):
        local[:, :, i] += np.where(ends[:, :, i - 1], MISSING, local[:, :, i - 1]).astype(local.dtype)
    total, broken = np.where(ends[:, :, -1], MISSING, local[:, :, -1]), ends.any(axis=2)
    e = np.full((local.shape[0], local.shape[1] + 1, local.shape[3]), MISSING, local.dtype)
    for s in range(local.shape[1]):
        e[:, s + 1] = np.where(broken[:, s], MISSING, e[:, s]) + total[:, s]
    t = np.full((local.shape[0] + 1, local.shape[3]), MISSING, local.dtype)
    for tile in range(local.shape[0]):
        t[tile + 1] = np.where(broken[tile].any(axis=0), MISSING, t[tile]) + e[tile, -1]
    in_segment = earlier(ends, axis=2)
    in_tile = in_segment | earlier(broken, axis=1)[:, :, None]
    t_here = np.where(in_tile, MISSING, t[:-1, None, None])
    e_here = np.where(in_segment, MISSING, e[:, :-1, None])
    return unblocked((t_here + e_here + local).astype(terms.dtype), len(terms))


def chain(a, d, axis):
    """SCAN-RECURRENCE: (A, B), first (a, d), then (a * A, d + a * B)."""
    a, d = np.moveaxis(a.copy(), axis, 0), np.moveaxis(d.copy(), axis, 0)
    for i in range(1, len(a)):
        d[i] = d[i] + a[i] * d[i - 1]
        a[i] = a[i] * a[i - 1]
    return np.moveaxis(a, 0, axis), np.moveaxis(d, 0, axis)


def recurrence(d, a):
    """SCAN-RECURRENCE: G_k = d_k + a_k * G_next, from the row where G_next does not exist on."""
    a_local, b_local = chain(blocks(a, 1), blocks(d, MISSING), axis=2)
    a_e, b_e = chain(a_local[:, :, -1], b_local[:, :, -1], axis=1)
    _, t = chain(a_e[:, -1], b_e[:, -1], axis=0)
    before = np.empty_like(b_e)  # what A_local multiplies; nothing in the first segment of the first tile
    before[:, 1:] = b_e[:, :-1]
    before[1:, 1:] = b_e[1:, :-1] + a_e[1:, :-1] * t[:-1, None]
    before[1:, 0] = t[:-1]
    result = b_local + a_local * before[:, :, None]
    result[0, 0] = b_local[0, 0]
    return unblocked(result, len(d))


# ---- 3 Reductions ----------------------------------------------------------------------------------------------------
# g and y are one row.


def sum_(call, g, x, y):
    """SUM"""
    return np.broadcast_to(g, (call.n, g.shape[1]))


def mean(call, g, x, y):
    """MEAN, ARITH-COUNT"""
    return np.broadcast_to(g / call.real(call.n), (call.n, g.shape[1]))


def first_of(flags):
    return flags & ~earlier(flags, axis=0)


def extremum(call, g, x, y):
    """MAX, MAX-TIE, MAX-NAN, MAX-ZERO, POLICY-TIES, POLICY-MAX-NAN, POLICY-LOSERS"""
    nothing, equal = call.real(0) if call.losers == "zero" else g * 0, x == y
    if call.ties == "first":
        equal = first_of(equal)
    if call.ties == "last":
        equal = first_of(equal[::-1])[::-1]
    share = g / equal.sum(axis=0, keepdims=True).astype(call.real) if call.ties == "split" else g
    dx = np.where(equal, share, nothing)
    if call.max_nan == "spread":
        return np.where(np.isnan(y), call.real(np.nan), dx)
    if call.max_nan == "first":
        return np.where(np.isnan(y), np.where(first_of(np.isnan(x)), g, nothing), dx)
    return dx


def product_before(x):
    """The scan's result at the cell before, 1 at the first."""
    products = scan(x, np.multiply, 1)
    return np.concatenate([np.ones_like(x[:1]), products[:-1]])


def prod(call, g, x, y):
    """PROD, PROD-ZERO, POLICY-ZEROS-PROD"""
    if call.zeros == "literal":
        return g * y / x
    exactly = g * (product_before(x) * product_before(x[::-1])[::-1])
    return exactly if call.zeros == "exact" else np.where((x == 0).any(axis=0), exactly, g * y / x)


def zero_where(chosen, dx):
    return np.where(chosen, dx.dtype.type(0), dx)


def norm2(call, g, x, y):
    """NORM2, NORM2-ZERO, POLICY-DENOMINATOR, POLICY-QUOTIENT"""
    dx = g * x / y if call.quotient == "literal" else g * (x / y)
    return np.where((call.denominator == "zero") & (y == 0), g * 0, dx)


def logsumexp(call, g, x, y):
    """LSE, LSE-INF"""
    return g * exp(x - y)


def divisor(call):
    """VAR-CORRECTION, VAR-CLAMP, POLICY-DIVISOR: m, and whether g counts."""
    m = call.n - call.correction
    if m > 0:
        return call.real(m), True
    return call.real(1 if call.divisor == "one" else m), call.divisor != "dead"


def from_mean(call, x):
    """VAR-MEAN, POLICY-CENTRE"""
    if call.centre == "shifted":
        x = x - np.where(np.isfinite(x[:1]), x[:1], call.real(0))
    return x - fold(x) / call.real(call.n)


def var(call, g, x, y):
    """VAR, VAR-SAVE"""
    m, counts = divisor(call)
    g = g if counts else np.zeros_like(g)
    return g * 2 * from_mean(call, x) / m


def std(call, g, x, y):
    """STD, STD-ZERO, POLICY-DENOMINATOR, POLICY-DIVISOR"""
    m, counts = divisor(call)
    g = g if counts else np.zeros_like(g)
    off = from_mean(call, x)
    dx = g * off / (m * y if counts else m)
    return np.where((call.denominator == "zero") & (y == 0), call.real(0) * off / m, dx)


# ---- 4 Scans ---------------------------------------------------------------------------------------------------------
# SCAN-REVERSE: the lines come in the forward direction. Sums run against it, from the last row on.


def against(order, *rows):
    return order(*(v[::-1] for v in rows))[::-1]


def cumsum(call, g, x, y):
    """CUMSUM"""
    return against(scan, g)


def cumprod(call, g, x, y):
    """CUMPROD, CUMPROD-ZERO, POLICY-ZEROS-CUMPROD"""
    if call.zeros == "exact":
        return product_before(x) * against(recurrence, g, following(x))
    if call.zeros == "literal":
        return against(scan, g * y) / x
    zero, past = (x == 0), earlier(x == 0, axis=0)
    kept = ~zero & ~past  # before the first zero
    beyond = earlier(zero & past, axis=0) | (zero & past)  # the second zero, and what comes after it
    before = np.concatenate([np.ones_like(y[:1]), y[:-1]])
    h = against(recurrence, zero_where(beyond, g), following(np.where(beyond, call.real(1), x)))
    at_zero = np.where(zero & ~past, before * h, call.real(0))
    return np.where(kept, against(scan, zero_where(~kept, g * y)) / x, at_zero)


def following(v):
    """The next cell's value; the last cell has no next, and nothing reads what stands there."""
    return np.concatenate([v[1:], v[-1:]])


def winners(call, x):
    """CUMMAX, CUMMAX-TIE, CUMMAX-NAN, POLICY-SCAN-TIES, POLICY-SCAN-NAN: which cells of a line win."""
    nan = np.isnan(x)
    scanned = np.where(nan, -np.inf, x)
    scanned[0] = np.where(nan[0], np.inf, x[0])
    best = np.maximum.accumulate(scanned, axis=0)
    wins = np.ones_like(nan)
    wins[1:] = scanned[1:] > best[:-1]
    if call.scan_ties == "last":
        wins[1:] |= (x[1:] == best[:-1]) & ~nan[0]
    if call.scan_nan == "every":
        wins[1:] = nan[1:] | (wins[1:] & ~earlier(nan, axis=0)[1:])
    return wins


def cummax(call, g, x, y):
    """CUMMAX, SCAN-SEGMENTED"""
    wins = winners(call, x)
    return np.where(wins, against(segmented_scan, g, wins), call.real(0))


def cummin(call, g, x, y):
    """CUMMAX of what is turned round: -x is strictly greater where x is strictly less."""
    return cummax(call, g, -x, y)


def anchor(v):
    """LCSE-LINEAR: r(v)."""
    huge = 2.0**22 if v.dtype == np.float32 else 2.0**51
    return np.where(np.abs(v) < huge, np.rint(v / 16) * 16, v)


def logcumsumexp(call, g, x, y):
    """LCSE, LCSE-LINEAR, LCSE-INF"""
    r, r_next = anchor(y), anchor(following(y))
    t = np.where(np.isinf(y), g, g * exp(r - y))
    w = np.where(r == r_next, call.real(1), exp(r - r_next))
    return exp(x - r) * against(recurrence, t, w)


# ---- 5 Binary operations ---------------------------------------------------------------------------------------------


def add(call, g, a, b):
    """ADD"""
    return g, g


def sub(call, g, a, b):
    """SUB"""
    return g, -g


def mul(call, g, a, b):
    """MUL"""
    return g * b, g * a


def div(call, g, a, b):
    """DIV, DIV-OVERFLOW, POLICY-QUOTIENT"""
    return g / b, -(g * a) / (b * b) if call.quotient == "literal" else -g * (a / b / b)


def maximum(call, g, a, b):
    """MAXIMUM, MAXIMUM-TIE, MAXIMUM-NAN, POLICY-PAIR-NAN, POLICY-LOSERS"""
    nan, nothing = np.isnan(a) | np.isnan(b), g * 0 if call.losers == "product" else call.real(0)
    of_nan = nothing if call.pair_nan == "neither" else g
    return tuple(np.where(nan, of_nan, np.where(a == b, g / 2, np.where(wins, g, nothing))) for wins in (a > b, b > a))


def minimum(call, g, a, b):
    """MAXIMUM of what is turned round."""
    return maximum(call, g, -a, -b)


def pow_(call, g, a, b):
    """POW, POW-ZERO, POW-NEGATIVE, POLICY-POW-ZERO"""
    logarithm = log(np.where(a == 0, call.real(1), a)) if call.pow_zero == "unit_log" else log(a)
    da, db = g * b * pow(a, b - 1), g * pow(a, b) * logarithm
    if call.pow_zero == "masked":
        da, db = zero_where(b == 0, da), np.where((a == 0) & (b >= 0), g * 0, db)
    return da, db


def atan2(call, g, a, b):
    """ATAN2, ATAN2-ZERO, POLICY-ATAN2-ZERO, POLICY-QUOTIENT"""
    if call.quotient == "careful":
        below = hypot(a, b)
        da, db = g * (b / below / below), -g * (a / below / below)
    else:
        below = a * a + b * b
        da, db = g * b / below, -g * a / below
    if call.atan2_zero == "zero":
        da, db = np.where(below == 0, g * b * 0, da), np.where(below == 0, -g * a * 0, db)
    return da, db


def hypot_(call, g, a, b):
    """HYPOT, HYPOT-ZERO, POLICY-HYPOT-ZERO, POLICY-QUOTIENT"""
    h, careful = hypot(a, b), call.quotient == "careful"
    halved = (call.hypot_zero == "half") & (a == 0) & (b == 0)
    return tuple(np.where(halved, g / 2, g * (own / h) if careful else g * own / h) for own in (a, b))


# ---- 6 Binary operations with a parameter ----------------------------------------------------------------------------


def lerp(call, g, a, b):
    """LERP, LERP-WEIGHT, POLICY-LERP-WEIGHT"""
    if call.lerp_weight == "compute":
        return call.real(1 - np.float64(call.param)) * g, call.real(call.param) * g
    w = call.real(np.float32(call.param))
    return (1 - w) * g, w * g


# ---- 7 Softmax -------------------------------------------------------------------------------------------------------


def softmax(call, g, x, y):
    """SOFTMAX, SOFTMAX-NAN"""
    return y * (g - fold(y * g))


def log_softmax(call, g, x, y):
    """LOGSOFTMAX, LOGSOFTMAX-NAN"""
    return g - exp(y) * fold(g)


# ---- the table of ops: family, then the saves that a gradient reads, in the order of the descriptor's numbers --------

OPS = {
    "sum": (sum_, "reduce", ""),
    "mean": (mean, "reduce", ""),
    "max": (extremum, "reduce", "x y"),
    "min": (extremum, "reduce", "x y"),
    "prod": (prod, "reduce", "x y"),
    "norm2": (norm2, "reduce", "x y"),
    "logsumexp": (logsumexp, "reduce", "x y"),
    "var": (var, "reduce", "x"),
    "std": (std, "reduce", "x y"),
    "cumsum": (cumsum, "scan", ""),
    "cumprod": (cumprod, "scan", "x y"),
    "cummax": (cummax, "scan", "x"),
    "cummin": (cummin, "scan", "x"),
    "logcumsumexp": (logcumsumexp, "scan", "x y"),
    "add": (add, "binary", ""),
    "sub": (sub, "binary", ""),
    "mul": (mul, "binary", "a b"),
    "div": (div, "binary", "a b"),
    "maximum": (maximum, "binary", "a b"),
    "minimum": (minimum, "binary", "a b"),
    "pow": (pow_, "binary", "a b"),
    "atan2": (atan2, "binary", "a b"),
    "hypot": (hypot_, "binary", "a b"),
    "lerp": (lerp, "binary_param", ""),
    "softmax": (softmax, "softmax", "y"),
    "log_softmax": (log_softmax, "softmax", "y"),
}


def gradient(op, call, operands, axis, formulas=OPS):
    """dx, or da and db, of operands in the compute type: the lines along the axis, the formula, and back."""
    formula, family, saves = formulas[op]
    elementwise = family.startswith("binary")
    turn = slice(None, None, -1 if family == "scan" and call.reverse else 1)
    shape = {}

    def lines(name):
        if name != "dy" and name not in saves.split():
            return None
        cells = operands[name].reshape(1, -1) if elementwise else np.moveaxis(operands[name], axis, 0)
        shape[name] = cells.shape[1:]
        return cells.reshape(len(cells), -1)[turn]

    with np.errstate(all="ignore"):
        results = formula(call, *(lines(name) for name in (("dy", "a", "b") if elementwise else ("dy", "x", "y"))))
    if elementwise:
        return [v.reshape(operands["dy"].shape) for v in results]
    return [np.moveaxis(results[turn].reshape(call.n, *shape["dy"]), 0, axis)]


if __name__ == "__main__":
    import spec_port

    spec_port.serve()
