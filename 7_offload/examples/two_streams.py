"""Share an array between two streams: the second one waits for an event in the first.

    python 7_offload/examples/two_streams.py

A stream runs its commands in order. Two streams have no common order, unless one waits for an event
in the other. The first stream sleeps and then doubles an array; the second adds one. Without the
event, the addition would run first, and the result would be 2 (x + 1) instead of 2 x + 1.
"""

from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
double_it, asleep = (
    device.load_library(Path(__file__).with_name(name)) for name in ("double_it.c", "asleep.c")
)
first, second = device.create_stream(), device.create_stream()

x = np.arange(5.0)
shared = first.bind(x.copy())
slept = first.zeros(1, dtype=np.int64)
first.invoke(asleep.asleep, 50, slept)
first.invoke(double_it.double_it, shared, len(shared))
doubled = first.record()  # an event that occurs when all commands before it are done

second.wait(doubled)  # returns at once: only the stream will wait
print("second waits, and the first is", "done" if doubled.done() else "still asleep")
shared.assign_stream(second)  # from now on, the array's copies and operators use this stream
shared += 1.0
shared.update_host()

second.sync()
print(shared.array)
assert doubled.done()  # done without a sync of the first stream: the second stream waited for it
assert (shared.array == 2 * x + 1).all()
