"""Change copies and originals, delete them, and look for memory that is not freed."""

from ladder.workshop.sandbox import child, garbage, memory
from ladder.workshop.sandbox.check_failed import CheckFailed

N = 90
SHARED = "a change of one row has changed the other: each must own a buffer"
ALIVE = []  # rows with a common buffer, whose deletion would crash before the message is sent


def check(answer, random):
    """Raise `CheckFailed` if two rows share a buffer, or if one is never freed."""

    def assigned(row):
        other = answer.Row(3, 1.0)  # of another length
        other.assign(row)
        return other

    value = random.randrange(2, 99)
    garbage.perturb(garbage.GARBAGE)  # freed memory becomes garbage
    for by, make in ("the copy constructor", answer.Row.copy), ("the assignment", assigned):
        child.step(f"changing rows made with {by}")
        ALIVE.extend([row := answer.Row(N, value), middle := make(row), other := make(middle)])
        compare(
            other,
            value,
            f"after {by}: wrong numbers: copy each member, and all numbers",
        )
        other.set(N - 1, 0.0)
        compare(row, value, f"after {by}: {SHARED}")
        row.assign(row)
        compare(row, value, "after row.assign(row): its buffer was freed before it was copied")
        child.step(f"deleting rows made with {by}")
        del ALIVE[:], row, middle, other
    garbage.perturb(0)
    child.step("assigning rows, and deleting them")
    grown = memory.measure_leak(
        lambda v: answer.Row(2 * len(v), 1.0).assign(answer.Row(9, 1.0)), 2000, 5000
    )
    if grown > memory.MOST_BYTES:
        rows = f"{grown / 1e6:.0f} MB of deleted rows"
        raise CheckFailed(f"{rows} are not freed: does the assignment free the old buffer?")


def compare(row, value, message):
    """Raise `CheckFailed` unless all numbers of a row have the value."""
    if any(row.get(i) != value for i in range(N)):
        raise CheckFailed(message)
