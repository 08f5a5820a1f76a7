"""Hands in launches that are kept a record of, and computes the table from their events."""

import statistics

from polymask.workshop.sandbox.wrong import Wrong

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
        raise Wrong("the table has shapes that nobody asked for")
    if best != min(table, key=table.get):
        raise Wrong(f"the best is {best}, but the least time of the table is another's")


def median(taken_ns):
    """Return the seconds from start to end by the device's clock, without the first event."""
    return statistics.median(1e-9 * ns for ns in taken_ns[1:])
