"""Known cheats of generated kernels, each by its name, each caught; and right ones, which are not."""

import contextlib
import doctest
import io
import json
import re
import tempfile
import textwrap
import unittest
from pathlib import Path

import numpy as np
from cotangent_suite import child, judge, program
from cotangent_suite import grading as module

RIGHT = "y * (dy - (y * dy).sum(axis, keepdims=True))"

# How a submission cheats, and a word of why it is caught: a clause, or what the grade's error or failures say.
CHEATS = {
    "zeros": ("return np.zeros_like(y)", "SOFTMAX"),
    "constants": ("return np.full_like(y, 0.01)", "SOFTMAX"),
    "returned_inputs": ("return dy.copy()", "SOFTMAX"),
    "nan_as_wildcard": ("return np.full_like(y, np.nan)", "ARITH-NAN"),
    "one_line_right": (f"dx = {RIGHT}; dx.reshape(-1)[7:] = 0; return dx", "SOFTMAX"),
    "stale_answer": (f"return kept.setdefault(y.shape, {RIGHT})", "error/bound"),
    "one_shape_only": (f"assert y.ndim == 2 and axis == 1; return {RIGHT}", "AssertionError"),
    "small_accumulator": ("return y * (dy - small(y * dy).sum(axis, keepdims=True).astype('f'))", "ARITH-COMPUTE"),
    "no_edges": (f"return np.nan_to_num({RIGHT})", "SOFTMAX-NAN"),
    "changed_inputs": (f"dx = {RIGHT}; y[...] = 0; return dx", "changed"),
    "reads_the_answer": (
        "import cotangent_suite; return cotangent_suite.gradient('softmax', dy=dy, y=y)",
        "ModuleNotFound",
    ),
    "imports_anew": (
        "import sys; [sys.modules.pop(name) for name in [*sys.modules] if name.startswith('cotangent')]; "
        "import cotangent_suite; return cotangent_suite.gradient('softmax', dy=dy, y=y)",
        "PermissionError",
    ),
    "loads_by_path": (
        "import importlib.machinery as m; return m.SourceFileLoader('calls', PACKAGE + '/calls.py').load_module()",
        "PermissionError",
    ),
    "calls_its_parent": (
        "import os, subprocess; up = os.getppid(); "
        "further = open(f'/proc/{up}/stat').read().split(') ')[-1].split()[1]; "
        "return [subprocess.run([f'/proc/{process}/exe', 'version']) for process in (up, further)]",
        "PermissionError",
    ),
    "calls_by_shell": ("import os; os.system(COMMAND + ' version'); return dy", "PermissionError"),
    "calls_the_command": ("import subprocess; subprocess.run(['cotangent']); return dy", "FileNotFoundError"),
    "exits": ("import os; os._exit(0)", "exit"),
    "forges_an_answer": ("import os; os.write(1, b'right' * 99); return np.zeros_like(y)", "SOFTMAX"),
}
FILE = """
import numpy as np

PACKAGE, COMMAND = {package!r}, {command!r}
kept = {{}}


def small(terms):
    return terms.astype(np.float16)


def gradient(dy, y, axis):
    {body}
"""


def load_tests(loader, tests, _pattern):
    tests.addTests(doctest.DocTestSuite(part) for part in (module, child))
    return tests


def fits(value, schema):
    """Whether a value keeps to a schema, of the words that ours uses."""
    kinds = {"object": dict, "array": list, "string": str, "boolean": bool, "null": type(None)}
    kinds.update({"integer": int, "number": (int, float)})
    wanted = schema.get("type", [])
    wanted = [wanted] if isinstance(wanted, str) else wanted
    good = not wanted or any(isinstance(value, kinds[kind]) for kind in wanted)
    good = good and value == schema.get("const", value) and value in schema.get("enum", [value])
    if isinstance(value, dict) and "properties" in schema:
        known = schema["properties"]
        good = good and set(value) <= set(known) and set(schema["required"]) <= set(value)
        return good and all(fits(part, known[name]) for name, part in value.items())
    return good and all(fits(part, schema["items"]) for part in value) if isinstance(value, list) else good


class Grade(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)

    def graded(self, body, **options):
        file = Path(self.directory.name) / "kernel.py"
        places = {"package": str(Path(module.__file__).parent), "command": program.find()}
        file.write_text(FILE.format(body=body, **places))
        result = module.grade("softmax", file, **{"seed": 1, "cases": 12, **options})
        self.assertTrue(fits(result, json.loads(module.SCHEMA.read_text())), result)
        return result

    def test_right_one(self):
        result = self.graded(f"return {RIGHT}", cases=40)
        self.assertEqual((result["right"], result["score"], result["cases"]), (True, 1.0, 40), result)

    def test_same_seed_same_grade(self):
        first, again, other = (self.graded("return y * dy", seed=seed) for seed in (5, 5, 6))
        self.assertEqual(first, again)
        self.assertNotEqual(first["failures"], other["failures"])

    def test_same_words_where_it_goes_wrong(self):
        bodies = {
            "return (": "kernel.py: in open its process exited with status 1: SyntaxError",
            "raise ValueError(object())": "ValueError: <object object at 0x...>",
            "import os; os._exit(0)": "kernel.py: in run its process exited",
        }
        for body, words in bodies.items():
            first, again = (json.dumps(self.graded(body, cases=1)) for _ in range(2))
            self.assertEqual(first, again)
            self.assertIn(words, first)

    def test_seeds_are_fresh(self):
        seeds = {self.graded(f"return {RIGHT}", seed=None, cases=1)["seed"] for _ in range(2)}
        self.assertEqual(len(seeds), 2)

    def test_time_limit(self):
        result = self.graded("while True: pass", timeout=4)
        self.assertEqual((result["right"], result["score"]), (False, 0.0))
        self.assertTrue(result["timed_out"] or "no answer" in str(result))

    def test_file_that_does_not_end_to_load(self):
        result = self.graded("pass\n\n\nwhile True:\n    pass", timeout=6)
        self.assertEqual((result["right"], result["timed_out"], result["cases"]), (False, True, 0), result)
        self.assertIn("kernel.py: no answer to open", result["error"])

    def test_file_that_does_not_load(self):
        self.assertIn("SyntaxError", self.graded("return (")["error"])

    def test_prints_are_no_answers(self):
        self.assertTrue(self.graded(f"print('hello'); return {RIGHT}", cases=2)["right"])

    def test_one_result(self):
        dy, y = np.array([[1, 2, 3]], np.float32), np.array([[0.25, 0.25, 0.5]], np.float32)
        result = module.grade("softmax", inputs={"dy": dy, "y": y}, output=y * dy)
        self.assertTrue(fits(result, json.loads(module.SCHEMA.read_text())))
        self.assertEqual((result["right"], result["clauses"]), (False, {"SOFTMAX": 1}))
        self.assertEqual(result["failures"][0]["why"], str(judge("softmax", dy=dy, y=y, dx=y * dy)))

    def test_every_convention_is_in_the_schema(self):
        schema = json.loads(module.SCHEMA.read_text())
        shared = np.zeros((1, 4), np.float32)
        for convention in ("spec", "torch", "jax", "accurate"):
            given = dict(inputs={"dy": shared[:, :1], "x": shared}, output=shared, convention=convention)
            self.assertTrue(fits(module.grade("var", **given), schema), convention)

    def test_what_is_refused(self):
        for given in (dict(), dict(submission="/nowhere.py"), dict(inputs={})):
            with self.assertRaises(ValueError):
                module.grade("softmax", **given)


class Command(unittest.TestCase):
    def called(self, *words):
        printed, said = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(said):
            status = module.main(words)
        return status, printed.getvalue(), said.getvalue()

    def test_grades(self):
        with tempfile.TemporaryDirectory() as directory:
            file = Path(directory) / "kernel.py"
            example = re.search(r"```python\n(.*?)```", module.INSTRUCTIONS.read_text(), re.DOTALL).group(1)
            file.write_text(textwrap.dedent(example).replace("def gradient", "def mine"))
            status, printed, said = self.called("softmax", f"{file}:mine", "7")
            self.assertEqual((status, said, json.loads(printed)["seed"]), (0, "", 7), printed)
            file.write_text("def gradient(dy):\n    return dy\n")
            status, printed, _ = self.called("softmax", str(file))
            self.assertEqual((status, json.loads(printed)["right"]), (1, False))
            self.assertTrue(fits(json.loads(printed), json.loads(module.SCHEMA.read_text())))

    def test_wrong_usage(self):
        for words in ((), ("softmax",), ("softmax", "a.py", "seed"), ("softmax", "a.py", "1", "2")):
            self.assertEqual(self.called(*words), (2, "", f"{module.USAGE}\n"))
        status, printed, said = self.called("softmax", "/nowhere.py")
        self.assertEqual((status, printed), (2, ""))
        self.assertIn("there is no such file", said)
        self.assertIn('did you mean "softmax"', self.called("softmux", __file__)[2])

    def test_instructions(self):
        status, printed, _ = self.called("--instructions")
        self.assertEqual((status, printed), (0, module.INSTRUCTIONS.read_text()))
        schema = json.loads(module.SCHEMA.read_text())["properties"]
        named = set(re.findall(r"`(right|error|failures|seed|not_done)\b", printed))
        self.assertEqual((len(named), named - set(schema)), (5, set()))


def caught(name):
    def test(self):
        body, word = CHEATS[name]
        result = self.graded(body)
        self.assertFalse(result["right"], result)
        self.assertIn(word, json.dumps(result), result)

    return test


class Cheats(Grade):
    pass


for cheat in CHEATS:
    setattr(Cheats, f"test_{cheat}", caught(cheat))
for inherited in [name for name in dir(Grade) if name.startswith("test_")]:
    setattr(Cheats, inherited, None)

if __name__ == "__main__":
    unittest.main()
