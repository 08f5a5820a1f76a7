"""The inverse of a mask on an OpenCL device, for images that are not whole work-groups."""

import numpy as np
import pyopencl as cl

# Rows begin `pitch` bytes apart. Bytes beyond `cols` are not part of the image.
KERNEL = """
kernel void invert(const int rows, const int cols, const int pitch, global uchar *mask)
{
    const int x = get_global_id(0), y = get_global_id(1);
    if (x < cols && y < rows)
        mask[y * pitch + x] = 1 - mask[y * pitch + x];
}
"""


def whole_groups(n, group):
    """Return the smallest multiple of `group` that is not less than `n`: items in one dimension."""
    return (n + group - 1) // group * group


def invert(queue, d_mask, shape, pitch, group):
    """Invert a mask of `shape`, (rows, cols), on the device, and wait until it is done.

    `group` is (rows, cols) of a work-group.
    """
    rows, cols = shape
    kernel = cl.Program(queue.context, KERNEL).build().invert
    global_size = whole_groups(cols, group[1]), whole_groups(rows, group[0])  # x comes first
    local_size = group[1], group[0]
    arguments = np.int32(rows), np.int32(cols), np.int32(pitch), d_mask
    kernel(queue, global_size, local_size, *arguments).wait()
