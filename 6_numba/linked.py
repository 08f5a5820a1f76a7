"""The mask on an NVIDIA GPU with a Python kernel that calls the rule in csrc, a C function.

Numba requires that an external function returns 0 and writes its result to the address in its
first parameter. Neither compiler sees the code of the other, and the linker compares only names: a
double declared as float would link, and the results would be wrong. Both declarations are therefore
generated from one list.
"""

import cffi
import numpy as np
from numba import cuda, types

from ladder.devices import cuda as device
from ladder.devices import cuda_linking
from ladder.numba.gpu import BLOCK, SIGNATURE, fill
from polymask import contract

# The types that both languages exchange, by their names in C; a float is not among them.
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
    """Return the signature of the function, which declares it in Python."""
    return TYPES[ANSWER](*(TYPES[name] for name in PARAMETERS.values()))


def definition():
    """Return the definition of the function in C, for NVRTC or for the host's compiler."""
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


def codes(cc):
    """Compile kernel and rule, ready to be linked, for a device that need not be present."""
    kernel = calling(cuda.declare_device(NAME, signature()))
    return [
        cuda_linking.code_of_kernel(kernel, SIGNATURE, cc),
        cuda_linking.code_of_text(definition(), cc),
    ]


@device.once
def kernel():
    """Compile the rule for the present device; Numba links it when it compiles the kernel."""
    rule = cuda_linking.code_of_text(definition(), device.compute_capability())
    return calling(cuda.declare_device(NAME, signature(), link=cuda.LTOIR(rule)))


def make_mask(vertices, shape, border_value=True, *, work_group=None, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask` and numba.gpu."""
    h_vertices, shape, border_value = contract.check(vertices, shape, border_value)
    block = device.check_work_group(work_group or BLOCK)
    h_mask = np.empty(shape, dtype=np.uint8)
    device.check()  # rejects the simulator, which cannot link
    fill(h_mask, h_vertices, border_value, kernel(), block, events)
    return h_mask
