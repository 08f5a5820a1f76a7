"""A product of matrices in three styles, each with less on the way than the one before.

python 7_offload/examples/dgemm.py        512 x 512, or the size that is given
"""

import sys
import time
from pathlib import Path

import numpy as np

from polymask import offload

device = offload.devices[0]
stream = device.get_default_stream()
dgemm = device.load_library(Path(__file__).with_name("dgemm.c")).dgemm


def plain(a, b, c):
    """Everything travels, for each product: three matrices in, three back. The call waits."""
    n = len(a)
    stream.invoke(dgemm, a, b, c, n, n, n, 1.0, 0.0)


def bound(d_a, d_b, d_c):
    """Nothing travels but the result: the arrays were bound before."""
    n = len(d_a)
    stream.invoke(dgemm, d_a, d_b, d_c, n, n, n, 1.0, 0.0)
    d_c.update_host()
    stream.sync()


def pointers(n, d_a, d_b, d_c, c):
    """As bound, without objects: memory of the device, addresses of the host, bytes."""
    stream.invoke(dgemm, d_a, d_b, d_c, n, n, n, 1.0, 0.0)
    stream.transfer_device2host(d_c, c.ctypes.data, c.nbytes)
    stream.sync()


def openblas():
    """Return the product of the OpenBLAS in NumPy's wheel as a kernel; None where there is none.

    Fortran's routines take nothing but pointers, as kernels do; this one's integers have 64 bits.
    """
    found = sorted(Path(np.__file__).parents[1].glob("numpy.libs/libscipy_openblas64_*.so"))
    if device.engine.name != "host" or not found:
        return None
    return device.load_library(found[0]).scipy_dgemm_64_


def routine(product, d_a, d_b, d_c):
    """As bound, by a library's routine; Fortran's matrices are stored by columns: c' = b' a'."""
    n, as_it_is = len(d_a), np.uint8(ord("N"))
    stream.invoke(product, as_it_is, as_it_is, n, n, n, 1.0, d_b, n, d_a, n, 0.0, d_c, n)
    d_c.update_host()
    stream.sync()


def styles(a, b, c):
    """Return name to a function that computes c = a b; what stays on the device is there."""
    bindings = [stream.bind(a), stream.bind(b), stream.bind(c, update_device=False)]
    memory = [stream.allocate_device_memory(array.nbytes) for array in (a, b, c)]
    for array, there in ((a, memory[0]), (b, memory[1])):
        stream.transfer_host2device(array.ctypes.data, there, array.nbytes)
    stream.sync()
    found = {
        "plain arrays": lambda: plain(a, b, c),
        "bound arrays": lambda: bound(*bindings),
        "pointers": lambda: pointers(len(a), *memory, c),
        "OpenBLAS": lambda: routine(product, *bindings),
        "NumPy": lambda: np.matmul(a, b, out=c),
    }
    if (product := openblas()) is None:
        del found["OpenBLAS"]
    return found


if __name__ == "__main__":
    n = int(sys.argv[1]) if len(sys.argv) > 1 else 512
    a, b = np.random.default_rng(0).random((2, n, n))
    c, expected = np.empty((n, n)), a @ b
    for name, multiply in styles(a, b, c).items():
        multiply()  # the first call may compile the kernel
        c[:] = np.nan  # which no style can leave
        start = time.perf_counter()
        multiply()
        seconds = time.perf_counter() - start
        np.testing.assert_allclose(c, expected, rtol=1e-12)
        print(f"{name:13} {1e3 * seconds:8.2f} ms   {2e-9 * n**3 / seconds:6.2f} GFLOP/s")
