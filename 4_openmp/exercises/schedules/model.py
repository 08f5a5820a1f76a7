"""The model of schedules, held against loads that are known, and against drawn ones."""

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong


def check_model(answer, random):
    """Raise `Wrong` at the first loads that are not right."""
    top = [9] * 8 + [1] * 8  # the polygon lies in the upper half
    drawn = [random.randrange(1, 50) for _ in range(random.randrange(11, 23))]
    compare("static([9] * 8 + [1] * 8, 2)", answer.static(top, 2), [72, 8])
    compare("static(7 rows of cost 1, 3)", answer.static([1] * 7, 3), [3, 3, 1])
    compare("dynamic([9] * 8 + [1] * 8, 2, 1)", answer.dynamic(top, 2, 1), [40, 40])
    compare("dynamic([9] * 8 + [1] * 8, 2, 16)", answer.dynamic(top, 2, 16), [80, 0])
    compare("dynamic([5, 1, 1, 1, 1], 2, 1)", answer.dynamic([5, 1, 1, 1, 1], 2, 1), [5, 4])
    compare("dynamic([1, 5], 2, 1)", answer.dynamic([1, 5], 2, 1), [1, 5])
    compare("dynamic([1, 2, 3, 4, 5], 2, 2)", answer.dynamic([1, 2, 3, 4, 5], 2, 2), [8, 7])
    compare("static(2 rows of cost 1, 4)", answer.static([1, 1], 4), [1, 1, 0, 0])
    for threads, chunk in ((random.randrange(2, 6), random.randrange(1, 5)) for _ in range(3)):
        rows = -(-len(drawn) // threads)
        blocks = [sum(drawn[k * rows : (k + 1) * rows]) for k in range(threads)]
        compare(f"static({drawn}, {threads})", answer.static(drawn, threads), blocks)
        loads = dealt(drawn, threads, chunk)
        called = f"dynamic({drawn}, {threads}, {chunk})"
        compare(called, answer.dynamic(drawn, threads, chunk), loads)


def dealt(costs, threads, chunk):
    """Return the loads of threads of which the first free one takes the next rows."""
    loads = [0] * threads
    for first in range(0, len(costs), chunk):
        loads[min(range(threads), key=loads.__getitem__)] += sum(costs[first : first + chunk])
    return loads


def is_sequence(value):
    """Whether a value is a list of numbers, whatever kind of list."""
    return isinstance(value, list | tuple) or (type(value) is np.ndarray and value.ndim == 1)


def compare(call, got, expected):
    """Raise `Wrong` unless a call gave what is expected."""
    if not is_sequence(got) or list(got) != expected:
        raise Wrong(f"{call}: expected {expected}, got {got}")
