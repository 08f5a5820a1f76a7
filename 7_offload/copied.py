"""The mask by an offload runtime, which copies all arrays to the device and back for each mask.

`invoke` puts a kernel into a stream. Plain arrays are copied in before it, copied out after it, and
waited for: nothing else has to be said, and the vertices make the way back for nothing.

No device stops a kernel that it has begun. So a mask that would take long is made in bands, a
kernel each, and Python hears Ctrl-C while it waits for one.
"""

import functools
from importlib import resources

import numpy as np

from polymask import contract, offload
from polymask.devices import work_group


@functools.cache
def library(device):
    """Load the kernel, a function of C, for a device; the runtime compiles it once."""
    return device.load_library(resources.files("polymask.csrc") / "offload" / "mask.c")


def take(device):
    """Return the offload device of this number."""
    if device not in offload.devices:
        raise ValueError(f"device is 0 to {len(offload.devices) - 1} here, got {device!r}")
    return offload.devices[device]


def bands(mask, n):
    """Cut a mask of n vertices into bands: yield the number of the first pixel, and the band.

    A band is a view of pixels that follow each other in memory. There is one, unless the mask would
    take long.
    """
    pixels, size = mask.reshape(-1), max(mask.size, 1)  # without pixels it is one band as well
    for (_, first), (_, count) in work_group.bands((1, size), (1, 1), size * n):
        yield first, pixels[first : first + count]


def make_mask(vertices, shape, border_value=True, *, device=0, events=None):
    """Mask of a polygon; see `polymask.python.tuples.make_mask`.

    One option: the number of the `device`, in `offload.devices`. A dict `events` receives the
    tickets of the commands, of which a profiler reads when they ran.
    """
    vertices, (rows, cols), border_value = contract.check(vertices, shape, border_value)
    stream = take(device).get_default_stream()
    mask = np.empty((rows, cols), dtype=np.uint8)
    with offload.recorded(events, stream):
        for first, band in bands(mask, len(vertices)):
            stream.invoke(library(stream.device).polygon_mask, vertices, len(vertices),
                          border_value, cols, first, len(band), band)  # fmt: skip
    return mask
