"""Compress a picture to a few singular values; the first of two products stays on the device.

    python 7_offload/examples/compress.py FOLDER

A matrix equals U S V, and approximately also with only the k largest singular values in S. The
picture is the ladder's mask, 256 x 256. NumPy computes U, S and V once; for several k, the device
multiplies them again, and the program writes each picture into the folder.
"""

import sys
from pathlib import Path

import numpy as np
from PIL import Image

from ladder import offload
from ladder.registry import workload
from polymask import polygon_mask

SHAPE = rows, cols = 256, 256
folder = Path(sys.argv[1] if len(sys.argv) > 1 else sys.exit("name a folder for the pictures"))
folder.mkdir(parents=True, exist_ok=True)

device = offload.devices[0]
stream = device.get_default_stream()
dgemm = device.load_library(Path(__file__).with_name("dgemm.c")).dgemm

mask = polygon_mask(workload.polygon(shape=SHAPE), SHAPE)
u, s, v = np.linalg.svd(mask.astype(float))


def picture(k):
    """Return the picture from k singular values."""
    left = stream.bind(np.ascontiguousarray(u[:, :k]))
    middle = stream.bind(np.diag(s[:k]))
    right = stream.bind(v[:k])
    product = stream.empty((rows, k), update_host=False)  # not needed on the host
    result = stream.empty(SHAPE, update_host=False)
    stream.invoke(dgemm, left, middle, product, rows, k, k, 1.0, 0.0)
    stream.invoke(dgemm, product, right, result, rows, cols, k, 1.0, 0.0)
    result.update_host()
    stream.sync()
    return result.array


print(" k   compressed   wrong pixels")
for k in (1, 4, 16, 64):
    values = picture(k)
    # the error is the norm of the omitted singular values (Eckart and Young)
    np.testing.assert_allclose(np.linalg.norm(mask - values), np.linalg.norm(s[k:]), rtol=1e-9)
    wrong = np.mean((values > 0.5) != mask)
    print(f"{k:2} {rows * cols / (k * (rows + cols + 1)):9.1f} x   {wrong:10.1%}")
    Image.fromarray((255 * values.clip(0, 1)).astype(np.uint8)).save(folder / f"{k:03}.png")
