"""Launches a kernel in work-groups that jut out of the image, and where no image is at all."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same_mask

GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def check(answer, random):
    """Raise `Wrong` if items beyond the image show, or one has many pixels."""
    check_beyond(answer, random)
    rows, cols = (random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1)
    vertices = workload.polygon(9, (rows, cols), random.randrange(10**6))
    check_alone(answer, vertices, (rows, cols))
    got = answer.make_mask(vertices, (rows, cols), work_group=GROUP)
    label = f"{rows} x {cols} pixels in work-groups of {GROUP[0]} x {GROUP[1]}"
    same_mask(got, reference.mask(vertices, (rows, cols)), label)


def check_beyond(answer, random):
    """Raise `Wrong` if items beyond an image write: of one row, where all of that shows."""
    shape = 1, random.randrange(9, 40, 8) + 1
    vertices = np.array([(-1.0, -1.0), (shape[1] + 1.0, -1.0), (shape[1] / 2, 7.0)])
    items = GROUP[0], -(-shape[1] // GROUP[1]) * GROUP[1]
    memory = launched(answer, vertices, shape, items, GROUP)
    same_mask(
        memory[: shape[1]].reshape(shape), reference.mask(vertices, shape), f"an image of {shape}"
    )
    say_beyond(memory[shape[1] :], f"the items beyond an image of {shape}", shape[1])


def check_alone(answer, vertices, shape):
    """Raise `Wrong` if an item writes another pixel than its own, or one that has none does."""
    rows, cols = shape
    where = {}
    for x, y in ((0, 0), (cols // 2, rows // 2)):
        written = np.flatnonzero(launched(answer, vertices, shape, (1, 1), None, (x, y)) != RUBBISH)
        if written.size > 1:
            raise Wrong(
                f"one work item was launched alone, and wrote {written.size} pixels: it has one, "
                "that of its column and row, and the device has an item for each pixel"
            )
        where[x, y] = written
    if where[cols // 2, rows // 2].tolist() != [rows // 2 * cols + cols // 2]:
        return  # it asks for its group and its place there, which a launch cannot move
    for what, first in (
        ("to the right of the image", (cols, 0)),
        ("below the image", (0, rows)),
    ):
        memory = launched(answer, vertices, shape, GROUP, GROUP, first)
        say_beyond(memory, f"the items {what}", rows * cols)


def say_beyond(memory, items, n):
    """Raise `Wrong` if there is more than rubbish in the memory."""
    written = np.flatnonzero(memory != RUBBISH)
    if written.size:
        raise Wrong(
            f"the masks are right, but {items} wrote {written.size} bytes, which are not theirs: "
            f"what holds them back? The mask has {n} bytes"
        )


def launched(answer, vertices, shape, items, group, first=(0, 0)):
    """Return the mask's memory, and a margin after it, as items from `first` on leave it."""
    memory = np.full((shape[0] + MARGIN) * (shape[1] + MARGIN), RUBBISH, np.uint8)
    return answer.inside("launched", vertices, shape, memory, items, group, first)
