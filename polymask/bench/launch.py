"""Prices of a launch: what the host program of an OpenCL rung pays for a mask of any size.

Each part alone, on the device that the measured rungs use; the kernel takes their arguments, and
does nothing.
"""

import numpy as np

FEW_BYTES = 64
EMPTY = """
kernel void empty(global const uchar *vertices, long n, int border_value, long rows, long cols,
                  global uchar *mask) {}
"""


def actions(rows):
    """Return name to (a function that does one thing so many times, the fewest times).

    There are none where no row that runs here has an OpenCL device.
    """
    modules = (
        row.rung.module()
        for row in rows
        if row.rung and row.rung.extra == "opencl" and row.status == "ok"
    )
    module = next(modules, None)
    return {} if module is None else of_device(module.context())


def of_device(context):
    """Return the same for the device of a context."""
    import pyopencl as cl

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

    parts = {
        "queue_s": lambda: cl.CommandQueue(context, properties=profiled),
        "device_buffer_s": lambda: cl.Buffer(context, cl.mem_flags.READ_ONLY, FEW_BYTES),
        "kernel_object_s": kernel_object,
        "round_trip_s": round_trip,
    }
    return {name: (repeated(part), 1) for name, part in parts.items()}


def repeated(part):
    """Return a function that does a part so many times."""

    def action(count):
        for _ in range(count):
            part()

    return action
