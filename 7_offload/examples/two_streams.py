"""Two streams share an array: an event says when the second may have it.

    python 7_offload/examples/two_streams.py

Within a stream all is done in order. Between two there is no order, unless one waits for an event
of the other. The first stream doubles an array, but sleeps before; the second adds one. Without
the event the second would be there first: 2 (x + 1) in place of 2 x + 1.
"""

from pathlib import Path

import numpy as np

from polymask import offload

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
doubled = first.record()  # reached when all before it is done

second.wait(doubled)  # returns at once: it is the stream that will wait
print("second waits, and the first is", "done" if doubled.done() else "still asleep")
shared.assign_stream(second)  # copies and operators of the array go there from now on
shared += 1.0
shared.update_host()

second.sync()
print(shared.array)
assert doubled.done()  # not synced, and nevertheless done: the second stream has waited
assert (shared.array == 2 * x + 1).all()
