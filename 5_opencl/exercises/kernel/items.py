"""What single work items write: one pixel each, those beyond the image none."""

import numpy as np

from polymask.workshop import concepts
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong

GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def check_alone(answer, vertices, shape):
    """Raise `Wrong` if an item writes other pixels than its own: it may have a loop over all."""
    written = written_alone(answer, vertices, shape)
    if written.size > 1 and not strides(answer, vertices, shape):
        raise Wrong(
            f"one work item was launched alone, and wrote {written.size} pixels: it has one, that "
            "of its column and row, and the device has an item for each pixel, so that the kernel "
            "needs no loop over them"
        )


def check_outside(answer, vertices, shape):
    """Raise `Wrong` if an item beyond the image writes."""
    rows, cols = shape
    middle = cols // 2, rows // 2
    written = written_alone(answer, vertices, shape, middle)
    if written.tolist() != [middle[1] * cols + middle[0]]:
        return  # it asks for its group and its place there, which a launch cannot move
    for what, first in (
        ("to the right of the image", (cols, 0)),
        ("below the image", (0, rows)),
    ):
        memory = launched(answer, vertices, shape, GROUP, GROUP, first)
        say_beyond(memory, f"the items {what}", rows * cols)


def written_alone(answer, vertices, shape, item=(0, 0)):
    """Return the places in the mask's memory that an item writes to, given its column and row."""
    return np.flatnonzero(launched(answer, vertices, shape, (1, 1), None, item) != RUBBISH)


def strides(answer, vertices, shape):
    """Whether items go on in strides of the launch's size, as kernels of CUDA often do.

    Where all but the first row and the first column are launched, each has its own pixel.
    """
    rows, cols = shape
    memory = launched(answer, vertices, shape, (rows - 1, cols - 1), None, (1, 1))
    written = memory[: rows * cols].reshape(shape) != RUBBISH
    return bool(written[1:, 1:].all() and not written[0].any() and not written[:, 0].any())


def say_beyond(memory, items, n):
    """Raise `Wrong` if there is more than rubbish in the memory."""
    written = np.flatnonzero(memory != RUBBISH)
    if written.size:
        raise Wrong(
            f"the masks are right, but {items} wrote {written.size} bytes, which are not theirs: "
            f"what holds them back? The mask has {n} bytes {concepts.GUARD}"
        )


def launched(answer, vertices, shape, items, group, first=(0, 0)):
    """Return the mask's memory, and a margin after it, as items from `first` on leave it."""
    memory = np.full((shape[0] + MARGIN) * (shape[1] + MARGIN), RUBBISH, np.uint8)
    return answer.inside("launched", vertices, shape, memory, items, group, first)
