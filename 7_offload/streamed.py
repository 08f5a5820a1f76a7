"""Masks by an offload runtime, with pointers and two streams, for a batch of polygons.

A stream does one thing after the other. Of two, one copies while the other computes: the next
polygon is on its way, and the last mask on its way back, while this one's kernel runs. The device's
memory is allocated once for each stream, and serves every second mask, or band of a long mask.

An address keeps nothing alive. So each copy is told what to `keep` until it is done: Ctrl-C may end
the wait for the streams, and with it this function and its arrays, while they still copy.
"""

import itertools
from collections import Counter

import numpy as np

from polymask import contract, offload
from polymask.devices import work_group
from polymask.offload.masks.copied import bands, library, take


def make_masks(polygons, shape, border_value=True, *, device=0, events=None):
    """Masks of a batch of polygons, an array of (polygons, rows, cols); see `make_mask`."""
    checked = [contract.check(vertices, shape, border_value) for vertices in polygons]
    rows, cols = contract.check_shape(shape)
    device = take(device)
    masks = np.empty((len(checked), rows, cols), dtype=np.uint8)
    if not masks.size:
        return masks
    jobs = [
        (vertices, border, first, band)
        for (vertices, _, border), mask in zip(checked, masks, strict=True)
        for first, band in bands(mask, len(vertices))
    ]
    streams = [device.get_default_stream()]
    if len(jobs) > 1:
        streams.append(device.create_stream())
    most = max(vertices.nbytes for vertices, *_ in jobs), max(band.nbytes for *_, band in jobs)
    lanes = [(stream, *map(stream.allocate_device_memory, most)) for stream in streams]
    ahead = Counter()  # pixels times edges in a stream since it was waited for
    with offload.recorded(events, *streams):
        for (vertices, border, first, band), (stream, d_vertices, d_band) in zip(
            jobs, itertools.cycle(lanes)
        ):
            work = len(band) * len(vertices)
            if ahead[stream] and ahead[stream] + work > work_group.LONG:
                stream.sync()  # what is in a stream goes on after Ctrl-C: never more than a band
                ahead[stream] = 0
            ahead[stream] += work
            stream.transfer_host2device(
                vertices.ctypes.data, d_vertices, vertices.nbytes, keep=vertices
            )
            stream.invoke(library(device).polygon_mask, d_vertices, len(vertices),
                          border, cols, first, len(band), d_band)  # fmt: skip
            stream.transfer_device2host(d_band, band.ctypes.data, band.nbytes, keep=band)
        for stream in streams:
            stream.sync()
    return masks


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Mask of a polygon, a batch of one; options as in offload.copy."""
    return make_masks([vertices], shape, border_value, device=device, events=events)[0]
