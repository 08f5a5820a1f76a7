"""From toggles to the mask with a scan, on an OpenCL device."""

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyopencl.scan import GenericScanKernel

from ladder.devices import opencl

context = cl.Context([opencl.device()])
queue = cl.CommandQueue(context)


def fill(h_toggles):
    """Return the mask of an image of toggles: a pixel is the parity of its row's toggles up to it.

    Both are uint8, of zeros and ones, (rows, cols), at least one row and one column.
    """
    rows, cols = h_toggles.shape
    kernel = GenericScanKernel(
        context,
        np.int32,  # the type of the combined values; PyOpenCL's scan does not support bytes
        arguments="const uchar *toggles, uchar *mask, const int cols",
        input_expr="toggles[i]",
        scan_expr="across_seg_boundary ? b : (a ^ b)",
        neutral="0",
        is_segment_start_expr="i % cols == 0",
        output_statement="mask[i] = item;",
    )
    d_toggles = cl.array.to_device(queue, h_toggles.ravel())
    d_mask = cl.array.empty_like(d_toggles)
    kernel(d_toggles, d_mask, np.int32(cols))
    return d_mask.get().reshape(rows, cols)
