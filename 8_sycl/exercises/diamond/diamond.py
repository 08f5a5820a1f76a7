"""Four kernels in a queue that is out of order: events are the only order that they have."""

from ctypes import c_int64

import numpy as np
from dpctl.memory import MemoryUSMShared
from dpctl.program import create_program_from_source

TEXT = """
kernel void square(global long *image) { image[get_global_id(0)] *= image[get_global_id(0)]; }
kernel void add_row(const long cols, global const long *image, global long *rows)
{
    const long y = get_global_id(0);
    rows[y] = 0;
    for (long x = 0; x < cols; x++) rows[y] += image[y * cols + x];
}
kernel void add_col(const long height, global const long *image, global long *cols)
{
    const long x = get_global_id(0), width = get_global_size(0);
    cols[x] = 0;
    for (long y = 0; y < height; y++) cols[x] += image[y * width + x];
}
kernel void multiply(const long width, global const long *rows, global const long *cols,
                     global long *out)
{
    const long i = get_global_id(0);
    out[i] = rows[i / width] * cols[i % width];
}
"""


def products(queue, image):
    """Return for each pixel the sum of squares of its row times that of its column, int64."""
    rows, cols = image.shape
    kernel = create_program_from_source(queue, TEXT).get_sycl_kernel
    d_image, d_rows, d_cols, d_out = (
        MemoryUSMShared(8 * n, queue=queue) for n in (rows * cols, rows, cols, rows * cols)
    )
    np.frombuffer(d_image, np.int64)[:] = image.reshape(-1)
    height, width = c_int64(rows), c_int64(cols)
    squares = queue.submit_async(kernel("square"), [d_image], [rows * cols])
    by_row = queue.submit_async(
        kernel("add_row"), [width, d_image, d_rows], [rows], dEvents=[squares]
    )
    by_col = queue.submit_async(
        kernel("add_col"), [height, d_image, d_cols], [cols], dEvents=[squares]
    )
    last = queue.submit_async(
        kernel("multiply"), [width, d_rows, d_cols, d_out], [rows * cols], dEvents=[by_row, by_col]
    )
    last.wait()
    return np.frombuffer(d_out, np.int64).reshape(rows, cols).copy()
