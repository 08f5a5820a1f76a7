"""Hands launches to the answer, and keeps a record of their events."""

import numpy as np
import pyopencl as cl

from polymask.ladder import workload
from polymask.opencl import pixels

TOO_LARGE = {cl.status_code.INVALID_WORK_GROUP_SIZE, cl.status_code.INVALID_WORK_ITEM_SIZE}


class Recorder:
    """A `launch` that notes what was launched, and what became of it."""

    def __init__(self, launch):
        self.launch, self.events, self.refused = launch, {}, []

    def __call__(self, shape):
        """Launch, and note the event or the refusal."""
        try:
            event = self.launch(shape)
        except cl.Error as error:
            if error.code in TOO_LARGE:
                self.refused.append(shape)
            raise
        self.events.setdefault(shape, []).append(event)
        return event


def largest(module):
    """Return how many items a work-group may have on the device."""
    return pixels.context().devices[0].max_work_group_size


def swept(module, size, shapes):
    """Return what `sweep` gives for launches of an image, and what the events' clocks say."""
    launch = Recorder(launcher(size))
    found = module.sweep(launch, shapes)
    taken = {
        shape: [(event.wait(), event.profile.end - event.profile.start)[1] for event in events]
        for shape, events in launch.events.items()
    }
    return {"found": found, "taken_ns": taken, "refused": launch.refused}


def passes_over(module, error):
    """Return whether an error that has nothing to do with the shape is passed over."""
    queue = cl.CommandQueue(pixels.context())
    bare = cl.Kernel(pixels.program(), "polygon_mask")  # its arguments were never set

    def launch(shape):
        if error == "time":  # a cl.RuntimeError: the queue keeps no times
            return cl.enqueue_marker(queue).profile.start
        if error == "python":
            raise ArithmeticError("no shape is to blame")
        return cl.enqueue_nd_range_kernel(queue, bare, shape[::-1], shape[::-1])

    try:
        module.sweep(launch, [(1, 1)])
    except (cl.Error, ArithmeticError):
        return False
    return True


def launcher(size):
    """Return a `launch` as that of the exercise: the mask of lesson 5, on size x size pixels."""
    context, vertices = pixels.context(), workload.polygon(shape=(size, size))
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    queue = cl.CommandQueue(context, properties=profiling)
    d_vertices = cl.Buffer(context, cl.mem_flags.READ_ONLY, vertices.nbytes)
    cl.enqueue_copy(queue, d_vertices, vertices)
    d_mask = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, size * size)
    kernel = cl.Kernel(pixels.program(), "polygon_mask")
    sizes = np.int64(size), np.int64(size)
    arguments = d_vertices, np.int64(len(vertices)), np.int32(1), *sizes, d_mask

    def launch(shape):
        rows, cols = shape
        global_size = -(-size // cols) * cols, -(-size // rows) * rows  # x first, rounded up
        return kernel(queue, global_size, (cols, rows), *arguments)

    return launch
