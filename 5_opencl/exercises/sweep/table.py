"""The table that `sweep` returns, held against the events of its launches."""

import statistics

from polymask.workshop.sandbox.wrong import Wrong


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
