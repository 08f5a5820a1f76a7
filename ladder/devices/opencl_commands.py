"""The commands of an OpenCL queue: their times, and their costs for the host program."""

from types import SimpleNamespace

import numpy as np

from ladder.devices import Command

TIMES = ("queued", "submit", "start", "end")
FEW_BYTES = 64
EMPTY = """
kernel void empty(global const uchar *vertices, long n, int border_value, long rows, long cols,
                  global uchar *mask) {}
"""


def commands(events):
    """Convert the named events of a queue with profiling to `Command`s, in their order."""
    first = min((event.profile.queued for event in events.values()), default=0)
    return [
        Command(name, *(1e-9 * (getattr(event.profile, time) - first) for time in TIMES))
        for name, event in events.items()
    ]


def as_one(launches):
    """Return one event for a finished kernel, even if it was launched in bands."""
    if len(launches) == 1:
        return launches[0]
    first, last = launches[0].profile, launches[-1].profile
    start_times = {time: getattr(first, time) for time in TIMES}
    return SimpleNamespace(profile=SimpleNamespace(**start_times | {"end": last.end}))


def launch(device):
    """Map the name of each of the host's costs per mask to a function that causes it.

    The kernel takes the arguments of the rungs' kernels, and does nothing.
    """
    import pyopencl as cl

    context = cl.Context([device])
    profiled = cl.command_queue_properties.PROFILING_ENABLE
    program = cl.Program(context, EMPTY).build()
    queue = cl.CommandQueue(context, properties=profiled)
    h_data = np.zeros(FEW_BYTES, np.uint8)
    d_data = cl.Buffer(context, cl.mem_flags.READ_WRITE, FEW_BYTES)

    def kernel_object():
        kernel = cl.Kernel(program, "empty")
        kernel.set_args(d_data, np.int64(1), np.int32(1), np.int64(1), np.int64(1), d_data)
        return kernel

    kernel = kernel_object()

    def round_trip():
        cl.enqueue_copy(queue, d_data, h_data, is_blocking=False)
        cl.enqueue_nd_range_kernel(queue, kernel, (1,), None)
        cl.enqueue_copy(queue, h_data, d_data)

    return {
        "queue_s": lambda: cl.CommandQueue(context, properties=profiled),
        "device_buffer_s": lambda: cl.Buffer(context, cl.mem_flags.READ_ONLY, FEW_BYTES),
        "kernel_object_s": kernel_object,
        "round_trip_s": round_trip,
    }
