"""Pass a recorded `launch`, and compare the table with the events of the launches."""

import statistics

import pyopencl as cl

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same
from ladder.workshop.sandbox.environments import launches

UNDER = {"launches": {}}
HELD_S = 0.05  # delay, much longer than the kernel takes


def check(answer, random):
    """Raise `CheckFailed` unless the table agrees with the events; return a note of the times."""
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (8, 8), (2, 32)]
    random.shuffle(shapes)
    times = check_sweep(answer, answer.launcher(random.randrange(150, 400)), shapes)
    with child.switched("launches", holds=HELD_S):
        check_sweep(answer, answer.launcher(64), [(1, 1)])
    fast, slow = min(times, key=times.get), max(times, key=times.get)
    return (
        f"seen: groups of {fast} are the fastest, {times[slow] / times[fast]:.2g} times as fast "
        f"as {slow}"
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
        fact = "the times of a launch were read before it was done"
        raise CheckFailed(fact, advice="wait for each event") from None
    if not isinstance(result, tuple | list) or len(result) != 2 or not isinstance(result[0], dict):
        raise CheckFailed("sweep must return two values: the table, a dict, and the best shape")
    table, best = result
    for shape in shapes:
        n = len(events.get(shape, ()))
        if n != answer.REPEATS + 1:
            right_number = f"one to warm up and REPEATS = {answer.REPEATS}"
            raise CheckFailed(f"{shape}: {n} launches, expected {right_number}")
        cl.wait_for_events(events[shape])
        profiles = [event.profile for event in events[shape][1:]]
        right[shape] = statistics.median(1e-9 * (times.end - times.start) for times in profiles)
        label = f"{shape}: the median of its events from start to end, in seconds"
        same(table.get(shape), right[shape], label, rtol=1e-9)
    if best not in table:
        raise CheckFailed(f"the best must be a shape, got {best}")
    if best != min(table, key=table.get):
        raise CheckFailed(f"the best is {best}, but another shape has the shortest time")
    return right
