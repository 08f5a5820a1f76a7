"""Pass a recorded `launch`, and compare the table with the events of the launches."""

import statistics

import pyopencl as cl

from polymask.opencl import pixels
from polymask.workshop.sandbox.check_failed import CheckFailed
from polymask.workshop.sandbox.environments import holding

HELD_S = 0.1  # delay, much longer than a command takes otherwise
FEWEST = 3  # measured launches


def check(answer, random):
    """Raise `CheckFailed` unless the table agrees with the events; return a note of the times."""
    repeats = getattr(answer, "REPEATS", None)
    if not isinstance(repeats, int) or repeats < FEWEST:
        raise CheckFailed(
            f"REPEATS is {repeats}: for a meaningful median, use at least {FEWEST} launches"
        )
    most = pixels.context().devices[0].max_work_group_size
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (1, 2 * most), (8, 8), (most, most), (2, 32)]
    random.shuffle(shapes)
    check_sweep(answer, answer.launcher(64), [(1, 2 * most)])  # the device accepts none
    for size in (random.randrange(30, 60), random.randrange(150, 400)):
        times = check_sweep(answer, answer.launcher(size), shapes)
    check_waits(answer)
    check_errors(answer)
    fast, slow = min(times, key=times.get), max(times, key=times.get)
    return (
        f"seen: groups of {fast} are the fastest, {times[slow] / times[fast]:.2g} times as fast "
        f"as {slow}; {len(shapes) - len(times)} of {len(shapes)} shapes were rejected"
    )


def check_sweep(answer, launch, shapes):
    """Raise `CheckFailed` unless table and best agree with the events; return the right table."""
    events, right = {}, {}

    def recorded(shape):
        launches = events.setdefault(shape, [])
        launches.append(launch(shape))
        return launches[-1]

    try:
        result = answer.sweep(recorded, shapes)
    except cl.RuntimeError:
        raise CheckFailed(
            "the times of a launch were read before it was done: wait for each event, not only for "
            "the last one, because launches may end in a different order"
        ) from None
    if not isinstance(result, tuple | list) or len(result) != 2 or not isinstance(result[0], dict):
        raise CheckFailed("sweep must return two values: the table, a dict, and the best shape")
    table, best = result
    for shape in shapes:
        if events.get(shape) == []:
            if shape in table:
                raise CheckFailed(f"{shape}: the device rejected this shape, but the table has it")
            continue
        n = len(events.get(shape, ()))
        if n != answer.REPEATS + 1:
            raise CheckFailed(
                f"{shape}: {n} launches, expected one to warm up and REPEATS = {answer.REPEATS}"
            )
        if shape not in table:
            raise CheckFailed(f"{shape}: launched, but not in the table")
        right[shape] = statistics.median(map(seconds, events[shape][1:]))
        if abs(table[shape] - right[shape]) > 1e-9 * right[shape]:
            raise CheckFailed(
                f"{shape}: the median of its {n - 1} events is {right[shape]:.4g} s from start to "
                f"end, but the table contains {table[shape]:.4g} s"
            )
    if set(table) - set(shapes):
        raise CheckFailed("the table has shapes that were not passed to sweep")
    if best != min(table, key=table.get, default=None):
        raise CheckFailed(f"the best is {best}, but another shape has the shortest time")
    return right


def seconds(event):
    """Return an event's seconds from start to end on the device's clock."""
    event.wait()
    return 1e-9 * (event.profile.end - event.profile.start)


def check_waits(answer):
    """Raise `CheckFailed` unless each launch is waited for; the first measured one ends last."""
    context, delays = pixels.context(), []
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    d_array, launches = cl.Buffer(context, cl.mem_flags.READ_WRITE, 64), []

    def launch(shape):
        launches.append(cl.CommandQueue(context, properties=profiling))
        if len(launches) == 2:
            delays.append(holding.Delay(context, HELD_S))
        wait_for = [delays[0].event] if len(launches) == 2 else None
        event = cl.enqueue_fill_buffer(launches[-1], d_array, b"\0", 0, 64, wait_for=wait_for)
        launches[-1].flush()
        return event

    try:
        check_sweep(answer, launch, [(1, 1)])
    finally:
        for delay in delays:
            delay.let_go()


def check_errors(answer):
    """Raise `CheckFailed` if an error that is not about the shape is ignored."""
    queue = cl.CommandQueue(pixels.context())  # records no times
    bare = cl.Kernel(pixels.program(), "polygon_mask")  # its arguments were never set
    for label, launch in {
        "a kernel without arguments": lambda shape: cl.enqueue_nd_range_kernel(
            queue, bare, shape, shape
        ),
        "a time that was not recorded": lambda shape: cl.enqueue_marker(queue).profile.start,
        "a Python error": lambda shape: 1 // 0,
    }.items():
        try:
            answer.sweep(launch, [(1, 1)])
        except (cl.Error, ZeroDivisionError):
            continue
        raise CheckFailed(
            f"{label}: the error was ignored; skip only shapes that are too large, as indicated "
            "by `error.code`"
        )
