"""Hands in launches that are kept a record of, and computes the table from their events."""

from polymask.workshop.sandbox.wrong import Wrong

from .table import check_table, median, unpack

HELD_S = 0.1  # a kernel that nothing holds is done far sooner
FEWEST = 3  # launches that count
OTHERS = {  # errors that have nothing to do with the shape
    "a kernel without arguments": "arguments",
    "a time that the device does not know": "time",
    "an error of Python's": "python",
}


def check(answer, random):
    """Raise `Wrong` unless the table is what the events say; return what was measured."""
    if not hasattr(answer, "sweep"):
        raise Wrong("sweep.py has no function sweep")
    most = answer.inside("largest")
    shapes = [(1, 1), (1, 16), (4, 4), (16, 1), (1, 2 * most), (8, 8), (most, most), (2, 32)]
    random.shuffle(shapes)
    repeats = answer.REPEATS if hasattr(answer, "REPEATS") else None
    if not isinstance(repeats, int) or repeats < FEWEST:
        raise Wrong(f"REPEATS is {repeats}: the median of fewer than {FEWEST} launches says little")
    for size in (random.randrange(30, 60), random.randrange(150, 400)):
        seen = answer.inside("swept", size, tuple(shapes))
        table, best = unpack(seen["found"])
        check_table(table, best, seen, shapes, repeats)
    check_waits(answer, repeats)
    table, best = unpack(answer.inside("swept", 64, [(1, 2 * most)])["found"])
    if table or best is not None:
        raise Wrong(f"a device that takes no shape: expected ({{}}, None), got ({table}, {best})")
    for label, error in OTHERS.items():
        if answer.inside("passes_over", error):
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
    seen = answer.inside("out_of_order", HELD_S)
    if seen is None:
        raise Wrong(
            "the times of a launch were asked for before it was done: wait for each event, not for "
            "the last alone, as launches may end in another order than they began"
        )
    table, best = unpack(seen["found"])
    check_table(table, best, seen, [(1, 1)], repeats)
