"""Hands in launches that are kept a record of, and computes the table from their events."""

import statistics

import numpy as np
import pyopencl as cl

from polymask.ladder import workload
from polymask.opencl import pixels
from polymask.workshop.sandbox.environments import holding
from polymask.workshop.sandbox.wrong import Wrong

HELD_S = 0.1  # a kernel that nothing holds is done far sooner
FEWEST = 3  # launches that count
OTHERS = {  # errors that have nothing to do with the shape
    "a kernel without arguments": "arguments",
    "a time that the device does not know": "time",
    "an error of Python's": "python",
}
PROFILING = cl.command_queue_properties.PROFILING_ENABLE
TOO_LARGE = {cl.status_code.INVALID_WORK_GROUP_SIZE, cl.status_code.INVALID_WORK_ITEM_SIZE}


def check(answer, random):
    """Raise `Wrong` unless the table is what the events say; return what was measured."""
    most = largest(answer)
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (1, 2 * most), (8, 8), (most, most), (2, 32)]
    random.shuffle(shapes)
    repeats = answer.REPEATS if hasattr(answer, "REPEATS") else None
    if not isinstance(repeats, int) or repeats < FEWEST:
        raise Wrong(f"REPEATS is {repeats}: the median of fewer than {FEWEST} launches says little")
    for size in (random.randrange(30, 60), random.randrange(150, 400)):
        seen = swept(answer, size, tuple(shapes))
        table, best = unpack(seen["found"])
        check_table(table, best, seen, shapes, repeats)
    check_waits(answer, repeats)
    table, best = unpack(swept(answer, 64, [(1, 2 * most)])["found"])
    if table or best is not None:
        raise Wrong(f"a device that takes no shape: expected ({{}}, None), got ({table}, {best})")
    for label, error in OTHERS.items():
        if passes_over(answer, error):
            raise Wrong(
                f"{label}: the error was passed over; only shapes that are too large may be, and "
                "`error.code` says why a device has refused"
            )
    medians = {shape: median(taken) for shape, taken in seen["taken_ns"].items()}
    fast, slow = min(medians, key=medians.get), max(medians, key=medians.get)
    return (
        f"seen: groups of {fast} are the fastest here, {medians[slow] / medians[fast]:.2g} times "
        f"as fast as {slow}; {len(seen['refused'])} of {len(shapes)} shapes were refused"
    )


def check_waits(answer, repeats):
    """Raise `Wrong` unless each launch is waited for."""
    seen = out_of_order(answer, HELD_S)
    if seen is None:
        raise Wrong(
            "the times of a launch were asked for before it was done: wait for each event, not for "
            "the last alone, as launches may end in another order than they began"
        )
    table, best = unpack(seen["found"])
    check_table(table, best, seen, [(1, 1)], repeats)


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


def unpack(found):
    """Return table and best, or raise `Wrong` if it is not these two."""
    if not isinstance(found, tuple | list) or len(found) != 2 or not isinstance(found[0], dict):
        raise Wrong("sweep returns two values: the table, a dict, and the best shape")
    return found


def check_table(table, best, seen, shapes, repeats):
    """Raise `Wrong` at the first shape whose time is not that of its events."""
    for shape in shapes:
        taken = seen["taken_ns"].get(shape, [])
        if shape in seen["refused"]:
            if shape in table:
                raise Wrong(f"{shape}: the device refused it, and the table has it")
            continue
        if len(taken) != repeats + 1:
            raise Wrong(
                f"{shape}: {len(taken)} launches, expected one that does not count, and "
                f"REPEATS = {repeats}"
            )
        if shape not in table:
            raise Wrong(f"{shape}: launched, but not in the table")
        wanted = median(taken)
        if abs(table[shape] - wanted) > 1e-9 * wanted:
            raise Wrong(
                f"{shape}: the median of its {repeats} events is {wanted:.4g} s from start to "
                f"end, the table says {table[shape]:.4g} s"
            )
    if set(table) - set(shapes):
        raise Wrong("the table has shapes that were not handed in")
    if best != min(table, key=table.get):
        raise Wrong(f"the best is {best}, but the least time of the table is another's")


def median(taken_ns):
    """Return the seconds from start to end by the device's clock, without the first event."""
    return statistics.median(1e-9 * ns for ns in taken_ns[1:])
