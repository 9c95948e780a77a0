"""Tests of the package softgpu; of what compiles for it, only where that is installed."""

import doctest
import importlib
import importlib.util
import inspect
import subprocess
import sys
import unittest
from pathlib import Path

import numpy as np

import softgpu
from softgpu import program

HEAD = ".version 7.0 .target sm_80 .address_size 64 "
DOUBLE = (
    HEAD + ".visible .entry double(.param .u64 p, .param .u32 n) { .reg .u64 %a, %o; .reg .u32 %t, %n; .reg .pred %q; "
    ".reg .f32 %f; mov.u32 %t, %tid.x; ld.param.u32 %n, [n]; setp.ge.u32 %q, %t, %n; @%q ret; ld.param.u64 %a, [p]; "
    "mul.wide.u32 %o, %t, 4; add.u64 %a, %a, %o; ld.global.f32 %f, [%a]; add.f32 %f, %f, %f; st.global.f32 [%a], %f; "
    "ret; }"
)


def load_tests(loader, tests, _pattern):
    for part in ("", ".arrays", ".kernel", ".program", ".report", ".driver"):
        tests.addTests(doctest.DocTestSuite(importlib.import_module(f"softgpu{part}"), optionflags=doctest.ELLIPSIS))
    return tests


class Device(unittest.TestCase):
    def setUp(self):
        self.double = softgpu.load(DOUBLE).kernel("double")

    def test_arrays_change_in_place(self):
        x = np.arange(8, dtype=np.float32)
        launch = self.double(1, 8, x, 8)
        self.assertTrue(launch)
        self.assertEqual(x.tolist(), [0, 2, 4, 6, 8, 10, 12, 14])
        self.assertEqual(launch.counters["threads"], 8)

    def test_views_share_memory(self):
        whole = np.arange(8, dtype=np.float32)
        self.double(1, 4, whole[4:], 4)
        self.assertEqual(whole.tolist(), [0, 1, 2, 3, 8, 10, 12, 14])

    def test_fault_names_its_place_and_the_device_lives_on(self):
        x = np.zeros(4, np.float32)
        with self.assertRaisesRegex(softgpu.SoftgpuError, "invalid load of 4 bytes"):
            self.double(1, 8, x, 8)
        self.assertTrue(self.double(1, 4, x, 4))

    def test_unwritten_cells_are_reported_once(self):
        x = softgpu.empty(4)
        self.assertEqual({finding.check for finding in self.double(1, 4, x, 4).findings}, {"initcheck"})
        self.assertTrue(self.double(1, 4, x, 4))

    def test_what_the_host_wrote_is_sent(self):
        whole, part, nothing = (softgpu.empty(4) for _ in range(3))
        whole[:] = 3
        part[1:3] = 3
        self.assertTrue(self.double(1, 4, whole, 4))
        self.assertEqual(whole.tolist(), [6] * 4)
        self.double(1, 4, part, 4)
        self.assertEqual(part[1:3].tolist(), [6, 6])
        self.assertFalse(self.double(1, 4, nothing, 4))

    def test_what_is_derived_from_results_is_sent(self):
        results = softgpu.empty(4)
        results[:] = 1
        self.double(1, 4, results, 4)
        derived = [results + 1, results.copy(), results.reshape(2, 2), results[1:], np.sqrt(results), abs(results)]
        for array in derived:
            twice = 2 * array
            launch = self.double(1, array.size, array, array.size)
            self.assertTrue(launch, launch)
            self.assertEqual(array.tolist(), twice.tolist())

    def test_views_of_what_nobody_wrote_are_unwritten(self):
        whole = softgpu.empty((2, 4))
        self.assertEqual(len(self.double(1, 4, whole[1], 4).found("initcheck")), 1)
        self.assertTrue(self.double(1, 4, whole[1], 4))

    def test_after_a_fault_it_is_still_unwritten(self):
        x = softgpu.empty(4)
        with self.assertRaises(softgpu.SoftgpuError):
            self.double(1, 8, x, 8)
        self.assertFalse(self.double(1, 4, x, 4))

    def test_empty_of_every_kind(self):
        for dtype in (np.float16, np.float64, np.int8, np.uint64, bool):
            for shape in ((), (0,), 3, (2, 3)):
                array = softgpu.empty(shape, dtype)
                self.assertEqual((array.dtype, array.shape), (dtype, np.zeros(shape).shape))
                self.assertTrue(array.base.untouched())

    def test_fixed_arrays_stay(self):
        x = np.ones(4, np.float32)
        x.flags.writeable = False
        self.double(1, 4, x, 4)
        self.assertEqual(x.tolist(), [1] * 4)

    def test_what_is_refused(self):
        x = np.zeros(4, np.float32)
        refused = [
            (ValueError, "1 to 3 extents", lambda: self.double((1, 1, 1, 1), 4, x, 4)),
            (ValueError, 'checks "speed"', lambda: self.double(1, 4, x, 4, checks="speed")),
            (TypeError, "expected an array", lambda: self.double(1, 4, [1.0], 4)),
            (softgpu.SoftgpuError, "NOT_FOUND", lambda: softgpu.load(DOUBLE).kernel("triple")),
        ]
        for error, words, call in refused:
            with self.assertRaisesRegex(error, words):
                call()


def line_of(kernel, mark):
    lines, first = inspect.getsourcelines(kernel.fn)
    return first + next(index for index, line in enumerate(lines) if mark in line)


class Triton(unittest.TestCase):
    def setUp(self):
        try:
            import fixture_triton

            from softgpu import triton
        except ImportError as error:
            self.skipTest(str(error))
        self.kernels, self.triton = fixture_triton, triton
        self.x = np.arange(1000, dtype=np.float32)

    def test_right_ones_are_clean(self):
        out, total = softgpu.empty(1000), np.zeros(1, np.float32)
        self.assertTrue(self.triton.run(self.kernels.add, (4,), self.x, self.x, out, 1000, BLOCK=256))
        self.assertEqual(out.tolist(), (2 * self.x).tolist())
        launch = self.triton.run(self.kernels.sum_all, (4,), self.x, total, 1000, BLOCK=256)
        self.assertTrue(launch, launch)
        self.assertEqual((total[0], launch.counters["global_atomics"]), (self.x.sum(), 4))

    def test_race_is_at_its_line(self):
        kernel, total = self.kernels.sum_all_racing, np.zeros(1, np.float32)
        launch = self.triton.run(kernel, (4,), self.x, total, 1000, BLOCK=256)
        self.assertFalse(launch)
        errors = [finding for finding in launch.found("racecheck") if finding.severity == "error"]
        lines = {line for finding in errors for line in (finding.source_line, finding.other_source_line)}
        self.assertEqual(lines, {line_of(kernel, "# RACE")})
        self.assertEqual({finding.source for finding in errors}, {kernel.fn.__code__.co_filename})

    def test_bounds_are_at_their_line(self):
        kernel = self.kernels.copy_unmasked
        with self.assertRaisesRegex(softgpu.SoftgpuError, f"fixture_triton.py:{line_of(kernel, '# BOUNDS')}"):
            self.triton.run(kernel, (4,), self.x, softgpu.empty(1024), BLOCK=256)

    def test_unwritten_values_are_at_their_line(self):
        kernel = self.kernels.accumulate
        launch = self.triton.run(kernel, (1,), self.x, softgpu.empty(1000), 1000, BLOCK=1024)
        self.assertIn(line_of(kernel, "# UNWRITTEN"), {f.source_line for f in launch.found("initcheck")})

    def test_autotuned_tuples_and_grids_by_function(self):
        out = softgpu.empty(1000)

        def grid(meta):
            return (-(-1000 // meta["BLOCK"]),)

        self.assertTrue(self.triton.run(self.kernels.scale_tuned, grid, self.x, out, 0.5, 1000))
        self.assertEqual(out.tolist(), (self.x / 2).tolist())
        self.assertTrue(self.triton.run(self.kernels.pair, (1,), (self.x, out), out, 1000, BLOCK=1024))
        self.assertEqual(out.tolist(), (self.x / 2).tolist())

    def test_dot(self):
        a, b = (np.random.default_rng(1).integers(-8, 8, (32, 32)).astype(np.float16) for _ in range(2))
        c = softgpu.empty((32, 32))
        launch = self.triton.run(self.kernels.matmul, (1,), a, b, c, M=32, N=32, K=32, STEP=16)
        self.assertTrue(launch, launch)
        self.assertEqual(c.tolist(), (a.astype(np.float32) @ b.astype(np.float32)).tolist())
        self.assertGreater(launch.counters["classes"]["matrix"]["warp"], 0)

    def test_every_launch_of_a_program(self):
        import cotangent_suite as cs

        rows, columns = 5, 200
        dy, x = np.random.default_rng(1).standard_normal((2, rows, columns), np.float32)
        y = cs.gradient("logsumexp", dy=np.ones((rows, 1), np.float32), x=x)  # softmax's result
        kernels = (self.kernels.softmax_backward, self.kernels.softmax_backward_bf16)
        results = [softgpu.empty((rows, columns)) for _ in kernels]
        with self.triton.device(capability=75) as seen:
            for kernel, dx in zip(kernels, results):
                kernel[(rows,)](*map(self.triton.tensor, (dx, dy, y)), columns, columns, BLOCK=256)
        self.assertEqual([launch.kernel for launch in seen.launches], [kernel.__name__ for kernel in kernels])
        self.assertEqual([launch.counters["threads"] for launch in seen.launches], [rows * 128] * 2)
        self.assertTrue(seen, seen)
        right, wrong = (cs.judge("softmax", dy=dy, y=y, dx=dx) for dx in results)
        self.assertTrue(right, right)
        self.assertEqual((bool(wrong), wrong.clause), (False, "ARITH-COMPUTE"), wrong)
        self.assertTrue(np.allclose(*results, rtol=1e-2, atol=1e-2))  # what it would have passed

    def test_run_has_a_device_of_its_own(self):
        with self.triton.device() as seen:
            launch = self.triton.run(self.kernels.sum_all, (4,), self.x, np.zeros(1, np.float32), 1000, BLOCK=256)
        self.assertEqual((launch.kernel, seen.launches), ("sum_all", []))

    def test_check_leaves_arrays_alone(self):
        total = np.zeros(1, np.float32)
        self.x[3] = np.inf
        launch = self.triton.check(self.kernels.sum_all, (4,), self.x, total, 1000, BLOCK=256)
        self.assertEqual((total[0], bool(launch.found("fpcheck"))), (0, True))

    def test_check_leaves_all_arrays_alone(self):
        x, out = self.x.copy(), np.zeros(1000, np.float32)
        for first in (out, softgpu.empty(1000)):
            given = dict(out=out, n=1000, BLOCK=1024)
            launch = self.triton.check(self.kernels.pair, (1,), (x, first), **given)
            self.assertEqual((x.tolist(), out.any()), (self.x.tolist(), False))
            self.assertEqual(bool(launch), first is out, launch)
            self.triton.run(self.kernels.pair, (1,), (x, np.zeros_like(x)), **given)
            self.assertEqual(out.tolist(), x.tolist())
            out[:] = 0

    def test_check_of_arrays_that_overlap(self):
        x = np.arange(1025, dtype=np.float32)
        for source, right in ((x[:1024], False), (x[:1024].copy(), True)):
            launch = self.triton.check(self.kernels.copy_unmasked, (4,), source, x[1:], BLOCK=256)
            self.assertEqual((bool(launch), bool(launch.found("racecheck"))), (right, not right), launch)

    def test_check_of_tensors(self):
        try:
            import torch
        except ImportError as error:
            self.skipTest(str(error))
        both = torch.arange(2000, dtype=torch.float32)
        launch = self.triton.check(self.kernels.copy_unmasked, (4,), both[:1024], out=both[1:], BLOCK=256)
        self.assertTrue(launch.found("racecheck"))
        self.assertEqual(both.tolist(), list(range(2000)))

    def test_doctests(self):
        self.assertEqual(doctest.testmod(self.triton, verbose=False).failed, 0)


class Cuda(unittest.TestCase):
    def setUp(self):
        from softgpu import cuda

        try:
            cuda._nvrtc()
        except ImportError as error:
            self.skipTest(str(error))
        self.cuda = cuda

    def test_compiles_and_runs(self):
        source = (
            'extern "C" __global__ void count(int *h, int n)\n{\n    int i = threadIdx.x;\n    if (i < n)\n'
            "        STEP;\n}\n"
        )
        for step, right in (("atomicAdd(&h[i % 2], 1)", True), ("h[i % 2]++", False)):
            h = np.zeros(2, np.int32)
            launch = self.cuda.compile(source.replace("STEP", step)).kernel("count")(1, 32, h, 32)
            self.assertEqual(bool(launch), right)
            self.assertEqual(right and h.tolist(), right and [16, 16])
            self.assertEqual({finding.source_line for finding in launch.findings}, set() if right else {5})

    def test_its_words_where_it_does_not_compile(self):
        with self.assertRaisesRegex(self.cuda.CompileError, r"kernel.cu\(1\): error"):
            self.cuda.compile("__global__ void f() { nothing(); }")


class CudaPython(unittest.TestCase):
    def test_program_as_it_is(self):
        try:
            found = importlib.util.find_spec("cuda.bindings")
        except ImportError:
            found = None
        if not found:
            self.skipTest("no cuda-bindings")
        script = Path(__file__).with_name("fixture_cuda_python.py")
        words = [program.find(), "--check", "--", sys.executable, str(script)]
        done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual((done.returncode, done.stdout), (0, "right\n"))


if __name__ == "__main__":
    unittest.main()
