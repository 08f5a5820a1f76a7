"""The product of three matrices on a device, which keeps the intermediate product."""

from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
library = device.load_library(Path(__file__).with_name("multiply.c"))


def product(a, b, c):
    """Return the product a b c of float64 matrices in C order: a is m x k, b k x n, c n x p."""
    (m, k), (n, p) = a.shape, c.shape
    abc = np.empty((m, p))
    d_a, d_b, d_c = stream.bind(a), stream.bind(b), stream.bind(c)
    d_ab = stream.empty((m, n), update_host=False)
    d_abc = stream.bind(abc, update_device=False)
    stream.invoke(library.multiply, d_a, d_b, d_ab, m, n, k)
    stream.invoke(library.multiply, d_ab, d_c, d_abc, m, p, n)
    d_abc.update_host()
    stream.sync()
    return abc
