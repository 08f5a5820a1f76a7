"""Masks with an offload runtime, with pointers and two streams, for a batch of polygons.

A stream runs its commands one after the other. With two streams, one copies while the other
computes: while one kernel runs, the next polygon is sent and the previous mask is fetched. A single
mask uses one stream, so only `make_masks` shows this. Each stream allocates device memory once, and
reuses it for its masks, or bands of long masks.

An address does not keep its array alive. Each copy therefore receives an object to `keep` until it
is done: Ctrl-C may end the wait for the streams, and free the arrays, while they are still copied.
"""

import itertools
from collections import Counter

import numpy as np

from ladder import offload
from ladder.devices import work_group
from ladder.offload.masks.copied import library
from polymask import contract


def make_masks(polygons, shape, border_value=True, *, device=0, events=None):
    """Return the masks of a batch of polygons, an array of shape (polygons, rows, cols)."""
    checked = [contract.check(vertices, shape, border_value) for vertices in polygons]
    rows, cols = contract.check_shape(shape)
    device = offload.device(device)
    masks = np.empty((len(checked), rows, cols), dtype=np.uint8)
    if not masks.size:
        return masks
    jobs = [
        (vertices, border, first, band)
        for (vertices, _, border), mask in zip(checked, masks, strict=True)
        for first, band in work_group.bands_of_pixels(mask, len(vertices))
    ]
    kernel, streams = library(device).polygon_mask, [device.get_default_stream()]
    if len(jobs) > 1:
        streams.append(device.create_stream())
    sizes = max(vertices.nbytes for vertices, *_ in jobs), max(band.nbytes for *_, band in jobs)
    lanes = [(stream, *map(stream.allocate_device_memory, sizes)) for stream in streams]
    ahead = Counter()  # pixels times edges in a stream since its last sync
    with offload.recorded(events, *streams):
        for (vertices, border, first, band), (stream, d_vertices, d_band) in zip(
            jobs, itertools.cycle(lanes)
        ):
            n, work = len(vertices), len(band) * len(vertices)
            if ahead[stream] and ahead[stream] + work > work_group.LONG:
                stream.sync()  # a stream continues after Ctrl-C: it never holds more than a band
                ahead[stream] = 0
            ahead[stream] += work
            stream.transfer_host2device(
                vertices.ctypes.data, d_vertices, vertices.nbytes, keep=vertices
            )
            stream.invoke(kernel, d_vertices, n, border, cols, first, len(band), d_band)
            stream.transfer_device2host(d_band, band.ctypes.data, band.nbytes, keep=band)
        for stream in streams:
            stream.sync()
    return masks


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Return the mask of a polygon, a batch of one; the options are those of offload.copied."""
    return make_masks([vertices], shape, border_value, device=device, events=events)[0]
