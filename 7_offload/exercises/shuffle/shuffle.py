"""Copies with offsets, with the low-level calls only."""

import numpy as np

from ladder import offload

stream = offload.devices[0].get_default_stream()


def shuffled(a):
    """Return the numbers after the first reversal of the quarters, and after the second.

    The halves of `a` are swapped on the way in. Its length is a multiple of 4, its type arbitrary.
    """
    once, twice = np.empty_like(a), np.empty_like(a)
    half, quarter = a.nbytes // 2, a.nbytes // 4
    d_first = stream.allocate_device_memory(a.nbytes)
    d_second = stream.allocate_device_memory(a.nbytes)
    # On the way in, the halves are swapped.
    stream.transfer_host2device(a.ctypes.data, d_first, half, offset_host=half)
    stream.transfer_host2device(a.ctypes.data, d_first, half, offset_device=half)
    for source, target, result in ((d_first, d_second, once), (d_second, d_first, twice)):
        # Quarter n goes to place 3 - n.
        for n in range(4):
            stream.transfer_device2device(
                source,
                target,
                quarter,
                offset_device_src=n * quarter,
                offset_device_dst=(3 - n) * quarter,
            )
        stream.transfer_device2host(target, result.ctypes.data, a.nbytes)
    stream.sync()
    return once, twice
