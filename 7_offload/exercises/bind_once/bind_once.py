"""Masks of a moving polygon: vertices stay on the device, masks are copied to the host."""

from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
library = device.load_library(Path(__file__).with_name("moving.c"))


def masks(vertices, shape, steps):
    """Return the masks, uint8, of a polygon before each of its steps, (dx, dy) in float64.

    The vertices, (n, 2) float64, are not changed.
    """
    rows, cols = shape
    result = np.empty((len(steps), rows, cols), dtype=np.uint8)
    d_vertices = stream.copy(vertices)
    d_mask = stream.bind(np.empty(shape, dtype=np.uint8), update_device=False)
    for mask, (dx, dy) in zip(result, steps.tolist(), strict=True):
        stream.invoke(library.fill_mask, d_vertices, len(vertices), rows, cols, d_mask)
        stream.transfer_device2host(d_mask.pointer, mask.ctypes.data, mask.nbytes)
        stream.invoke(library.move, d_vertices, len(vertices), dx, dy)
    stream.sync()
    return result
