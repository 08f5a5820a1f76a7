"""The commands of an OpenCL queue: their times, and their costs for the host program."""

from types import SimpleNamespace

import numpy as np

from ladder.devices import Command, work_group

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


class Bands:
    """The events of a kernel that was launched in bands, as one event; read when all are done."""

    def __init__(self, launches):
        self.launches = launches

    @property
    def profile(self):
        """The times of the first launch, and the end of the last."""
        first, last = self.launches[0].profile, self.launches[-1].profile
        times = {time: getattr(first, time) for time in TIMES}
        return SimpleNamespace(**times | {"end": last.end})


def run(queue, kernel, global_size, local_size, work, wait_for=None):
    """Launch a kernel, and return its event; `work` is in pixels times edges.

    A running kernel cannot be stopped. A long one is launched in bands of rows, and Python handles
    Ctrl-C between two bands. Sizes are (columns, rows).
    """
    import pyopencl as cl

    launches = []
    group = tuple(reversed(local_size or (1, 1)))
    for first, size in work_group.bands(global_size, group, work):
        launches.append(
            cl.enqueue_nd_range_kernel(queue, kernel, size, local_size, first, wait_for=wait_for)
        )
        if len(launches) > 1:
            launches[-2].wait()  # the next band is already in the queue, so the device never idles
    return launches[0] if len(launches) == 1 else Bands(launches)


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
