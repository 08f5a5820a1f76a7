"""Launches a kernel in work-groups that jut out of the image, and where no image is at all."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same_mask

GROUP = (4, 8)  # rows and columns
MARGIN = 3 * GROUP[1]


def check(module, random):
    """Raise `Wrong` if a work-group that juts out of the image shows."""
    rows, cols = (random.randrange(9, 40, 4) + 1, random.randrange(9, 40, 8) + 1)
    vertices = workload.polygon(9, (rows, cols), random.randrange(10**6))
    got = module.make_mask(vertices, (rows, cols), work_group=GROUP)
    label = f"{rows} x {cols} pixels in work-groups of {GROUP[0]} x {GROUP[1]}"
    same_mask(got, reference.mask(vertices, (rows, cols)), label)
    for what, first in (
        ("to the right of the image", (cols, 0)),
        ("below the image", (0, rows)),
    ):
        written = np.flatnonzero(launched(module, vertices, (rows, cols), first) != RUBBISH)
        if written.size:
            raise Wrong(
                f"the masks are right, but the items {what} wrote {written.size} bytes, which are "
                "not theirs: the first is byte "
                f"{written[0]} of a mask of {rows * cols}"
            )


def launched(module, vertices, shape, first):
    """Return the mask's memory, and a margin after it, as items from `first` on leave it."""
    import pyopencl as cl

    from polymask.opencl import pixels

    (rows, cols), flags = shape, cl.mem_flags.COPY_HOST_PTR
    memory = np.full((rows + MARGIN) * (cols + MARGIN), RUBBISH, np.uint8)
    queue = cl.CommandQueue(pixels.context())
    d_vertices = cl.Buffer(pixels.context(), flags, hostbuf=vertices)
    d_memory = cl.Buffer(pixels.context(), flags, hostbuf=memory)
    kernel = cl.Kernel(module.program, "polygon_mask")
    kernel.set_args(d_vertices, np.int64(len(vertices)), np.int32(1),
                    np.int64(rows), np.int64(cols), d_memory)  # fmt: skip
    size = (GROUP[1], GROUP[0])
    cl.enqueue_nd_range_kernel(queue, kernel, size, size, global_work_offset=first)
    cl.enqueue_copy(queue, memory, d_memory)
    return memory
