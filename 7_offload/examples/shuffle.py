"""Copy parts of arrays with offsets, using only the low-level calls: no kernel, no bound array.

    python 7_offload/examples/shuffle.py

The halves of 32 numbers are swapped on the way to the device. Then the order of the quarters is
reversed twice on the device, which changes nothing: the result has the halves swapped.
"""

import numpy as np

from ladder import offload

stream = offload.devices[0].get_default_stream()
numbers, result = np.arange(32.0), np.zeros(32)
half, quarter = numbers.nbytes // 2, numbers.nbytes // 4

# Device memory has no type. Pointers do not support arithmetic, so places are offsets in bytes.
d_first = stream.allocate_device_memory(numbers.nbytes)
d_second = stream.allocate_device_memory(numbers.nbytes)

address = numbers.ctypes.data
stream.transfer_host2device(address, d_first, half, offset_host=half, offset_device=0)
stream.transfer_host2device(address, d_first, half, offset_host=0, offset_device=half)

for source, destination in ((d_first, d_second), (d_second, d_first)):
    for n in range(4):
        stream.transfer_device2device(
            source,
            destination,
            quarter,
            offset_device_src=n * quarter,
            offset_device_dst=(3 - n) * quarter,
        )

stream.transfer_device2host(d_first, result.ctypes.data, result.nbytes)
stream.sync()  # all eleven copies are only queued before; now the result has arrived

print(result.astype(int))
assert (result == np.concatenate([numbers[16:], numbers[:16]])).all()
