"""A matrix product on a device: the host program of dgemm.c."""

from pathlib import Path

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
library = device.load_library(Path(__file__).with_name("dgemm.c"))


def multiply(alpha, a, b, beta, c):
    """Return alpha a b + beta c, float64 in C order, alpha and beta floats; c is not changed."""
    (m, k), n = a.shape, b.shape[1]
    d_a, d_b, d_c = stream.bind(a), stream.bind(b), stream.copy(c)
    stream.invoke(library.dgemm, d_a, d_b, d_c, m, n, k, alpha, beta)
    d_c.update_host()
    stream.sync()
    return d_c.array
