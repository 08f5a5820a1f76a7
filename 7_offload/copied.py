"""The mask with an offload runtime, which copies all arrays to the device and back for each mask.

An offload runtime copies arrays to a device, and runs compiled C functions there, the kernels. A
stream is a queue of such commands. `invoke` adds a kernel to a stream, copies plain arrays to the
device before it and back after it, and waits. No other call is needed, but half of these copies are
unnecessary.

A device cannot stop a running kernel. A mask that takes long is therefore computed in bands, with
one kernel each, and Python handles Ctrl-C while it waits for a band.
"""

import functools
from importlib import resources

import numpy as np

from ladder import offload
from ladder.devices.work_group import bands_of_pixels
from polymask import contract


@functools.cache
def library(device):
    """Load the library with the kernel, a C function, for a device; it is compiled only once."""
    return device.load_library(resources.files("polymask.csrc") / "offload" / "mask.c")


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Return the mask of a polygon; see `ladder.python.tuples.make_mask`.

    `device` is the index of the device in `offload.devices`. The dict `events` receives an entry
    for each command, from which a profiler reads its times.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    stream = offload.device(device).get_default_stream()
    kernel = library(stream.device).polygon_mask
    n, mask = len(vertices), np.empty((rows, cols), dtype=np.uint8)
    with offload.recorded(events, stream):
        for first, band in bands_of_pixels(mask, n):
            stream.invoke(kernel, vertices, n, border_value, cols, first, len(band), band)
    return mask
