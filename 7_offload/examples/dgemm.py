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


def styles(a, b, c):
    """Return name to a function that computes c = a b; what stays on the device is there."""
    bindings = [stream.bind(a), stream.bind(b), stream.bind(c, update_device=False)]
    memory = [stream.allocate_device_memory(array.nbytes) for array in (a, b, c)]
    for array, there in ((a, memory[0]), (b, memory[1])):
        stream.transfer_host2device(array.ctypes.data, there, array.nbytes)
    stream.sync()
    return {
        "plain arrays": lambda: plain(a, b, c),
        "bound arrays": lambda: bound(*bindings),
        "pointers": lambda: pointers(len(a), *memory, c),
        "NumPy": lambda: np.matmul(a, b, out=c),
    }


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
