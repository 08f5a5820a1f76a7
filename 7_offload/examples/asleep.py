"""Show which calls wait for a kernel that sleeps for 100 ms.

python 7_offload/examples/asleep.py
"""

import time
from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
asleep = device.load_library(Path(__file__).with_name("asleep.c")).asleep


def timed(name, function, *arguments):
    """Call a function, and print the time until it returned."""
    start = time.perf_counter()
    result = function(*arguments)
    took = time.perf_counter() - start
    print(f"{name:36} returned after {1e3 * took:8.3f} ms")
    return result


slept = stream.bind(np.zeros(1, dtype=np.int64))
stream.invoke(asleep, 0, slept)  # the first call to a kernel may compile it
stream.sync()

timed("invoke", stream.invoke, asleep, 100, slept)
timed("invoke again", stream.invoke, asleep, 100, slept)
event = timed("record", stream.record)
print(f"the host is free: the device is {'done' if event.done() else 'still asleep'}, "
      f"and the array still contains {slept.array[0]}")  # fmt: skip
assert not event.done()
timed("update_host", slept.update_host)  # with an NVIDIA GPU, this call waits for the kernels
timed("sync", stream.sync)
print(f"now the array contains {slept.array[0]}")
assert slept.array[0] == 3

# A plain array must be copied back when the call returns, so this call waits.
plain = np.zeros(1, dtype=np.int64)
timed("invoke with a plain array", stream.invoke, asleep, 100, plain)
assert plain[0] == 1
