"""The mask on an NVIDIA GPU by a Python kernel that calls csrc's own rule, a function of C.

Numba's convention for a function from elsewhere: it returns 0, and its first parameter points to
where the answer goes. Neither compiler sees the other's side, and the linker matches names only: a
float that is declared for a double would link, and compute nonsense. So both sides are made here,
of one list.
"""

import cffi
import numpy as np
from numba import cuda, types

from polymask import contract
from polymask.devices import cuda as device
from polymask.devices import cuda_linking
from polymask.numba.gpu import BLOCK, SIGNATURE, fill

# What may pass between the languages, by its names in both: there is no float to be mistaken.
TYPES = {
    "int": types.int32,
    "long long": types.int64,
    "double": types.float64,
    "const double *": types.CPointer(types.float64),
}
NAME, ANSWER = "polymask_inside", "int"
PARAMETERS = {
    "x": "double",
    "y": "double",
    "vertices": "const double *",
    "n": "long long",
    "border_value": "int",
}
FFI = cffi.FFI()


def signature():
    """The function as Python is told of it."""
    return TYPES[ANSWER](*(TYPES[name] for name in PARAMETERS.values()))


def definition():
    """The function as C has it, for NVRTC, or for the host's compiler."""
    parameters = ", ".join(f"{type_} {name}" for name, type_ in PARAMETERS.items())
    return f"""#include "inside_polygon.h"
#if defined(__CUDACC__)
extern "C" __device__
#endif
int {NAME}({ANSWER} *answer, {parameters})
{{
    *answer = inside_polygon({", ".join(PARAMETERS)});
    return 0;
}}
"""


def calling(inside):
    """The kernel of numba.cuda, but for the function that it calls."""

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


def codes(cc):
    """Compile kernel and rule for a device that need not be here, to be linked."""
    kernel = calling(cuda.declare_device(NAME, signature()))
    return [
        cuda_linking.code_of_kernel(kernel, SIGNATURE, cc),
        cuda_linking.code_of_text(definition(), cc),
    ]


@device.once
def kernel():
    """Compile the rule for the device that is here; Numba links it when it compiles the kernel."""
    rule = cuda_linking.code_of_text(definition(), device.compute_capability())
    return calling(cuda.declare_device(NAME, signature(), link=cuda.LTOIR(rule)))


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`. Options as in numba.cuda."""
    h_vertices, shape, border_value = contract.check(vertices, shape, border_value)
    block = device.check_work_group(work_group or BLOCK)
    h_mask = np.empty(shape, dtype=np.uint8)
    device.check()  # the simulator links nothing
    fill(h_mask, h_vertices, border_value, kernel(), block, events)
    return h_mask
