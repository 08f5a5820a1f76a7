"""3 a + b² in two streams: each computes one half, and one of them the sum."""

from pathlib import Path

from ladder import offload

device = offload.devices[0]
library = device.load_library(Path(__file__).with_name("halves.c"))

first = device.create_stream()
second = device.create_stream()


def combined(a, b):
    """Return 3 a + b² for two float64 arrays of the same length, which are not changed."""
    d_a, d_b = first.copy(a), second.copy(b)
    first.invoke(library.triple, d_a, len(a))
    tripled = first.record()
    second.invoke(library.square, d_b, len(b))
    second.wait(tripled)
    second.invoke(library.add, d_b, d_a, len(b))
    d_b.update_host()
    second.sync()
    return d_b.array
