"""Hands in launches that are kept a record of, and computes the table from their events."""

import statistics

import pyopencl as cl

from polymask.opencl import pixels
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.environments import holding

HELD_S = 0.1  # a command that nothing holds is done far sooner
FEWEST = 3  # launches that count


def check(answer, random):
    """Raise `CheckFailed` unless the table is what the events say; return what was measured."""
    repeats = getattr(answer, "REPEATS", None)
    if not isinstance(repeats, int) or repeats < FEWEST:
        raise CheckFailed(
            f"REPEATS is {repeats}: the median of fewer than {FEWEST} launches says little"
        )
    most = pixels.context().devices[0].max_work_group_size
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (1, 2 * most), (8, 8), (most, most), (2, 32)]
    random.shuffle(shapes)
    check_sweep(answer, answer.launcher(64), [(1, 2 * most)])  # the device takes none
    for size in (random.randrange(30, 60), random.randrange(150, 400)):
        seen = check_sweep(answer, answer.launcher(size), shapes)
    check_waits(answer)
    check_errors(answer)
    fast, slow = min(seen, key=seen.get), max(seen, key=seen.get)
    return (
        f"seen: groups of {fast} are the fastest here, {seen[slow] / seen[fast]:.2g} times as fast "
        f"as {slow}; {len(shapes) - len(seen)} of {len(shapes)} shapes were refused"
    )


def check_sweep(answer, launch, shapes):
    """Raise `CheckFailed` unless table and best are what the events say; return the right table."""
    events, right = {}, {}

    def recorded(shape):
        of_shape = events.setdefault(shape, [])
        of_shape.append(launch(shape))
        return of_shape[-1]

    try:
        found = answer.sweep(recorded, shapes)
    except cl.RuntimeError:
        raise CheckFailed(
            "the times of a launch were asked for before it was done: wait for each event, not for "
            "the last alone, as launches may end in another order than they began"
        ) from None
    if not isinstance(found, tuple | list) or len(found) != 2 or not isinstance(found[0], dict):
        raise CheckFailed("sweep returns two values: the table, a dict, and the best shape")
    table, best = found
    for shape in shapes:
        if events.get(shape) == []:
            if shape in table:
                raise CheckFailed(f"{shape}: the device refused it, and the table has it")
            continue
        n = len(events.get(shape, ()))
        if n != answer.REPEATS + 1:
            raise CheckFailed(
                f"{shape}: {n} launches, expected one that does not count, and "
                f"REPEATS = {answer.REPEATS}"
            )
        if shape not in table:
            raise CheckFailed(f"{shape}: launched, but not in the table")
        right[shape] = statistics.median(map(seconds, events[shape][1:]))
        if abs(table[shape] - right[shape]) > 1e-9 * right[shape]:
            raise CheckFailed(
                f"{shape}: the median of its {n - 1} events is {right[shape]:.4g} s from start to "
                f"end, the table says {table[shape]:.4g} s"
            )
    if set(table) - set(shapes):
        raise CheckFailed("the table has shapes that were not handed in")
    if best != min(table, key=table.get, default=None):
        raise CheckFailed(f"the best is {best}, but the least time of the table is another's")
    return right


def seconds(event):
    """Return an event's seconds from start to end by the device's clock."""
    event.wait()
    return 1e-9 * (event.profile.end - event.profile.start)


def check_waits(answer):
    """Raise `CheckFailed` unless each launch is waited for: the first that counts is done last."""
    context, held = pixels.context(), []
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    d_array, launches = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64), []

    def launch(shape):
        launches.append(cl.CommandQueue(context, properties=profiling))
        if len(launches) == 2:
            held.append(holding.Delay(context, HELD_S))
        wait_for = [held[0].event] if len(launches) == 2 else None
        event = cl.enqueue_fill_buffer(launches[-1], d_array, b"\0", 0, 64, wait_for=wait_for)
        launches[-1].flush()
        return event

    try:
        check_sweep(answer, launch, [(1, 1)])
    finally:
        for one in held:
            one.let_go()


def check_errors(answer):
    """Raise `CheckFailed` if an error is passed over that has nothing to do with the shape."""
    queue = cl.CommandQueue(pixels.context())  # keeps no times
    bare = cl.Kernel(pixels.program(), "polygon_mask")  # its arguments were never set
    for label, launch in {
        "a kernel without arguments": lambda shape: cl.enqueue_nd_range_kernel(
            queue, bare, shape, shape
        ),
        "a time that the device does not know": lambda shape: (
            cl.enqueue_marker(queue).profile.start
        ),
        "an error of Python's": lambda shape: 1 // 0,
    }.items():
        try:
            answer.sweep(launch, [(1, 1)])
        except (cl.Error, ZeroDivisionError):
            continue
        raise CheckFailed(
            f"{label}: the error was passed over; only shapes that are too large may be, and "
            "`error.code` says why a device has refused"
        )
