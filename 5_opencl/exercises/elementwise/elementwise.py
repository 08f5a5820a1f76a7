"""Combine two masks on an OpenCL device: PyOpenCL writes the loop, you write one element."""

import pyopencl as cl
import pyopencl.array
from pyopencl.elementwise import ElementwiseKernel

from ladder.devices import opencl

context = cl.Context([opencl.device()])
queue = cl.CommandQueue(context)


def either(h_a, h_b):
    """Return the pixels that are in exactly one of two masks: uint8, same shape."""
    kernel = ElementwiseKernel(
        context,
        "const uchar *a, const uchar *b, uchar *out",
        "out[i] = a[i] ^ b[i]",
        "either",
    )
    d_a = cl.array.to_device(queue, h_a)
    d_b = cl.array.to_device(queue, h_b)
    d_out = cl.array.empty_like(d_a)
    kernel(d_a, d_b, d_out)
    return d_out.get()
