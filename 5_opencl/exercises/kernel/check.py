"""Launches a kernel in work-groups that jut out of the image, and where no image is at all."""

import numpy as np
import pyopencl as cl

from polymask.ladder import reference, workload
from polymask.opencl import pixels
from polymask.workshop import concepts
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same_mask

SMALL = 9, 13  # an image of which one item makes all pixels soon, if it has a loop over them
GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def first(answer, random):
    """Raise `Wrong` if one item has many pixels: with a loop in each item masks take minutes."""
    check_alone(answer, workload.polygon(9, SMALL, random.randrange(10**6)), SMALL)


def check(answer, random):
    """Raise `Wrong` if items beyond the image show."""
    check_beyond(answer, random)
    rows, cols = (random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1)
    vertices = workload.polygon(9, (rows, cols), random.randrange(10**6))
    check_outside(answer, vertices, (rows, cols))
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
    (rows, cols), flags = shape, cl.mem_flags.COPY_HOST_PTR
    memory = np.full((rows + MARGIN) * (cols + MARGIN), RUBBISH, np.uint8)
    queue = cl.CommandQueue(pixels.context())
    d_vertices = cl.Buffer(pixels.context(), flags, hostbuf=vertices)
    d_memory = cl.Buffer(pixels.context(), flags, hostbuf=memory)
    kernel = cl.Kernel(answer.program, "polygon_mask")
    kernel.set_args(d_vertices, np.int64(len(vertices)), np.int32(1),
                    np.int64(rows), np.int64(cols), d_memory)  # fmt: skip
    local_size = None if group is None else group[::-1]
    cl.enqueue_nd_range_kernel(queue, kernel, items[::-1], local_size, global_work_offset=first)
    cl.enqueue_copy(queue, memory, d_memory)
    return memory
