"""Copies with offsets, by the low-level calls alone: no kernel, no bound array.

    python 7_offload/examples/shuffle.py

32 numbers, whose halves are swapped on the way in. Then the order of their quarters is reversed
twice on the device, which changes nothing: what comes back is the numbers with the halves swapped.
"""

import numpy as np

from polymask import offload

stream = offload.devices[0].get_default_stream()
numbers, result = np.arange(32.0), np.zeros(32)
half, quarter = numbers.nbytes // 2, numbers.nbytes // 4

# The device's memory is bytes without a type. A pointer cannot be added to: offsets say where.
here = stream.allocate_device_memory(numbers.nbytes)
there = stream.allocate_device_memory(numbers.nbytes)

address = numbers.ctypes.data
stream.transfer_host2device(address, here, half, offset_host=half, offset_device=0)
stream.transfer_host2device(address, here, half, offset_host=0, offset_device=half)

for source, destination in ((here, there), (there, here)):
    for n in range(4):
        stream.transfer_device2device(
            source,
            destination,
            quarter,
            offset_device_src=n * quarter,
            offset_device_dst=(3 - n) * quarter,
        )

stream.transfer_device2host(here, result.ctypes.data, result.nbytes)
stream.sync()  # all eleven copies were queued in no time; only now the result is there

print(result.astype(int))
assert (result == np.concatenate([numbers[16:], numbers[:16]])).all()
