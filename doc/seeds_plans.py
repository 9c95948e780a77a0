"""What the backward plans of baracuda-kernels 0.0.1-alpha.68 check of a call, in their order: select and can_implement.

`seeds.py --plans` asks this in the library's place, as a backend that checks calls itself. What those plans do not look
at is let through: overlap, alignment, the rank where there is no axis, strides where no layout is refused.
"""

import math

import spec
from spec_port import ELEMENTS, FAMILIES, OPERANDS, OPS, status

INVALID, UNSUPPORTED, TOO_SMALL = 2, 3, 6
DESC, DY = 1, 4  # of cot_operand
NAMES = {number: name for name, number in FAMILIES.items()}
WITH_AXIS = ("reduce", "scan", "softmax")


def plan_of(problem):
    """The family whose plan is asked: the one that is named, or the op's own; None where there is neither."""
    if problem.family or problem.op not in OPS:
        return NAMES.get(problem.family)
    return spec.OPS[OPS[problem.op]][1]


def dy_shape(problem):
    """The extents; in a reduction 1 along the axis."""
    shape = list(problem.shape)
    if plan_of(problem) == "reduce":
        shape[problem.axis] = 1
    return shape


def select(problem):
    """Element type, axis, extents, rank, kind: the status of what is wrong first, or None."""
    family = plan_of(problem)
    if problem.element not in ELEMENTS:
        return status(UNSUPPORTED, "descriptor element != T", DESC)
    if family in WITH_AXIS and problem.axis % 256 >= problem.rank:  # the axis is a u8
        return status(INVALID, "axis out of range for rank N", DESC, problem.rank, problem.axis)
    if any(extent < 0 for extent in problem.shape):
        return status(INVALID, "shape dims must be non-negative", DESC, 0, min(problem.shape))
    if family in WITH_AXIS and problem.rank > 8:
        return status(UNSUPPORTED, "tensor rank > 8 not supported", DESC, 8, problem.rank)
    if problem.op not in OPS or spec.OPS[OPS[problem.op]][1] != family:
        return status(UNSUPPORTED, "not wired today", DESC, len(OPS), problem.op)
    return None


class Call:
    """A call whose descriptor is good. Each of its questions is answered by a status, or by None."""

    def __init__(self, problem, views):
        self.problem, self.views = problem, views

    def refuse(self, code, name, words, needed, got):
        return status(code, name + words, DY + OPERANDS.index(name), needed, got)

    def shape(self, name):
        wanted = dy_shape(self.problem) if name in ("dy", "y") else list(self.problem.shape)
        for want, got in zip(wanted, self.views[name][2]):
            if want != got:
                return self.refuse(INVALID, name, " shape mismatch", want, got)
        return None

    def contiguous(self, name):
        step = 1 if all(self.views[name][2]) else 0
        for extent, stride in zip(reversed(self.views[name][2]), reversed(self.views[name][3])):
            if step and extent > 1 and stride != step:
                return self.refuse(UNSUPPORTED, name, " must be contiguous", step, stride)
            step *= extent
        return None

    def lengths(self, *names):
        """Together: each as many as the last has cells; what there is, is the least."""
        needed = math.prod(self.views[names[-1]][2])
        least = min(names, key=lambda name: self.views[name][4])
        got = self.views[least][4]
        return self.refuse(TOO_SMALL, least, " is too short", needed, got) if got < needed else None

    def present(self, name):
        return None if name in self.views else self.refuse(INVALID, name, " is required", 1, 0)

    def saves(self):
        needed = spec.OPS[OPS[self.problem.op]][2].split()
        return [name for name in needed if name != "dy"]

    def first(self, question, names):
        return next(filter(None, map(question, names)), None)


def check_reduce(call):
    saves = call.saves()
    return (
        call.first(call.shape, ("dx", "dy"))
        or call.first(call.contiguous, ("dy", "dx"))
        or call.first(call.lengths, ("dx", "dy"))
        or call.first(call.present, saves)
        or call.first(call.shape, saves)
        or call.first(call.contiguous, saves)
        or call.first(call.lengths, saves)
    )


def check_scan(call):
    def save(name):
        return call.present(name) or call.shape(name) or call.lengths(name)

    return call.first(call.shape, ("dy", "dx")) or call.lengths("dy", "dx") or call.first(save, call.saves())


def check_binary(call):
    saves = call.saves()
    return (
        call.first(call.shape, ("dy", "da", "db"))
        or call.first(call.contiguous, ("dy", "da", "db"))
        or call.first(call.present, saves)
        or call.first(call.shape, saves)
        or call.first(call.contiguous, saves)
        or call.first(call.lengths, saves)
        or call.lengths("da", "db", "dy")
    )


def check_softmax(call):
    return call.first(call.shape, ("dy", "y", "dx")) or call.lengths("dy", "y", "dx")


CHECKS = {"reduce": check_reduce, "scan": check_scan, "softmax": check_softmax}


def can_implement(problem, views):
    return CHECKS.get(plan_of(problem), check_binary)(Call(problem, views))
