"""The launches of the kernels of polymask.cuda, compiled by NVRTC for the current device."""

import functools

import numpy as np

from polymask.common.kernel_text import kernel_text
from polymask.cuda.cupy_library import with_device

ITEMS = 256  # of a group, for kernels with an item per element
CHUNK = 32  # edges, as in csrc/rings.cl
MOST_GROUPS = 2**31 - 1
# 64 registers let four groups of 256 items run on a multiprocessor at a time.
OPTIONS = "-std=c++17", "--fmad=false", "--maxrregcount=64"
FILES = {
    "close_rings": "rings.cl",
    "bound_chunks": "rings.cl",
    "find_windows": "rings.cl",
    "compute_areas": "rings.cl",
    "add_edges": "fractions.cl",
    "sum_rows": "fractions.cl",
}
# The struct `Job` of csrc/tiles.cl.
FIELDS = (
    "first_row first_col shift border_value watertight rows cols tile_rows tile_words slices "
    "has_chunks has_windows margin row_stride mask_stride toggles stamps parities chunks count"
)
JOB = np.dtype([(name, "f8" if name == "shift" else "i8") for name in FIELDS.split()])


@functools.cache
def kernel(name):
    """Return a kernel, which CuPy compiles on its first launch on each device."""
    text = kernel_text(FILES.get(name, "tiles.cl"))
    return with_device().RawModule(code=text, options=OPTIONS).get_function(name)


def per_item(name, items, *arguments):
    """Launch a kernel with an item per element."""
    if items:
        kernel(name)((-(-items // ITEMS),), (ITEMS,), arguments)


def per_group(name, groups, items, local_bytes, *arguments):
    """Launch a kernel with groups of items that share local memory."""
    if groups > MOST_GROUPS:
        raise ValueError(f"{groups} tiles are more than a launch can have: use several calls")
    if groups:
        # The last argument is local memory in OpenCL; CUDA ignores it: see csrc/device.h.
        kernel(name)((groups,), (items,), (*arguments, np.int32(0)), shared_mem=local_bytes)
