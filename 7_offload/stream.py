"""Masks with an offload runtime and two streams, for a batch of polygons.

A stream runs its commands one after the other, and two streams run theirs at the same time. The
masks of a batch are therefore computed in two streams, in turn: while the kernel of one stream
runs, the other stream fetches its last mask and sends its next polygon. For a single mask there is
nothing to copy meanwhile, so it uses one stream.
"""

import functools

import numpy as np

from ladder import offload
from ladder.devices.work_group import bands_in_turn
from ladder.offload.masks.copied import library
from polymask import contract


@functools.cache
def two_streams(device):
    """Return the device's default stream, and another one, which is created only once."""
    return device.get_default_stream(), device.create_stream()


def make_masks(polygons, shape, border_value=True, *, device=0, events=None):
    """Return the masks of a batch of polygons, an array of shape (polygons, rows, cols).

    The options are those of offload.copied.
    """
    polygons = [contract.check(vertices, shape, border_value)[0] for vertices in polygons]
    rows, cols = contract.check_shape(shape)
    device, border_value = offload.device(device), bool(border_value)
    kernel, streams = library(device).polygon_mask, two_streams(device)[: len(polygons)]
    masks = np.empty((len(polygons), rows, cols), dtype=np.uint8)
    with offload.recorded(events, *streams):
        for stream, vertices, first, band in bands_in_turn(streams, masks, polygons):
            n, d_vertices = len(vertices), stream.bind(vertices)
            d_band = stream.bind(band, update_device=False)
            stream.invoke(kernel, d_vertices, n, border_value, cols, first, len(band), d_band)
            d_band.update_host()
        for stream in streams:
            stream.sync()
    return masks


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Return the mask of a polygon, a batch of one; the options are those of offload.copied."""
    return make_masks([vertices], shape, border_value, device=device, events=events)[0]
