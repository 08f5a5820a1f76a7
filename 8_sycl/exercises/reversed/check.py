"""Number images that are not square, and examine the kernels submitted to queues."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same

UNDER = {"submitted": {}}
SHAPES = ((3, 5), (7, 4), (1, 9), (9, 1), (6, 6), (40, 23))


def check(answer, random):
    """Raise `CheckFailed` unless a kernel numbers each pixel, and `untouched` is right."""
    for rows, cols in SHAPES:
        check_image(answer, rows, cols, random.randrange(1, 900))
    for rows, cols in SHAPES:
        right = sum(x >= rows or y >= cols for y in range(rows) for x in range(cols))
        label = f"untouched({rows}, {cols}), where x runs below {rows} and y below {cols}"
        same(answer.untouched(rows, cols), right, label)


def check_image(answer, rows, cols, first):
    """Raise `CheckFailed` unless an image is right, and a kernel computed it."""
    label = f"an image of {rows} x {cols}, from {first} on"
    child.step(f"numbering {label}")
    got, facts = child.observe(answer.numbered, rows, cols, first)
    y, x = np.indices((rows, cols), np.int32)
    with advising("which pixels have no work item? The last number of a range is that of x"):
        same(got, np.int32(first) + np.int32(1000) * y + x, label)
    if not facts["submitted"]:
        fact = f"{label}: the answer is right"
        raise CheckFailed(f"{fact}, but no kernel was submitted: the host computed it")
