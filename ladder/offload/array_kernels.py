"""The kernels of an OffloadArray's operators, compiled for each dtype on first use."""

import numpy as np

from ladder.offload.engines import source
from ladder.offload.library import OffloadLibrary

KERNELS = source.KERNELS / "array.c"
# dtype to two macros of csrc/offload/element.h: ELEMENT, and one for the kind of number
TYPES = {
    np.dtype(np.uint8): ("uint8_t", "INTEGER"),
    np.dtype(np.int32): ("int32_t", "INTEGER"),
    np.dtype(np.int64): ("int64_t", "INTEGER"),
    np.dtype(np.uint64): ("uint64_t", "INTEGER"),
    np.dtype(np.float32): ("float", "FLOATING"),
    np.dtype(np.float64): ("double", "FLOATING"),
    np.dtype(np.complex128): ("complex128", "COMPLEX"),
}


def kernels_for(device, dtype):
    """Return a device's library for a dtype; raise a ValueError if there is none."""
    libraries = device._array_kernels
    if dtype not in libraries:
        if dtype not in TYPES:
            names = ", ".join(map(str, TYPES))
            raise ValueError(f"cannot compute with {dtype}, only copy it; use {names}")
        name, macro = TYPES[dtype]
        libraries[dtype] = OffloadLibrary(KERNELS, device, {"ELEMENT": name, macro: 1})
    return libraries[dtype]
