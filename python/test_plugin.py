"""Tests of the pytest plug-in, by pytest's own pytester."""

import pytest

pytest_plugins = ["pytester", "cotangent_suite.pytest_plugin"]  # so that NumPy is loaded once for all

RIGHT = "y * (dy - (y * dy).sum(axis, keepdims=True))"
FILE = """
import pytest

@pytest.mark.cotangent("softmax"{more})
def test_softmax(dy, y, axis):
    return {formula}
"""


@pytest.fixture
def run(pytester):
    def run_file(formula, *arguments, more=""):
        pytester.makepyfile(FILE.format(formula=formula, more=more))
        return pytester.runpytest("-p", "cotangent_suite.pytest_plugin", *arguments)

    return run_file


def test_right_ones_pass_and_are_selected(run):
    result = run(RIGHT, "-k", "uniform or nan", "-v")
    result.assert_outcomes(passed=result.parseoutcomes()["passed"])
    result.stdout.fnmatch_lines(["*test_softmax[[]softmax/f32/*/uniform/1]*PASSED*"])
    assert 2 <= result.parseoutcomes()["passed"] <= 12 and result.parseoutcomes()["deselected"] > 10


def test_wrong_ones_show_the_report(run):
    result = run("y * dy", "-k", "uniform")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*breaks SOFTMAX (level B)*"])


def test_broken_ones_show_the_exception(run):
    result = run("dy.nothing", "-k", "uniform")
    assert result.ret == 1
    result.stdout.fnmatch_lines(["*AttributeError*nothing*"])


def test_waived_ones_are_xfails(run, pytester):
    waivers = pytester.makefile(".waivers", known="softmax/* * 2999-12-31 known")
    result = run("y * dy", "-k", "uniform", "--cotangent-waivers", str(waivers))
    assert result.ret == 0 and result.parseoutcomes()["xfailed"] >= 1 and "passed" not in result.parseoutcomes()


def test_level_is_taken(run):
    assert run(RIGHT, "-k", "uniform", "--cotangent-level", "bits").ret == 1
    assert run(RIGHT, "-k", "uniform", "--cotangent-level", "bound").ret == 0


def test_range_is_taken(run):
    counts = [
        len(run(RIGHT, "--collect-only", "-q", "--cotangent-range", name).outlines) for name in ("brief", "quick")
    ]
    assert counts[1] > 5 * counts[0]


def test_wrong_names_are_errors_of_collection(run):
    result = run(RIGHT, more=", level='perfect'")
    assert result.ret != 0
    result.stdout.fnmatch_lines(["*expected edges, bound, stable, invariant or bits*"])
    assert "expected level" in str(run(RIGHT, more=", lever=1").outlines + run(RIGHT, more=", lever=1").errlines)


CLASS = """
import pytest
{head}
class {name}:
    factor = 1
{more}
    @pytest.mark.cotangent("softmax")
    def test_softmax({parameters}):
        return self.factor * {formula}
"""


def run_class(pytester, *arguments, name="TestMine", more="", parameters="self, dy, y, axis", head=""):
    pytester.makepyfile(CLASS.format(name=name, more=more, parameters=parameters, formula=RIGHT, head=head))
    return pytester.runpytest("-p", "cotangent_suite.pytest_plugin", *arguments)


def test_methods_of_classes_have_their_self(pytester):
    right = run_class(pytester, "-k", "uniform", "-v")
    right.assert_outcomes(passed=right.parseoutcomes()["passed"], deselected=right.parseoutcomes()["deselected"])
    right.stdout.fnmatch_lines(["*TestMine::test_softmax::test_softmax[[]softmax/f32/*/uniform/1]*PASSED*"])
    wrong = run_class(pytester, "-k", "uniform", more="    factor = 2")
    assert wrong.ret == 1
    wrong.stdout.fnmatch_lines(["*breaks SOFTMAX (level B)*"])


@pytest.mark.parametrize(
    "given, words",
    [
        ({"more": "    def setup_method(self): pass"}, "*TestMine.setup_method is not called for cases*"),
        ({"parameters": "self, dy, y, axis, tmp_path"}, "*tmp_path: fixtures are not run for cases*"),
        ({"head": "import unittest", "name": "Mine(unittest.TestCase)"}, "*not for modules*unittest.TestCase*"),
        ({"head": "@pytest.mark.cotangent('softmax')"}, "*the mark is for functions and methods*"),
    ],
)
def test_what_nobody_would_run_is_refused(pytester, given, words):
    result = run_class(pytester, **given)
    assert result.ret not in (0, 1)
    assert "passed" not in result.parseoutcomes()
    (result.stderr if "*not for modules" in words else result.stdout).fnmatch_lines([words])


def test_spread_over_processes(run):
    pytest.importorskip("xdist")
    result = run(RIGHT, "-k", "uniform or nan", "-n", "2")
    assert result.ret == 0 and result.parseoutcomes()["passed"] >= 2


def test_strategy_draws_cases(pytester):
    pytest.importorskip("hypothesis")
    pytester.makepyfile(
        """
import cotangent_suite as cs
from cotangent_suite.pytest_plugin import strategy
from hypothesis import given, settings

@given(strategy("cumsum", range="brief"))
@settings(max_examples=5, deadline=None)
def test_reference_is_right(case):
    dx = cs.gradient("cumsum", **case.arrays, **case.options)
    assert cs.judge("cumsum", **case.arrays, dx=dx, **case.options)
"""
    )
    pytester.runpytest("-p", "cotangent_suite.pytest_plugin").assert_outcomes(passed=1)
