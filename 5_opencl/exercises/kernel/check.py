"""Launches a kernel in work-groups that jut out of the image, and where no image is at all."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same_mask

GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def check(answer, random):
    """Raise `Wrong` if a work-group that juts out of the image shows."""
    rows, cols = (random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1)
    vertices = workload.polygon(9, (rows, cols), random.randrange(10**6))
    got = answer.make_mask(vertices, (rows, cols), work_group=GROUP)
    label = f"{rows} x {cols} pixels in work-groups of {GROUP[0]} x {GROUP[1]}"
    same_mask(got, reference.mask(vertices, (rows, cols)), label)
    for what, first in (
        ("to the right of the image", (cols, 0)),
        ("below the image", (0, rows)),
    ):
        written = np.flatnonzero(launched(answer, vertices, (rows, cols), first) != RUBBISH)
        if written.size:
            raise Wrong(
                f"the masks are right, but the items {what} wrote {written.size} bytes, which are "
                "not theirs: the first is byte "
                f"{written[0]} of a mask of {rows * cols}"
            )


def launched(answer, vertices, shape, first):
    """Return the mask's memory, and a margin after it, as items from `first` on leave it."""
    memory = np.full((shape[0] + MARGIN) * (shape[1] + MARGIN), RUBBISH, np.uint8)
    return answer.inside("launched", vertices, shape, memory, GROUP, first)
