"""A first kernel: it doubles an array, first a plain one, then one that stays on the device.

python 7_offload/examples/double_it.py
POLYMASK_OFFLOAD_DEVICES=opencl python 7_offload/examples/double_it.py
"""

from pathlib import Path

import numpy as np

from polymask import offload

device = offload.devices[0]
stream = device.get_default_stream()
double_it = device.load_library(Path(__file__).with_name("double_it.c")).double_it

# A plain array goes to the device and comes back within the call, which waits for it. The length is
# a scalar: its value of now goes along, and the kernel receives a pointer to it, as to everything.
plain = np.arange(5.0)
stream.invoke(double_it, plain, len(plain))
print("plain:", plain)
assert (plain == 2 * np.arange(5)).all()

# A bound array stays on the device. What is invoked changes it there, in the order of the calls.
bound = stream.bind(np.arange(5.0))
for _ in range(3):
    stream.invoke(double_it, bound, len(bound))
bound.update_host()  # in the queue, too: the copy follows the kernels
stream.sync()
print("bound, three times:", bound.array)
assert (bound.array == 8 * np.arange(5)).all()
