"""Tests of the package on arrays of several libraries; what is not installed is skipped."""

import doctest
import importlib
import subprocess
import sys
import tempfile
import types
import unittest
import unittest.mock
from pathlib import Path

import cotangent_suite as cs
import numpy as np
from cotangent_suite import autograd
from cotangent_suite.checks import Session
from cotangent_suite.verdict import picture

RNG = np.random.default_rng(1)


def softmax_case(dtype=np.float32):
    x = RNG.standard_normal((5, 37)).astype(dtype)
    y = np.exp(x) / np.exp(x).sum(-1, keepdims=True)
    dy = RNG.standard_normal((5, 37)).astype(dtype)
    return dy, y, y * (dy - (y * dy).sum(-1, keepdims=True))


def load_tests(loader, tests, _pattern):
    for name in (
        "cotangent_suite",
        *(f"cotangent_suite.{part}" for part in ("program", "arrays", "calls", "checks", "table", "verdict")),
    ):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(name), optionflags=doctest.ELLIPSIS))
    return tests


class Judge(unittest.TestCase):
    def test_right(self):
        dy, y, dx = softmax_case()
        verdict = cs.judge("softmax", dy=dy, y=y, dx=dx)
        self.assertTrue(verdict)
        self.assertEqual((verdict.cells, verdict.wrong, verdict.clause, verdict.hints), (185, 0, None, []))
        self.assertLessEqual(verdict.worst, 1)
        self.assertNotIn("<svg", verdict._repr_html_())

    def test_wrong_has_its_cells(self):
        dy, y, dx = softmax_case()
        dx[2, 7] += 1
        dx[4, 36] = np.nan
        verdict = cs.judge("softmax", dy=dy, y=y, dx=dx)
        self.assertFalse(verdict)
        self.assertEqual([*zip(*np.nonzero(verdict.wrong_cells("dx")))], [(2, 7), (4, 36)])
        self.assertEqual(verdict.clause, "SOFTMAX")
        self.assertEqual(verdict._repr_html_().count("<rect"), 3)
        self.assertIn("dx: 2 of 185 cells are wrong", verdict._repr_html_())
        self.assertTrue(str(verdict).startswith("WRONG: 2 of 185"))

    def test_convention(self):
        x, dy = np.ones((1, 4), np.float32), np.ones((1, 1), np.float32)
        half = np.full((1, 4), 0.25, np.float32)
        self.assertTrue(cs.judge("max", dy=dy, x=x, dx=half, convention="torch"))
        self.assertFalse(cs.judge("max", dy=dy, x=x, dx=half))

    def test_repeats_from_files(self):
        dy, y, _ = softmax_case()
        verdict = cs.judge("softmax", dy=dy, y=y, dx=y * dy)
        with tempfile.TemporaryDirectory() as directory:
            words = verdict.save(directory).replace("cotangent", cs.program.find(), 1)
            again = subprocess.run(words, shell=True, cwd=directory, stdout=subprocess.PIPE, text=True)
        self.assertEqual((again.returncode, again.stdout.rstrip("\n")), (1, str(verdict)))

    def test_layouts(self):
        dy, y, dx = softmax_case()
        self.assertTrue(cs.judge("softmax", dy=dy.T, y=y.T, dx=np.asfortranarray(dx.T), axis=0))

    def test_what_is_refused(self):
        dy, y, dx = softmax_case()
        refused = [
            (ValueError, "dx", dict(dy=dy, y=y)),
            (ValueError, r"\(5, 37\)", dict(dy=dy, y=y, dx=dx[:, 1:])),
            (ValueError, "--axis 2: expected -2 to 1", dict(dy=dy, y=y, dx=dx, axis=2)),
            (ValueError, "tensorflow", dict(dy=dy, y=y, dx=dx, convention="tensorflow")),
            (TypeError, "dx: f64, expected f32 as in dy", dict(dy=dy, y=y, dx=dx.astype(np.float64))),
            (TypeError, "dx: list", dict(dy=dy, y=y, dx=dx.tolist())),
            (ValueError, "dy: 0 dimensions", dict(dy=np.float32(1), y=y, dx=dx)),
        ]
        for error, words, given in refused:
            with self.assertRaisesRegex(error, words) as caught:
                cs.judge("softmax", **given)
            self.assertNotIn("/cotangent-", str(caught.exception))


class Memory(unittest.TestCase):
    def memory(self, rows, share):
        """Of a verdict, over that of its operands; says what it took."""
        words = [sys.executable, "-B", Path(__file__).parent / "fixture_memory.py", str(rows), str(share)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
        ratio, seconds = map(float, done.stdout.split())
        print(f"# judge, {rows} x 4096 f32: memory {ratio:.2f} times the operands, {seconds:.1f} s of a core")
        return ratio

    def test_memory_of_many_wrong_cells(self):
        self.assertLess(self.memory(512, 0.4), 4)

    def test_memory_of_a_large_result(self):
        self.assertLess(self.memory(4096, 0), 4)


class Gradient(unittest.TestCase):
    def test_every_type_is_judged_right(self):
        for dtype in (np.float16, np.float32, np.float64):
            dy, y, _ = softmax_case(dtype)
            dx = cs.gradient("softmax", dy=dy, y=y)
            self.assertEqual((dx.dtype, dx.shape), (dtype, dy.shape))
            self.assertTrue(cs.judge("softmax", dy=dy, y=y, dx=dx))

    def test_shape_from_x(self):
        dx = cs.gradient("mean", dy=np.ones((2, 1)), x=np.zeros((2, 4)))
        self.assertEqual(dx.tolist(), [[0.25] * 4] * 2)


def softmax_gradient(dy, y, axis):
    return y * (dy - (y * dy).sum(axis, keepdims=True))


def softmax_gradient_torch(dy, y, dim):
    wide = y.float() * dy.float()
    return (y.float() * (dy.float() - wide.sum(dim, keepdim=True))).to(y.dtype)


class Check(unittest.TestCase):
    def test_every_layout_and_alias(self):
        ids = cs.cases("softmax", range="quick")[:60]
        self.assertTrue(any("alias" in case for case in ids) and any("/broadcast/" in case for case in ids))
        with Session({"softmax": softmax_gradient}, "bound", "numpy") as session:
            report = session.run(ids)
        self.assertTrue(report, report)
        self.assertEqual((report.cases, report.not_done), (60, []))

    def test_wrong(self):
        report = cs.check({"softmax": lambda dy, y: y * dy})
        self.assertFalse(report)
        self.assertEqual({failure["clause"] for failure in report.failures} & {"SOFTMAX"}, {"SOFTMAX"})
        self.assertIn("FAILED softmax/f32/", str(report))
        self.assertIn("FAILED softmax/f32/", report._repr_html_())

    def test_convention(self):
        def split_ties(dy, x, y, axis):
            shares = dy / (x == y).sum(axis, keepdims=True)
            with np.errstate(invalid="ignore"):
                return np.where(np.isnan(y), np.nan, np.where(x == y, shares, dy * 0)).astype(x.dtype)

        self.assertTrue(cs.check(split_ties, op="max", convention="torch"))
        self.assertFalse(cs.check(split_ties, op="max"))

    def test_what_a_function_raises(self):
        report = cs.check(lambda dy, y: dy.no_such_thing, op="softmax")
        self.assertFalse(report)
        self.assertIn("AttributeError", report.failures[0]["why"])
        self.assertIn("no_such_thing", str(report))

    def test_wrong_shape(self):
        report = cs.check(lambda dy: dy[..., :0], op="cumsum")
        self.assertIn("expected f32 of shape", report.failures[0]["why"])

    def test_bits_are_claimed_and_judged(self):
        self.assertTrue(cs.check(lambda dy, a, b: (dy * b, dy * a), op="mul", level="bits"))
        self.assertTrue(cs.check(softmax_gradient, op="softmax", level="bound"))
        self.assertFalse(cs.check(softmax_gradient, op="softmax", level="bits"))

    def test_function_with_its_derivative(self):
        def differentiate(operands, dy, rest):
            return operands[0] * operands[1], (dy * operands[1], dy * operands[0] * self.factor)

        product = autograd.Forward("numpy", differentiate, binary=True)
        self.factor = np.float32(1)
        report = cs.check(product, op="mul")
        self.assertTrue(report, report)
        self.factor = np.float32(2)
        self.assertIn("MUL", {failure["clause"] for failure in cs.check(product, op="mul").failures})
        refused = [
            ('expected "bound"', product, dict(op="mul", level="bits")),
            ("waivers: not for", product, dict(op="mul", waivers="known")),
            ("expected one kind", {"mul": product, "softmax": softmax_gradient}, dict()),
            ('library "torch": the function is one of numpy', product, dict(op="mul", library="torch")),
        ]
        for words, what, given in refused:
            with self.assertRaisesRegex(ValueError, words):
                cs.check(what, **given)

    def test_what_is_refused(self):
        refused = [
            ("did you mean", dict(op="softmux")),
            ("expected the name", dict()),
            ("expected edges, bound", dict(op="softmax", level="perfect")),
            ("expected brief, quick or full", dict(op="softmax", range="some")),
            ("expected numpy, torch", dict(op="softmax", library="matlab")),
        ]
        for words, given in refused:
            with self.assertRaisesRegex(ValueError, words):
                cs.check(softmax_gradient, **given)


class OnDevice:
    """An array in a GPU's memory, as DLPack shows one: it is copied to the host where it is asked to."""

    def __init__(self, array, comes_back=True):
        self.array, self.comes_back = array, comes_back

    def __dlpack_device__(self):
        return 2, 0

    def __dlpack__(self, dl_device=None, **options):
        if dl_device != (1, 0) or not self.comes_back:
            raise BufferError("no way back")
        return self.array.__dlpack__()


class Libraries(unittest.TestCase):
    def library(self, name):
        try:
            return importlib.import_module(name)
        except ImportError:
            self.skipTest(f"no {name}")

    def test_ml_dtypes(self):
        bfloat16 = self.library("ml_dtypes").bfloat16
        dy = RNG.standard_normal((3, 9)).astype(bfloat16)
        dx = cs.gradient("cumsum", dy=dy)
        self.assertEqual(dx.dtype, bfloat16)
        self.assertTrue(cs.judge("cumsum", dy=dy, dx=dx))
        dx[1, 1] = 99
        self.assertEqual(np.flatnonzero(cs.judge("cumsum", dy=dy, dx=dx).wrong_cells("dx")).tolist(), [10])

    def test_torch(self):
        torch = self.library("torch")
        for dtype in (torch.float32, torch.bfloat16):
            x = torch.randn(5, 37).to(dtype).requires_grad_()
            y = torch.softmax(x, -1)
            dy = torch.randn(5, 37).to(dtype)
            (dx,) = torch.autograd.grad(y, x, dy)
            self.assertTrue(cs.judge("softmax", dy=dy, y=y, dx=dx))

    def test_jax(self):
        jax = self.library("jax")
        dy = jax.numpy.ones((2, 3), jax.numpy.bfloat16)
        self.assertTrue(cs.judge("add", dy=dy, da=dy, db=dy))

    def test_torch_functions(self):
        torch = self.library("torch")
        report = cs.check(softmax_gradient_torch, op="softmax", dtypes=("f32", "bf16"), library="torch")
        self.assertTrue(report, report)
        self.assertEqual({row["dtype"] for row in report.data["rows"] if row["cases"]}, {"f32", "bf16"})
        dx = cs.gradient("cumsum", dy=torch.ones(3, dtype=torch.bfloat16))
        self.assertEqual((dx.dtype, dx.tolist()), (torch.bfloat16, [3, 2, 1]))

    def test_autograd_function(self):
        torch = self.library("torch")

        class Softmax(torch.autograd.Function):
            keeps = True

            @classmethod
            def forward(cls, ctx, x, axis):
                y = torch.softmax(x, axis)
                ctx.save_for_backward(y)
                ctx.axis = axis
                return y

            @classmethod
            def backward(cls, ctx, dy):
                (y,) = ctx.saved_tensors
                dots = (y * dy).sum(ctx.axis, keepdim=True)
                return (y * (dy - dots) if cls.keeps else y * dy), None

        self.assertTrue(cs.check(Softmax, op="softmax"))
        Softmax.keeps = False
        report = cs.check(Softmax, op="softmax")
        self.assertFalse(report)
        self.assertEqual(report.failures[0]["clause"], "SOFTMAX")

    def test_custom_vjp(self):
        jax = self.library("jax")

        def make(right):
            @jax.custom_vjp
            def product(a, b):
                return a * b

            product.defvjp(lambda a, b: (a * b, (a, b)), lambda kept, g: (g * kept[right], g * kept[1 - right]))
            return product

        right, wrong = (cs.check(make(which), op="mul") for which in (1, 0))
        numbers = {failure["id"].split("/")[5] for failure in right.failures}
        self.assertLessEqual(numbers, {"exponents", "subnormal"})  # XLA takes subnormals for zeros
        self.assertIn("MUL", {failure["clause"] for failure in wrong.failures})
        self.assertIn("uniform", {failure["id"].split("/")[5] for failure in wrong.failures})

    def test_dlpack_alone(self):
        class Only:
            def __init__(self, array):
                self.array = array

            def __dlpack__(self, **options):
                return self.array.__dlpack__(**options)

            def __dlpack_device__(self):
                return self.array.__dlpack_device__()

        dy = np.ones(3, np.float32)
        self.assertEqual(cs.gradient("cumsum", dy=Only(dy)).tolist(), [3, 2, 1])

    def test_dlpack_of_a_device(self):
        dy = np.ones(3, np.float32)
        with self.assertRaisesRegex(TypeError, "dy: OnDevice on a device .*expected a copy on the host"):
            cs.gradient("cumsum", dy=OnDevice(dy, comes_back=False))
        if np.lib.NumpyVersion(np.__version__) < "2.1.0":
            self.skipTest(f"NumPy {np.__version__} asks no device for a copy")
        self.assertEqual(cs.gradient("cumsum", dy=OnDevice(dy)).tolist(), [3, 2, 1])

    def test_cupy_arrays_come_back_in_kind(self):
        cupy = types.ModuleType("cupy")
        cupy.ndarray = type("ndarray", (), {"__module__": "cupy", "get": lambda array: array.held})

        def asarray(held):
            made = cupy.ndarray()
            made.held = held
            return made

        cupy.asarray = asarray
        with unittest.mock.patch.dict(sys.modules, cupy=cupy):
            dx = cs.gradient("cumsum", dy=asarray(np.ones(3, np.float32)))
            self.assertEqual((type(dx), dx.get().tolist()), (cupy.ndarray, [3, 2, 1]))


class Picture(unittest.TestCase):
    def test_large_ones_stay_small(self):
        marks = np.zeros((1000, 1000), bool)
        marks[999, 999] = True
        drawn = picture("dx", marks)
        self.assertEqual(drawn.count("<rect"), 2)
        self.assertIn('width="252"', drawn)


if __name__ == "__main__":
    unittest.main()
