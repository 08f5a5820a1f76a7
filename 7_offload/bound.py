"""The mask with an offload runtime, with arrays that are bound to the device.

`bind` allocates memory on the device for an array, and returns a handle, which keeps this memory.
The vertices are therefore only sent to the device, and the mask is only fetched. Each call only
adds a command to the stream; the host waits in `sync`, once per band, so that after Ctrl-C a stream
has at most one band left to do.
"""

import numpy as np

from ladder import offload
from ladder.devices.work_group import bands_of_pixels
from ladder.offload.masks.copied import library
from polymask import contract


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    The options are those of offload.copied.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    stream = offload.device(device).get_default_stream()
    kernel = library(stream.device).polygon_mask
    n, mask = len(vertices), np.empty((rows, cols), dtype=np.uint8)
    with offload.recorded(events, stream):
        d_vertices = stream.bind(vertices)
        for first, band in bands_of_pixels(mask, n):
            d_band = stream.bind(band, update_device=False)
            stream.invoke(kernel, d_vertices, n, border_value, cols, first, len(band), d_band)
            d_band.update_host()
            stream.sync()
    return mask
