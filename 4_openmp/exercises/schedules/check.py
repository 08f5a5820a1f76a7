"""Compare the model with known loads."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed

TOP = [9] * 8 + [1] * 8  # the costs of rows of a polygon in the upper half


def check(answer, random):
    """Raise `CheckFailed` at the first wrong loads."""
    cases = [(TOP, 2, 1), (TOP, 2, 16), ([1, 1], 4, 1), ([], 2, 1), ([5, 1, 1, 1, 1], 2, 1)]
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        costs = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
        cases.append((costs, threads, chunk))
    for costs, threads, chunk in cases:
        rows = -(-len(costs) // threads)
        blocks = [sum(costs[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(answer, "static", costs, threads, expected=blocks)
        loads, takers = [0] * threads, ""
        for first in range(0, len(costs), chunk):
            taker = loads.index(min(loads))
            loads[taker] += sum(costs[first : first + chunk])
            takers += str(taker)
        compare(answer, "dynamic", costs, threads, chunk, expected=loads)
        if costs is TOP and chunk == 1:
            blocks = "".join(str(row // rows) for row in range(len(costs)))
            note = f"seen: rows of {TOP}, by thread: static {blocks}, dynamic {takers}"
    return note


def compare(answer, name, *arguments, expected):
    """Raise `CheckFailed` unless a function of the model gives the expected loads."""
    call = f"{name}({', '.join(map(str, arguments))})"
    try:
        got, facts = child.observe(getattr(answer, name), *arguments)
    except ValueError as error:
        raise CheckFailed(f"{call}: {error}") from None
    if not np.array_equal(got, expected):  # also for a tuple or an array
        raise CheckFailed(f"{call}: expected {expected}, got {got}")
    if facts["changed"]:
        raise CheckFailed(f"{call}: the list of costs was changed: it belongs to the caller")
