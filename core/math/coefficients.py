#!/usr/bin/env python3
"""Make poly.h: minimax polynomials for exp, log, pow and atan2, and the constants that the other headers hold.

    coefficients.py            print poly.h on stdout, and the constants on stderr
    coefficients.py --check    compare both with what stands in this directory

Needs mpmath. A fit is a Remez exchange in 60 digits; then the coefficients are rounded from the lowest to the highest,
and those that are still free are fitted again after each, so that they make up for the rounding.
"""

import pathlib
import sys

from mpmath import atan, atanh, cos, exp, expm1, floor, frexp, ldexp, log, lu_solve, matrix, mp, mpf, pi, sqrt

mp.dps = 60
HERE = pathlib.Path(__file__).parent
GRID = 400


def rounded(v, bits):
    """v to the nearest number of that many bits."""
    if v == 0:
        return mpf(0)
    m, e = frexp(v)
    return ldexp(floor(ldexp(m, bits) + mpf(1) / 2), e - bits)


def spelled(v):
    """v, which is a double, as a C hexadecimal constant without trailing zeros."""
    digits, power = float(v).hex().split("p")
    return digits.rstrip("0").rstrip(".") + "p" + str(int(power))


def extremes(points, errors):
    """The largest error of each run of one sign."""
    runs = [[0]]
    for i in range(1, len(points)):
        if (errors[i] > 0) == (errors[i - 1] > 0):
            runs[-1].append(i)
        else:
            runs.append([i])
    return [max(run, key=lambda i: abs(errors[i])) for run in runs]


def remez(target, weight, points, powers):
    """Coefficients of those powers that make the largest weight * |target - polynomial| over the points smallest."""
    n = len(powers)
    chosen = [(len(points) - 1) * i // n for i in range(n + 1)]
    for _ in range(30):
        rows = [[points[i] ** p for p in powers] + [(-1) ** k / weight[i]] for k, i in enumerate(chosen)]
        fit = list(lu_solve(matrix(rows), matrix([target[i] for i in chosen])))[:n]
        errors = [
            weight[i] * (target[i] - sum(c * points[i] ** p for c, p in zip(fit, powers))) for i in range(len(points))
        ]
        peaks = extremes(points, errors)
        while len(peaks) > n + 1:
            peaks.pop(0 if abs(errors[peaks[0]]) < abs(errors[peaks[-1]]) else -1)
        if len(peaks) < n + 1 or peaks == chosen:
            break
        chosen = peaks
    return fit, max(map(abs, errors))


def rounded_fit(f, w, low, high, n, bits, fixed=()):
    """n coefficients of that many bits for f on [low, high] with error weight w; and their largest weighted error."""
    points = [(low + high) / 2 - (high - low) / 2 * cos(pi * (i + mpf(1) / 2) / GRID) for i in range(GRID)]
    rest, weight = [f(x) for x in points], [w(x) for x in points]
    done = []
    for k in range(n):
        c = fixed[k] if k < len(fixed) else rounded(remez(rest, weight, points, range(k, n))[0][0], bits)
        rest = [t - c * x**k for t, x in zip(rest, points)]
        done.append(c)
    return done, max(abs(t) * v for t, v in zip(rest, weight))


def polynomial(name, argument, text, fit):
    """A C function that evaluates it by Horner's rule."""
    coefficients, error = fit
    lines = [
        f"/* {text}; error about 2^{float(log(error, 2)):.1f}. */",
        f"COT_FN double {name}(double {argument})",
        "{",
    ]
    lines.append(f"    double p = {spelled(coefficients[-1])};")
    lines += [f"    p = p * {argument} + {spelled(c)};" for c in reversed(coefficients[:-1])]
    return "\n".join(lines + ["    return p;", "}", ""])


def in_halves(name, argument, text, fit):
    """The same in two chains, of the even and the odd powers, which run side by side."""
    coefficients, error = fit
    lines = [
        f"/* {text}, in two chains; error about 2^{float(log(error, 2)):.1f}. */",
        f"COT_FN double {name}(double {argument}, double square)",
        "{",
    ]
    for half, start in ("even", 0), ("odd", 1):
        chain = [spelled(c) for c in coefficients[start::2]]
        lines.append(f"    double {half} = {chain[-1]};")
        lines += [f"    {half} = {half} * square + {c};" for c in reversed(chain[:-1])]
    return "\n".join(lines + [f"    return even + {argument} * odd;", "}", ""])


def polynomials():
    """The text of every function."""
    s2 = ((sqrt(2) - 1) / (sqrt(2) + 1)) ** 2 * mpf("1.0001")
    t2 = (sqrt(2) - 1) ** 2 * mpf("1.0001")
    r = log(2) / 2 * mpf("1.001")
    eps = mpf(10) ** -9
    exp_rest = lambda x: (expm1(x) - x) / x**2
    log_rest = lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2 - 2 * z / 3) / z**2
    atan_rest = lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z
    exp_fit = lambda n, fixed=(): rounded_fit(exp_rest, lambda x: x**2 / exp(x), -r, r, n, 53, fixed)
    log_fit = lambda n: rounded_fit(log_rest, lambda z: z**2 / 2, eps, s2, n, 53)
    atan_fit = lambda n: rounded_fit(atan_rest, lambda z: z, eps, t2, n, 53)
    exp_text = "(exp(r) - 1 - r) / r^2 for |r| <= ln(2)/2, relative to exp(r)"
    log_text = "(2 atanh(s) - 2s - 2/3 s^3) / s^5 with z = s^2, relative to 2 atanh(s)"
    atan_text = "(atan(t) - t) / t^3 with z = t^2, relative to atan(t)"
    yield polynomial("exp_poly_d", "r", exp_text, exp_fit(11, [mpf(1) / 2]))
    yield in_halves("exp_near_poly_d", "r", "The same, for float", exp_fit(10))
    yield polynomial("log_poly_d", "z", log_text, log_fit(8))
    yield in_halves("log_near_poly_d", "z", "The same, for float", log_fit(6))
    yield polynomial("atan_poly_d", "z", atan_text, atan_fit(12))


def constants():
    """Those that stand in the other headers, as they are spelled there. A high part is short: its small multiples are
    exact."""

    def split(name, value, bits):
        high = rounded(value, bits)
        yield f"{name}_hi = {spelled(high)}"
        yield f"{name}_lo = {spelled(rounded(value - high, 53))}"

    def wide(name, value):
        units = int(floor(ldexp(value, 128) + mpf(1) / 2))
        yield f"{name} = {{ 0x{units >> 64:016x}, 0x{units % 2**64:016x} }}"

    yield f"log2_e = {spelled(rounded(1 / log(2), 53))}"
    yield from split("ln2", log(2), 42)
    yield from split("two_thirds", mpf(2) / 3, 53)
    yield from split("quarter", pi / 4, 51)
    yield f"tan_eighth = {spelled(rounded(sqrt(2) - 1, 53))}"
    yield from wide("half_log2_e", 1 / (2 * log(2)))
    yield from wide("ln2", log(2))
    yield from wide("quarter", pi / 4)


def header():
    return (
        "/* Made by coefficients.py; do not edit. Horner's rule, lowest power last. */\n"
        '#ifndef COT_MATH_POLY_H\n#define COT_MATH_POLY_H\n\n#include "real.h"\n\n'
        + "\n".join(polynomials())
        + "\n#endif\n"
    )


def main():
    if sys.argv[1:] == ["--check"]:
        sources = "".join(p.read_text() for p in sorted(HERE.glob("*.h")))
        missing = [line for line in constants() if line not in sources]
        if (HERE / "poly.h").read_text() != header():
            missing.append("poly.h")
        print("\n".join("differs: " + m for m in missing) or "all coefficients and constants stand as computed")
        return 1 if missing else 0
    print(header(), end="")
    print("\n".join(constants()), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
