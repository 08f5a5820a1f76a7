"""The mask on an NVIDIA GPU with a Python kernel that calls the rule in csrc, a C function.

Numba compiles the kernel, and NVIDIA's compiler the C text. The linker sees the code of both, and
inlines the function. It compares names, but no types: if C has a float where Python declares a
double, the code links, and the masks are wrong.
"""

import cffi
from numba import cuda

from ladder.devices import cuda as device
from ladder.devices import cuda_linking
from ladder.numba.gpu import run

# The function, as Python declares it and as C defines it. For Numba, it writes its result to the
# address in its first parameter, and returns 0: no exception.
NAME = "polymask_inside"
SIGNATURE = "int32(float64, float64, CPointer(float64), int64, int32)"
DEFINITION = """
#include "inside_polygon.h"

extern "C" __device__ int polymask_inside(
    int *result, double x, double y, const double *vertices, long long n, int border_value)
{
    *result = inside_polygon(x, y, vertices, n, border_value);
    return 0;
}
"""
FFI = cffi.FFI()  # gives a kernel the address of an array


def calling(inside):
    """Return the kernel of numba.gpu, except that it calls the function `inside`."""

    @cuda.jit
    def polygon_mask(vertices, border_value, mask):
        x, y = cuda.grid(2)
        rows, cols = mask.shape
        if x >= cols:
            return
        while y < rows:
            mask[y, x] = inside(x, y, FFI.from_buffer(vertices), len(vertices), border_value)
            y += cuda.gridsize(2)[1]

    return polygon_mask


@device.once
def kernel():
    """Compile the rule for this device to LTO-IR; Numba links it when it compiles the kernel."""
    rule = cuda_linking.code_of_text(DEFINITION, device.compute_capability())
    return calling(cuda.declare_device(NAME, SIGNATURE, link=cuda.LTOIR(rule)))


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask` and numba.gpu."""
    device.check()  # raises Unavailable without a GPU: Numba's simulator of one cannot link
    return run(kernel(), vertices, shape, border_value, work_group, events)
