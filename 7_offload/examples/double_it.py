"""Double an array with a first kernel: a plain array, then one that stays on the device.

python 7_offload/examples/double_it.py
POLYMASK_OFFLOAD_DEVICES=opencl python 7_offload/examples/double_it.py
"""

from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
double_it = device.load_library(Path(__file__).with_name("double_it.c")).double_it

# A plain array is copied to the device and back within the call, which waits. The length is a
# scalar: its current value is sent, and the kernel receives a pointer to it, as for all arguments.
plain = np.arange(5.0)
stream.invoke(double_it, plain, len(plain))
print("plain:", plain)
assert (plain == 2 * np.arange(5)).all()

# A bound array stays on the device. Kernels change it there, in the order of the calls.
bound = stream.bind(np.arange(5.0))
for _ in range(3):
    stream.invoke(double_it, bound, len(bound))
bound.update_host()  # also queued: the copy follows the kernels
stream.sync()
print("bound, three times:", bound.array)
assert (bound.array == 8 * np.arange(5)).all()
