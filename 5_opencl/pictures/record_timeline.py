"""Record what the host and the device do during one call of opencl.pixels.

python 5_opencl/pictures/record_timeline.py

The commands' times are those of their events. The host's times are taken around the calls of
PyOpenCL that queue a command, while `make_mask` runs. The clocks of host and device are aligned
where the first of these calls begins. Other programs may use the same cores, so the shortest of
many calls is recorded, in timeline.json. The lines in it are the begin and end of each of the
host's calls, and the name of each command with the times queued, submit, start and end.
"""

import datetime
import json
import os
import time
from unittest import mock

from timeline import DATA

from ladder.bench import machine
from ladder.devices import opencl
from ladder.opencl import pixels
from ladder.registry import workload

SHAPE = (256, 256)
SECONDS = 20  # of calls
QUEUES = ("enqueue_copy", "enqueue_nd_range_kernel")  # the host's calls that queue a command


class Timed:
    """PyOpenCL, which records when each call of `QUEUES` begins and ends."""

    def __init__(self, library, records):
        self.library, self.records = library, records

    def __getattr__(self, name):
        function = getattr(self.library, name)
        if name not in QUEUES:
            return function

        def timed(*arguments, **options):
            begin = time.perf_counter()
            result = function(*arguments, **options)
            self.records.append((begin, time.perf_counter()))
            return result

        return timed


def call(polygon):
    """Make a mask; return its duration, when the host queued commands, and the commands."""
    records, events = [], {}
    with mock.patch.object(pixels, "cl", Timed(pixels.cl, records)):
        begin = time.perf_counter()
        pixels.make_mask(polygon, SHAPE, events=events)
        end = time.perf_counter()
    host = [[first - begin, last - begin] for first, last in records]
    aligned = host[0][0]
    commands = [
        [each.name, *(aligned + t for t in (each.queued, each.submit, each.start, each.end))]
        for each in opencl.commands(events)
    ]
    return end - begin, host, commands


def microseconds(rows):
    """Return lists of times in microseconds."""
    return [[t if isinstance(t, str) else round(1e6 * t, 1) for t in row] for row in rows]


def measure():
    """Record the shortest call in timeline.json."""
    polygon = workload.polygon(shape=SHAPE)
    call(polygon)  # builds the program
    stop, calls = time.perf_counter() + SECONDS, []
    while time.perf_counter() < stop:
        calls.append(call(polygon))
    whole, host, commands = min(calls)
    device = opencl.describe(opencl.device())
    data = {
        "device": f"{device.platform}, {device.name}",
        "processor": machine.cpu_model(),
        "cores": os.cpu_count(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "shape": SHAPE,
        "whole_us": round(1e6 * whole, 1),
        "host_queues_us": microseconds(host),
        "commands_us": microseconds(commands),
    }
    text = json.dumps(data).replace("[[", "\n[[").replace("]], ", "]],\n")
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    measure()
