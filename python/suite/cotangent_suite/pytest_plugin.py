"""pytest: a gradient as one test a case.

::

    @pytest.mark.cotangent("softmax", level="bound")
    def test_softmax(dy, y, axis):
        return y * (dy - (y * dy).sum(axis, keepdims=True))

makes a test of every case's id, to be selected by -k. The mark takes what ``cotangent_suite.check`` takes. A failure
that a file of waivers names (``waivers=``, or --cotangent-waivers) is an xfail. A method of a class may have the mark;
its cases share one instance. Fixtures and setup methods are not run: what would need them is refused.
"""

import inspect
from typing import Any, Dict, List, Optional, Tuple

import pytest

from . import autograd
from .checks import Session, level_letter
from .port import TAKEN_BY_NAME
from .report import Report
from .table import Inputs, cases, known_op

TAKEN = ("level", "range", "dtypes", "convention", "library", "seed", "waivers", "timeout", "function")


def pytest_addoption(parser: Any) -> None:
    group = parser.getgroup("cotangent", "gradients judged by cotangent_suite")
    group.addoption("--cotangent-level", metavar="LEVEL", help="edges, bound, stable, invariant or bits, for all marks")
    group.addoption("--cotangent-range", metavar="RANGE", help="brief, quick or full, for all marks")
    group.addoption("--cotangent-waivers", metavar="FILE", help="failures that are known, as of cotangent check")


def pytest_configure(config: Any) -> None:
    config.addinivalue_line(
        "markers", "cotangent(op, level=, range=, ...): the test is a gradient, judged case by case"
    )


def _settings(mark: Any, config: Any) -> Dict[str, Any]:
    if len(mark.args) != 1:
        raise pytest.UsageError('cotangent: expected one op, as in @pytest.mark.cotangent("softmax")')
    unknown = [name for name in mark.kwargs if name not in TAKEN]
    if unknown:
        raise pytest.UsageError(f"cotangent: {unknown[0]}: expected {', '.join(TAKEN)}")
    settings: Dict[str, Any] = {
        "level": "bound",
        "range": "brief",
        "dtypes": ("f32",),
        "convention": "spec",
        "library": None,
    }
    settings.update({"seed": None, "waivers": None, "timeout": 60, "function": None})
    settings.update(mark.kwargs)
    for name in ("level", "range", "waivers"):
        settings[name] = config.getoption(f"--cotangent-{name}") or settings[name]
    return settings


@pytest.hookimpl(tryfirst=True)
def pytest_pycollect_makeitem(collector: Any, name: str, obj: Any) -> Optional[Any]:
    marks = [mark for mark in getattr(obj, "pytestmark", []) if mark.name == "cotangent"]
    if not marks or (not inspect.isclass(obj) and not collector.funcnamefilter(name)):
        return None
    function = getattr(collector.obj(), name) if isinstance(collector, pytest.Class) else obj
    return GradientTests.from_parent(collector, name=name, function=function, mark=marks[-1])


def pytest_itemcollected(item: Any) -> None:
    if item.get_closest_marker("cotangent") and not isinstance(item, GradientTest):
        raise pytest.UsageError(
            f"cotangent: {item.nodeid}: the mark is for functions and for methods of plain classes, not for modules, "
            "classes or unittest.TestCase"
        )


def _refuse_unmet(function: Any) -> None:
    """What pytest does for a test of its own and nobody does here."""
    if inspect.isclass(function):
        raise ValueError(f"{function.__name__}: the mark is for functions and methods, not for a class")
    owner = getattr(function, "__self__", None)
    for name in ("setup_class", "setup_method", "teardown_method", "teardown_class"):
        if hasattr(owner, name):
            raise ValueError(f"{type(owner).__name__}.{name} is not called for cases: prepare in the method itself")
    for name, parameter in inspect.signature(function).parameters.items():
        required = parameter.default is parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        if required and name not in TAKEN_BY_NAME:
            raise ValueError(f"{name}: fixtures are not run for cases; expected some of {', '.join(TAKEN_BY_NAME)}")


class GradientTests(pytest.Collector):
    """The tests of one marked function."""

    def __init__(self, function: Any, mark: Any, **keywords: Any):
        super().__init__(**keywords)
        self.settings = _settings(mark, self.config)
        self.op, self.function = mark.args[0], self.settings["function"] or function
        self.own_markers.extend(other for other in function.pytestmark if other.name != "cotangent")
        self.session_of: Optional[Session] = None

    def collect(self) -> List[Any]:
        try:
            letter = level_letter(self.settings["level"])
            ids = cases(self.op, *(self.settings[name] for name in ("dtypes", "range", "convention", "seed")))
            if not self.settings["function"]:
                _refuse_unmet(self.function)
            self.adapted, library = autograd.adapt(self.function, known_op(self.op))
            if isinstance(self.adapted, autograd.Forward):
                autograd.refuse_unmet(letter, self.settings["waivers"])
        except (ValueError, TypeError) as error:
            raise self.CollectError(str(error)) from None
        self.library = self.settings["library"] or library or "numpy"
        return [GradientTest.from_parent(self, name=f"{self.name}[{case}]", case=case) for case in ids]

    def judge(self, case: str) -> Report:
        if isinstance(self.adapted, autograd.Forward):
            return autograd.judge_all({self.op: self.adapted}, [case])
        if self.session_of is None:
            self.session_of = Session({self.op: self.adapted}, self.settings["level"], self.library)
            self.session_of.__enter__()
            self.session.config.add_cleanup(self.session_of.__exit__)
        return self.session_of.run([case], self.settings["waivers"], self.settings["timeout"])


class GradientFailed(Exception):
    """A case is wrong; the report says how."""


class GradientTest(pytest.Item):
    """One case."""

    def __init__(self, case: str, **keywords: Any):
        super().__init__(**keywords)
        self.case = case

    def runtest(self) -> None:
        assert isinstance(self.parent, GradientTests)
        report = self.parent.judge(self.case)
        if report.data["totals"].get("waived"):
            pytest.xfail("a waiver names it")
        if report.not_done and not report.cases:
            pytest.skip(report.not_done[0]["why"])
        if not report:
            raise GradientFailed(str(report))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, GradientFailed):
            return str(excinfo.value)
        return super().repr_failure(excinfo)

    def reportinfo(self) -> Tuple[Any, Optional[int], str]:
        return self.path, None, self.name


def strategy(op: str, **selection: Any) -> Any:
    """A strategy of Hypothesis: inputs of the suite's cases, of every generator of numbers.

    ``selection`` is that of ``cases``. Seeds are drawn too, so that numbers are new in each example.
    """
    from hypothesis import strategies

    ids = cases(op, **selection)

    def with_seed(case: str, seed: int) -> Inputs:
        head, _, keys = case.partition(",")
        return Inputs(f"{head.rsplit('/', 1)[0]}/{seed}{',' if keys else ''}{keys}")

    return strategies.builds(with_seed, strategies.sampled_from(ids), strategies.integers(1, 2**31 - 1))
