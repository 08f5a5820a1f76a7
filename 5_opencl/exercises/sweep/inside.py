"""Hands launches to the answer, and keeps a record of their events."""

import numpy as np
import pyopencl as cl

from polymask.ladder import workload
from polymask.opencl import pixels
from polymask.workshop.sandbox.environments import holding

PROFILING = cl.command_queue_properties.PROFILING_ENABLE
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

    def taken_ns(self):
        """Return shape to what the events' clocks say, from start to end."""
        return {
            shape: [(event.wait(), event.profile.end - event.profile.start)[1] for event in events]
            for shape, events in self.events.items()
        }


def largest(module):
    """Return how many items a work-group may have on the device."""
    return pixels.context().devices[0].max_work_group_size


def swept(module, size, shapes):
    """Return what `sweep` gives for launches of an image, and what the events' clocks say."""
    launch = Recorder(launcher(size))
    found = module.sweep(launch, shapes)
    return {"found": found, "taken_ns": launch.taken_ns(), "refused": launch.refused}


def out_of_order(module, seconds):
    """Return as `swept` does for launches of which the first that counts is done last.

    It is held for so many seconds. None if the answer asks for its times before it is done.
    """
    on_device, held = launcher(64), []

    def launch(shape):
        queue = cl.CommandQueue(pixels.context(), properties=PROFILING)
        counts_first = len(recorder.events.get(shape, [])) == 1
        if counts_first:
            held.append(holding.Held(queue.context, seconds))
        event = on_device(shape, queue, [held[0].event] if counts_first else None)
        queue.flush()
        return event

    recorder = Recorder(launch)
    try:
        found = module.sweep(recorder, [(1, 1)])
    except cl.RuntimeError:  # the device does not know the times yet
        return None
    finally:
        for one in held:
            one.let_go()
        taken = recorder.taken_ns()
    return {"found": found, "taken_ns": taken, "refused": []}


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
    queue = cl.CommandQueue(context, properties=PROFILING)
    d_vertices = cl.Buffer(context, cl.mem_flags.READ_ONLY, vertices.nbytes)
    cl.enqueue_copy(queue, d_vertices, vertices)
    d_mask = cl.Buffer(context, cl.mem_flags.WRITE_ONLY, size * size)
    kernel = cl.Kernel(pixels.program(), "polygon_mask")
    sizes = np.int64(size), np.int64(size)
    arguments = d_vertices, np.int64(len(vertices)), np.int32(1), *sizes, d_mask

    def launch(shape, queue=queue, wait_for=None):
        rows, cols = shape
        global_size = -(-size // cols) * cols, -(-size // rows) * rows  # x first, rounded up
        return kernel(queue, global_size, (cols, rows), *arguments, wait_for=wait_for)

    return launch
