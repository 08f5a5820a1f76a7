"""The number of pixels inside: a reduction of many numbers to one."""

import numpy as np
import pyopencl as cl
import pyopencl.array
from pyopencl.reduction import ReductionKernel

from ladder.devices import opencl

context = cl.Context([opencl.device()])
queue = cl.CommandQueue(context)


def area(h_mask):
    """Return the number of ones in a mask, an int."""
    kernel = ReductionKernel(
        context,
        np.int64,
        neutral="0",
        reduce_expr="a + b",
        map_expr="mask[i]",
        arguments="const uchar *mask",
    )
    return int(kernel(cl.array.to_device(queue, h_mask)).get())
