"""Pass a recorded `launch`, and compare the table with the events of the launches."""

import statistics

import pyopencl as cl

from ladder.opencl import pixels
from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.sandbox.environments import launches

UNDER = {"launches": {}}
HELD_S = 0.05  # delay, much longer than the kernel takes
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
    times = check_sweep(answer, answer.launcher(random.randrange(150, 400)), shapes)
    with child.switched("launches", holds=HELD_S):
        check_sweep(answer, answer.launcher(64), [(1, 1)])
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
        events.setdefault(shape, []).append(launch(shape))
        return events[shape][-1]

    try:
        result = answer.sweep(recorded, shapes)
    except cl.RuntimeError:
        launches.release()
        raise CheckFailed(
            "the times of a launch were read before it was done: wait for each event"
        ) from None
    if not isinstance(result, tuple | list) or len(result) != 2 or not isinstance(result[0], dict):
        raise CheckFailed("sweep must return two values: the table, a dict, and the best shape")
    table, best = result
    for shape in [shape for shape in shapes if events.get(shape) != []]:  # not rejected
        n = len(events.get(shape, ()))
        if n != answer.REPEATS + 1:
            raise CheckFailed(
                f"{shape}: {n} launches, expected one to warm up and REPEATS = {answer.REPEATS}"
            )
        cl.wait_for_events(events[shape])
        profiles = [event.profile for event in events[shape][1:]]
        right[shape] = statistics.median(1e-9 * (times.end - times.start) for times in profiles)
    if set(table) != set(right):
        raise CheckFailed(f"the table has {list(table)}, but the device accepted {list(right)}")
    for shape, median in right.items():
        if abs(table[shape] - median) > 1e-9 * median:
            raise CheckFailed(
                f"{shape}: the median of its events is {median:.4g} s from start to end, but the "
                f"table contains {table[shape]:.4g} s"
            )
    if best != min(table, key=table.get, default=None):
        raise CheckFailed(f"the best is {best}, but another shape has the shortest time")
    return right


def check_errors(answer):
    """Raise `CheckFailed` if an error that is not about the shape is ignored."""
    queue = cl.CommandQueue(pixels.context())  # records no times
    bare = cl.Kernel(pixels.program(), "polygon_mask")  # its arguments were never set
    for label, launch in (
        ("no arguments", lambda shape: cl.enqueue_nd_range_kernel(queue, bare, shape, shape)),
        ("a time that was not recorded", lambda shape: cl.enqueue_marker(queue).profile.start),
        ("a Python error", lambda shape: 1 // 0),
    ):
        try:
            answer.sweep(launch, [(1, 1)])
        except (cl.Error, ZeroDivisionError):
            continue
        raise CheckFailed(
            f"{label}: the error was ignored; skip only shapes that are too large, by `error.code`"
        )
