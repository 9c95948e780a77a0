"""What everybody writes first in Triton, on the software device with all checkers, against NumPy in double."""

import unittest

import numpy as np

import softgpu


class Tutorial(unittest.TestCase):
    def setUp(self):
        try:
            import fixture_tutorial

            from softgpu import triton
        except ImportError as error:
            self.skipTest(str(error))
        self.kernels, self.run_kernel = fixture_tutorial, triton.run
        self.random = np.random.default_rng(1)

    def normal(self, *shape):
        return self.random.standard_normal(shape, np.float32)

    def clean(self, kernel, grid, *arguments, **meta):
        """A launch of one of the kernels in which no checker finds anything wrong."""
        launch = self.run_kernel(getattr(self.kernels, kernel), grid, *arguments, **meta)
        self.assertTrue(launch, launch)
        self.assertEqual(launch.kernel, kernel)
        return launch

    def near(self, got, want, ulps=8):
        """Within a few units in the last place of the largest number."""
        self.assertLessEqual(np.abs(got - want).max(), ulps * 2.0**-24 * np.abs(want).max())

    def test_vector_add(self):
        x, y, out = self.normal(1000), self.normal(1000), softgpu.empty(1000)
        self.clean("vector_add", (4,), x, y, out, 1000, BLOCK=256)
        self.assertEqual(out.tolist(), (x + y).tolist())

    def test_softmax(self):
        x = self.normal(7, 200)
        y = np.full_like(x, np.nan)
        self.clean("softmax", (3,), x, y, 7, 190, 200, BLOCK=256)
        powers = np.exp(x[:, :190].astype(np.float64))
        self.near(y[:, :190], powers / powers.sum(1, keepdims=True))
        self.assertTrue(np.isnan(y[:, 190:]).all())

    def test_layer_norm(self):
        rows, columns, epsilon = 6, 200, 1e-5
        x, weight, bias = self.normal(rows, columns), self.normal(columns), self.normal(columns)
        y, means, scales = softgpu.empty((rows, columns)), softgpu.empty(rows), softgpu.empty(rows)
        self.clean("layer_norm", (rows,), x, y, weight, bias, means, scales, columns, epsilon, BLOCK=64)
        wide = x.astype(np.float64)
        scale = 1 / np.sqrt(wide.var(1, keepdims=True) + epsilon)
        normal = (wide - wide.mean(1, keepdims=True)) * scale
        self.near(y, normal * weight + bias)

        dy, dx = self.normal(rows, columns), softgpu.empty((rows, columns))
        weight_parts, bias_parts, locks = np.zeros((2, columns), "f"), np.zeros((2, columns), "f"), np.zeros(2, "i")
        shared = (weight_parts, bias_parts, locks, 2, columns)
        self.clean("layer_norm_backward", (rows,), dx, dy, x, weight, means, scales, *shared, BLOCK=256)
        weighted = dy.astype(np.float64) * weight
        along = normal * (weighted * normal).mean(1, keepdims=True)
        self.near(dx, (weighted - along - weighted.mean(1, keepdims=True)) * scale)
        for parts, want in ((weight_parts, (dy * normal).sum(0)), (bias_parts, dy.sum(0, dtype=np.float64))):
            total = softgpu.empty(columns)
            self.clean("sum_rows", (2,), parts, total, 2, columns, ROWS=4, BLOCK=128)
            self.near(total, want)

    def test_matmul(self):
        m, n, k = 70, 50, 90
        a, b = self.normal(m, k).astype(np.float16), self.normal(k, n).astype(np.float16)
        c = softgpu.empty((m, n))
        launch = self.clean("matmul", (10,), a, b, c, m, n, k, M=16, N=32, K=32, GROUP=2)
        self.assertGreater(launch.counters["classes"]["matrix"]["warp"], 0)
        self.near(c, a.astype(np.float64) @ b.astype(np.float64))


if __name__ == "__main__":
    unittest.main()
