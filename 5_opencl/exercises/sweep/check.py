"""Hands in launches that it keeps a record of, and computes the table from their events."""

import statistics

import pyopencl as cl

from polymask.opencl import pixels
from polymask.workshop.sandbox.wrong import Wrong

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


def check(module, random):
    """Raise `Wrong` unless the table is what the events say; return what was measured."""
    if not hasattr(module, "sweep"):
        raise Wrong("sweep.py has no function sweep")
    most = pixels.context().devices[0].max_work_group_size
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (1, 2 * most), (8, 8), (most, most), (2, 32)]
    random.shuffle(shapes)
    launch = Recorder(module.launcher(random.randrange(150, 400)))
    table, best = unpack(module.sweep(launch, tuple(shapes)))
    check_table(table, best, launch, shapes, module.REPEATS)
    alone = Recorder(module.launcher(64))
    table, best = unpack(module.sweep(alone, [(1, 2 * most)]))
    if table or best is not None:
        raise Wrong(f"a device that takes no shape: expected ({{}}, None), got ({table}, {best})")
    check_other_errors(module)
    medians = {shape: median(events) for shape, events in launch.events.items()}
    fast, slow = min(medians, key=medians.get), max(medians, key=medians.get)
    return (
        f"seen: groups of {fast} are the fastest here, {medians[slow] / medians[fast]:.2g} times "
        f"as fast as {slow}; {len(launch.refused)} of {len(shapes)} shapes were refused"
    )


def unpack(found):
    """Return table and best, or raise `Wrong` if it is not these two."""
    if not isinstance(found, tuple) or len(found) != 2 or not isinstance(found[0], dict):
        raise Wrong("sweep returns two values: the table, a dict, and the best shape")
    return found


def check_table(table, best, launch, shapes, repeats):
    """Raise `Wrong` at the first shape whose time is not that of its events."""
    for shape in shapes:
        events = launch.events.get(shape, [])
        if shape in launch.refused:
            if shape in table:
                raise Wrong(f"{shape}: the device refused it, and the table has it")
            continue
        if len(events) != repeats + 1:
            raise Wrong(
                f"{shape}: {len(events)} launches, expected one that does not count, and "
                f"REPEATS = {repeats}"
            )
        if shape not in table:
            raise Wrong(f"{shape}: launched, but not in the table")
        wanted = median(events)
        if abs(table[shape] - wanted) > 1e-9 * wanted:
            raise Wrong(
                f"{shape}: the median of its {repeats} events is {wanted:.4g} s from start to "
                f"end, the table says {table[shape]:.4g} s"
            )
    if set(table) - set(shapes):
        raise Wrong("the table has shapes that nobody asked for")
    if best != min(table, key=table.get):
        raise Wrong(f"the best is {best}, but the least time of the table is another's")


def median(events):
    """Return the seconds from start to end by the device's clock, without the first event."""
    return statistics.median(1e-9 * (e.profile.end - e.profile.start) for e in events[1:])


def check_other_errors(module):
    """Raise `Wrong` if an error that has nothing to do with the shape is passed over."""
    context = pixels.context()
    queue = cl.CommandQueue(context)
    bare = cl.Kernel(pixels.program(), "polygon_mask")  # its arguments were never set

    def launch(shape):
        return cl.enqueue_nd_range_kernel(queue, bare, shape[::-1], shape[::-1])

    try:
        module.sweep(launch, [(1, 1)])
    except cl.Error:
        return
    raise Wrong(
        "a kernel without arguments: the device's error was passed over; only shapes that are too "
        "large may be, and `error.code` says why it was refused"
    )
