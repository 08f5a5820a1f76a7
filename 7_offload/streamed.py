"""Masks by an offload runtime, with pointers and two streams, for a batch of polygons.

A stream does one thing after the other. Of two, one copies while the other computes: the next
polygon is on its way, and the last mask on its way back, while this one's kernel runs. The device's
memory is allocated once for each stream, and serves every second polygon.

An address keeps nothing alive. So each copy is told what to `keep` until it is done: Ctrl-C may end
the wait for the streams, and with it this function and its arrays, while they still copy.
"""

import numpy as np

from polymask import contract, offload
from polymask.offload.masks.copied import library, take


def make_masks(polygons, shape, border_value=True, *, device=0, events=None):
    """Masks of a batch of polygons, an array of (polygons, rows, cols); see `make_mask`."""
    checked = [contract.check(vertices, shape, border_value) for vertices in polygons]
    rows, cols = contract.check_shape(shape)
    device = take(device)
    masks = np.empty((len(checked), rows, cols), dtype=np.uint8)
    if not masks.size:
        return masks
    most = max(vertices.nbytes for vertices, _, _ in checked)
    lanes = []
    for stream in (device.get_default_stream(), device.create_stream())[: len(checked)]:
        d_vertices = stream.allocate_device_memory(most)
        d_mask = stream.allocate_device_memory(rows * cols)
        lanes.append((stream, d_vertices, d_mask))
    for number, (vertices, _, border) in enumerate(checked):
        stream, d_vertices, d_mask = lanes[number % len(lanes)]
        with offload.recorded(stream, events):
            stream.transfer_host2device(
                vertices.ctypes.data, d_vertices, vertices.nbytes, keep=vertices
            )
            stream.invoke(library(device).polygon_mask,
                          d_vertices, len(vertices), border, rows, cols, d_mask)  # fmt: skip
            stream.transfer_device2host(d_mask, masks[number].ctypes.data, rows * cols, keep=masks)
    for stream, _, _ in lanes:
        stream.sync()
    return masks


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Mask of a polygon, a batch of one; options as in offload.copy."""
    return make_masks([vertices], shape, border_value, device=device, events=events)[0]
