"""Print the commands that bind and invoke put into a stream, and when each was queued and ran.

    python 7_offload/examples/protocol.py

With POLYMASK_OFFLOAD_TRACE=1, the program also prints the host's calls, including allocations.
"""

import time
from pathlib import Path

import numpy as np

from ladder import offload

device = offload.devices[0]
stream = device.get_default_stream()
double_it = device.load_library(Path(__file__).with_name("double_it.c")).double_it
SIZE, WIDTH = 1_000_000, 40  # of the array, and of the picture


def protocol(name, program):
    """Run a program, and print the commands that it put into the stream, with a bar for each."""
    commands, start = {}, time.perf_counter()
    with offload.recorded(commands, stream):
        program()
    end = time.perf_counter()
    stream.sync()
    rows = [(command, ticket.times()) for command, ticket in commands.values()]
    scale = WIDTH / (max(end, rows[-1][1][2]) - start)
    print(f"{name}: the host continued after {1e6 * (end - start):.0f} µs")
    print("  command    queued   began   ended   (. waits, # runs)")
    for command, times in rows:
        numbers = "".join(f"{1e6 * (t - start):8.0f}" for t in times)
        queued, began, ended = (int(scale * (t - start)) for t in times)
        bar = " " * queued + "." * (began - queued) + "#" * max(1, ended - began)
        print(f"  {command:9}{numbers}   |{bar:{WIDTH}}|")
    return [command for command, _ in rows]


def bound():
    """Run two kernels on a bound array, which is copied once each way."""
    array = stream.bind(np.ones(SIZE))
    stream.invoke(double_it, array, len(array))
    stream.invoke(double_it, array, len(array))
    array.update_host()


def plain():
    """Run the same two kernels on a plain array, which is copied twice each way."""
    array = np.ones(SIZE)
    stream.invoke(double_it, array, len(array))
    stream.invoke(double_it, array, len(array))
    assert (array == 4).all()


for program in (bound, plain):  # the first call compiles
    program()
assert protocol("bound", bound) == ["to_device", "kernel", "kernel", "to_host"]
assert protocol("plain", plain) == ["to_device", "kernel", "to_host"] * 2
