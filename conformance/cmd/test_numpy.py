"""run on files that NumPy writes, and NumPy on the files that run writes. Inputs: seed 1.

usage: test_numpy.py COTANGENT
"""

import os
import subprocess
import sys
import tempfile

import numpy as np
from numpy.lib import format as npy

cotangent = sys.argv[1]
random = np.random.default_rng(1)


def save(name, array, version):
    with open(name, "wb") as file:
        npy.write_array(file, array, version=version)


def check_mul(dtype, order, shape, version):
    dy, a, b = (np.array(random.standard_normal(shape).astype(dtype), order=order) for _ in range(3))
    for name, array in (("dy", dy), ("a", a), ("b", b)):
        save(name, array, version)
    subprocess.check_call([cotangent, "run", "mul", "--dy", "dy", "--a", "a", "--b", "b", "--da", "da", "--db", "db"])
    native = np.dtype(dtype).newbyteorder("=")
    compute = np.float64 if native == np.float64 else np.float32
    for name, other in (("da", b), ("db", a)):
        wanted = (dy.astype(compute) * other.astype(compute)).astype(native)
        got = np.load(name)
        assert got.dtype == native and got.shape == shape, (name, got.dtype, got.shape)
        assert np.array_equal(got, wanted), (name, dtype, order, shape, version)


def check_softmax(axis):
    x, dy = random.standard_normal((2, 5, 7)), random.standard_normal((2, 5, 7))
    np.save("x.npy", np.asfortranarray(x))
    np.save("dy.npy", dy)
    subprocess.check_call(
        [cotangent, "run", "softmax", "--x", "x.npy", "--dy", "dy.npy", "--dx", "dx.npy", "--axis", str(axis)]
    )
    y = np.exp(x) / np.exp(x).sum(axis, keepdims=True)
    assert np.allclose(np.load("dx.npy"), y * (dy - (y * dy).sum(axis, keepdims=True)), rtol=1e-13, atol=1e-14)


def check_refused(array):
    np.save("odd.npy", array, allow_pickle=True)
    tried = subprocess.run(
        [cotangent, "run", "cumsum", "--dy", "odd.npy", "--dx", "never"], capture_output=True, text=True
    )
    assert tried.returncode == 2 and tried.stderr.startswith("cotangent: odd.npy (--dy): "), tried
    assert not os.path.exists("never")


with tempfile.TemporaryDirectory() as work:
    os.chdir(work)
    for kind in ("<f2", "<f4", "<f8", ">f2", ">f4", ">f8"):
        for layout in "CF":
            for extents in ((6,), (2, 3), (3, 0, 2), (1, 2, 1, 2, 1, 2, 1, 2)):
                for number in ((1, 0), (2, 0), (3, 0)):
                    check_mul(kind, layout, extents, number)
    for along in (0, 1, 2, -1, -2, -3):
        check_softmax(along)
    for odd in (
        np.float32(1),
        np.zeros(3, "i4"),
        np.zeros(3, "c8"),
        np.zeros(3, "f4,f4"),
        np.array([None, {}]),
        np.zeros((1,) * 9),
        np.array(["text"]),
        np.zeros(3, "M8[s]"),
        np.zeros(3, bool),
    ):
        check_refused(odd)
