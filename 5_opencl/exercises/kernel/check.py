"""Launch a kernel in work-groups that extend beyond the image, and for a part of the image."""

import numpy as np
import pyopencl as cl

from ladder.opencl import pixels
from ladder.registry import reference, workload
from ladder.workshop import concepts
from ladder.workshop.sandbox import cases
from ladder.workshop.sandbox.check_failed import CheckFailed, same_mask
from ladder.workshop.sandbox.garbage import GARBAGE
from ladder.workshop.student import pictures

GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def first(answer, random):
    """Raise `CheckFailed` if an item computes many pixels, or one beyond the image."""
    rows, cols = shape = 9, 13
    vertices = workload.polygon(9, shape, random.randrange(10**6))
    # all but the first row and column; kernels that stride by the launch size write as many
    items = rows - 1, cols - 1
    memory = launched(answer, vertices, shape, items, first=(1, 1))
    written, launches = np.count_nonzero(memory != GARBAGE), items[0] * items[1]
    if written > launches:
        raise CheckFailed(
            f"{launches} work items were launched, but wrote {written} pixels: write only the "
            "pixel of the item's column and row. There is one item per pixel, so the kernel "
            "needs no loop over them"
        )
    shape = 1, random.randrange(9, 40, 8) + 1
    vertices = np.array([(-1.0, -1.0), (shape[1] + 1.0, -1.0), (shape[1] / 2, 7.0)])
    items = GROUP[0], -(-shape[1] // GROUP[1]) * GROUP[1]
    memory = launched(answer, vertices, shape, items, GROUP)
    got, right = memory[: shape[1]].reshape(shape), reference.mask(vertices, shape)
    if written := np.array_equal(got, right) * np.count_nonzero(memory[shape[1] :] != GARBAGE):
        fact = f"the mask is right, but the items beyond an image of {shape} wrote {written} bytes"
        raise CheckFailed(fact, advice=f"which condition prevents this? {concepts.GUARD}")


def check(answer, random):
    """Return a picture; raise `CheckFailed` if an image is wrong in work-groups."""
    shape = random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1
    vertices, right = cases.random_mask(random, shape)
    got = answer.make_mask(vertices, shape, work_group=GROUP)
    same_mask(got, right, f"an image of {shape} in work-groups of {GROUP}")
    picture = pictures.tiles((5, 18), GROUP)
    return f"seen: work-groups of {GROUP} for an image of (5, 18); `.` has no pixel:\n{picture}"


def launched(answer, vertices, shape, items, group=None, first=(0, 0)):
    """Return the memory of the mask and a margin after a launch of items from `first` on."""
    (rows, cols), flags = shape, cl.mem_flags.COPY_HOST_PTR
    memory = np.full((rows + MARGIN) * (cols + MARGIN), GARBAGE, np.uint8)
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
