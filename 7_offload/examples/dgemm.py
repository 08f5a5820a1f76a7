"""Multiply matrices in three styles, each with fewer copies than the previous one.

python 7_offload/examples/dgemm.py [SIZE]        (512 by default)
"""

import sys
import time
from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
dgemm = device.load_library(Path(__file__).with_name("dgemm.c")).dgemm


def plain(a, b, c):
    """Multiply plain arrays: each call copies three matrices in and three back, and waits."""
    n = len(a)
    stream.invoke(dgemm, a, b, c, n, n, n, 1.0, 0.0)


def bound(d_a, d_b, d_c):
    """Multiply arrays that are already bound: only the result is copied."""
    n = len(d_a)
    stream.invoke(dgemm, d_a, d_b, d_c, n, n, n, 1.0, 0.0)
    d_c.update_host()
    stream.sync()


def pointers(n, d_a, d_b, d_c, c):
    """Multiply as in bound, but with device memory, host addresses and numbers of bytes."""
    stream.invoke(dgemm, d_a, d_b, d_c, n, n, n, 1.0, 0.0)
    stream.transfer_device2host(d_c, c.ctypes.data, c.nbytes)
    stream.sync()


def openblas():
    """Return dgemm from the OpenBLAS in NumPy's wheel as a kernel, or None if there is none.

    Fortran routines take only pointers, as kernels do; the integers of this one have 64 bits.
    """
    libraries = sorted(Path(np.__file__).parents[1].glob("numpy.libs/libscipy_openblas64_*.so"))
    if device.engine.name != "host" or not libraries:
        return None
    return device.load_library(libraries[0]).scipy_dgemm_64_


def routine(product, d_a, d_b, d_c):
    """Multiply as in bound by a Fortran routine, which stores matrices by columns: c' = b' a'."""
    n, no_transpose = len(d_a), np.uint8(ord("N"))
    stream.invoke(product, no_transpose, no_transpose, n, n, n, 1.0, d_b, n, d_a, n, 0.0, d_c, n)
    d_c.update_host()
    stream.sync()


def styles(a, b, c):
    """Copy matrices to the device; return the functions that compute c = a b, by name."""
    bindings = [stream.bind(a), stream.bind(b), stream.bind(c, update_device=False)]
    memory = [stream.allocate_device_memory(array.nbytes) for array in (a, b, c)]
    for array, pointer in ((a, memory[0]), (b, memory[1])):
        stream.transfer_host2device(array.ctypes.data, pointer, array.nbytes)
    stream.sync()
    functions = {
        "plain arrays": lambda: plain(a, b, c),
        "bound arrays": lambda: bound(*bindings),
        "pointers": lambda: pointers(len(a), *memory, c),
        "OpenBLAS": lambda: routine(product, *bindings),
        "NumPy": lambda: np.matmul(a, b, out=c),
    }
    if (product := openblas()) is None:
        del functions["OpenBLAS"]
    return functions


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    a, b = np.random.default_rng(0).random((2, n, n))
    c, expected = np.empty((n, n)), a @ b
    for name, multiply in styles(a, b, c).items():
        multiply()  # the first call may compile the kernel
        c[:] = np.nan  # each style must overwrite all of it
        start = time.perf_counter()
        multiply()
        seconds = time.perf_counter() - start
        np.testing.assert_allclose(c, expected, rtol=1e-12)
        print(f"{name:13} {1e3 * seconds:8.2f} ms   {2e-9 * n**3 / seconds:6.2f} GFLOP/s")
