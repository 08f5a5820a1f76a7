"""A picture from a few of its singular values: two products, with the first one's on the device.

    python 7_offload/examples/compress.py FOLDER

A matrix is U S V, and with the k largest singular values of S alone nearly so. The picture here is
the ladder's mask, 256 x 256. U, S and V are computed once, by NumPy; the device multiplies them
again, for several k, and writes each picture into the folder.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from polymask import offload, polygon_mask
from polymask.ladder import workload

SHAPE = rows, cols = 256, 256
folder = Path(sys.argv[1] if len(sys.argv) > 1 else sys.exit("name a folder for the pictures"))
folder.mkdir(parents=True, exist_ok=True)

device = offload.devices[0]
stream = device.get_default_stream()
dgemm = device.load_library(Path(__file__).with_name("dgemm.c")).dgemm

mask = polygon_mask(workload.polygon(shape=SHAPE), SHAPE)
u, s, v = np.linalg.svd(mask.astype(float))


def picture(k):
    """Return the picture of k singular values."""
    left = stream.bind(np.ascontiguousarray(u[:, :k]))
    middle = stream.bind(np.diag(s[:k]))
    right = stream.bind(v[:k])
    product = stream.empty((rows, k), update_host=False)  # nobody needs it on the host
    result = stream.empty(SHAPE, update_host=False)
    stream.invoke(dgemm, left, middle, product, rows, k, k, 1.0, 0.0)
    stream.invoke(dgemm, product, right, result, rows, cols, k, 1.0, 0.0)
    result.update_host()
    stream.sync()
    return result.array


print(" k   compressed   wrong pixels")
for k in (1, 4, 16, 64):
    values = picture(k)
    # what is missing is exactly the singular values that were left out (Eckart and Young)
    np.testing.assert_allclose(np.linalg.norm(mask - values), np.linalg.norm(s[k:]), rtol=1e-9)
    wrong = np.mean((values > 0.5) != mask)
    print(f"{k:2} {rows * cols / (k * (rows + cols + 1)):9.1f} x   {wrong:10.1%}")
    Image.fromarray((255 * values.clip(0, 1)).astype(np.uint8)).save(folder / f"{k:03}.png")
