"""The cases that stand for a range which is too long: every op, type and generator at one shape, and a part of it.

usage: python3 subset.py COTANGENT CONVENTION PART > CASES

PART is the share of the quick range, I/N, that gives other shapes and options. Contiguous cases alone, as adapters take
them. A framework that compiles for every shape then compiles for few.
"""

import itertools
import subprocess
import sys

TYPES = ("f16", "bf16", "f32", "f64")
# Options take turns with the generators: every second scan is reversed, every third divisor of var is 0.
TURNS = {
    "scan": ("", ",rev=1"),
    "var": ("", ",corr=1", ",corr=6"),
    "std": ("", ",corr=1", ",corr=6"),
    "lerp": (",w=0x1p-2",),
}


def lines(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()


def ops(cotangent):
    """Pairs of an op and its family."""
    return [(line.split()[1], line.split()[0]) for line in lines(cotangent, "ops")[1:]]


def generators(cotangent):
    return [line.split()[0] for line in lines(cotangent, "list", "--generators")]


def fixed(cotangent, convention):
    for (op, family), element in itertools.product(ops(cotangent), TYPES):
        turns = itertools.cycle(TURNS.get(op, TURNS.get(family, ("",))))
        axis = "-" if family.startswith("binary") else "1"
        for generator, turn in zip(generators(cotangent), turns):
            yield "%s/%s/4x6/%s/contig/%s/1%s,conv=%s" % (op, element, axis, generator, turn, convention)


def part(cotangent, convention, share):
    return lines(cotangent, "list", "--convention", convention, "--layout", "contig", "--shard", share)


def main(cotangent, convention, share):
    for each in itertools.chain(fixed(cotangent, convention), part(cotangent, convention, share)):
        print(each)


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    main(*sys.argv[1:])
