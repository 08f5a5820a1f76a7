"""The mask by an offload runtime, with arrays that are bound to the device.

A bound array stays on the device until nobody needs it. So the vertices are sent and do not come
back, and the mask comes back and has not been sent. Nothing waits before `sync`, which ends each
band: a stream goes on after Ctrl-C, and should have little to go on with.
"""

import numpy as np

from polymask import contract, offload
from polymask.offload.masks.copied import bands, library, take


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    Options as in offload.copy.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    stream = take(device).get_default_stream()
    mask = np.empty((rows, cols), dtype=np.uint8)
    with offload.recorded(events, stream):
        d_vertices = stream.bind(vertices)
        for first, band in bands(mask, len(vertices)):
            d_band = stream.bind(band, update_device=False)
            stream.invoke(library(stream.device).polygon_mask, d_vertices, len(vertices),
                          border_value, cols, first, len(band), d_band)  # fmt: skip
            d_band.update_host()
            stream.sync()
    return mask
