"""What bind and invoke put into the stream: each command, when it was queued, began and ended.

    python 7_offload/examples/protocol.py

POLYMASK_OFFLOAD_TRACE=1 in front prints the calls of the host as well, allocations among them.
"""

import time
from pathlib import Path

import numpy as np

from polymask import offload

device = offload.devices[0]
stream = device.get_default_stream()
double_it = device.load_library(Path(__file__).with_name("double_it.c")).double_it
SIZE, WIDTH = 1_000_000, 40  # of the array, and of the picture


def protocol(name, program):
    """Run a program; print the commands that it put into the stream, and a bar for each."""
    commands, start = {}, time.perf_counter()
    with offload.recorded(commands, stream):
        program()
    end = time.perf_counter()
    stream.sync()
    rows = [(command, ticket.times()) for command, ticket in commands.values()]
    scale = WIDTH / (max(end, rows[-1][1][2]) - start)
    print(f"{name}: the host went on after {1e6 * (end - start):.0f} µs")
    print("  command    queued   began   ended   (. waits, # runs)")
    for command, times in rows:
        numbers = "".join(f"{1e6 * (t - start):8.0f}" for t in times)
        queued, began, ended = (int(scale * (t - start)) for t in times)
        bar = " " * queued + "." * (began - queued) + "#" * max(1, ended - began)
        print(f"  {command:9}{numbers}   |{bar:{WIDTH}}|")
    return [command for command, _ in rows]


def bound():
    """Two kernels on an array that is bound: it is copied once each way."""
    array = stream.bind(np.ones(SIZE))
    stream.invoke(double_it, array, len(array))
    stream.invoke(double_it, array, len(array))
    array.update_host()


def plain():
    """The same two kernels on an array that is not: it is copied twice each way."""
    array = np.ones(SIZE)
    stream.invoke(double_it, array, len(array))
    stream.invoke(double_it, array, len(array))
    assert (array == 4).all()


for program in (bound, plain):  # first use compiles
    program()
assert protocol("bound", bound) == ["to_device", "kernel", "kernel", "to_host"]
assert protocol("plain", plain) == ["to_device", "kernel", "to_host"] * 2
