"""Hands in a buffer that is larger than the mask, full of rubbish around it, and looks around."""

import numpy as np
import pyopencl as cl

from polymask.ladder import reference, workload
from polymask.opencl import pixels
from polymask.workshop.sandbox.launches import Launches
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same, same_mask

MARK = 31415
# In the place of the kernel: what the launch was, written where the mask would be.
PROBE = """
kernel void invert(const int rows, const int cols, const int pitch, global int *seen)
{
    if (get_global_id(0) + get_global_id(1) == 0) {
        seen[0] = get_global_size(0);
        seen[1] = get_global_size(1);
        seen[2] = get_local_size(0);
        seen[3] = get_local_size(1);
        seen[4] = MARK;
    }
}
"""

# (rows, cols) of the image and of a work-group: neither, one, or both are multiples
CASES = [
    ((8, 16), (4, 8)),
    ((7, 16), (4, 8)),
    ((8, 17), (4, 8)),
    ((1, 1), (4, 8)),
    ((3, 41), (8, 2)),
    ((65, 31), (1, 16)),
    ((13, 5), (1, 1)),
    ((0, 9), (4, 8)),
    ((6, 0), (4, 8)),
]


def check(module, random):
    """Raise `Wrong` at the first pixel that is missing, and at the first byte beyond the image."""
    for n, group in ((1, 8), (7, 8), (8, 8), (9, 8), (0, 8), (random.randrange(10**6), 24)):
        same(module.whole_groups(n, group), multiple(n, group), f"whole_groups({n}, {group})")
    queue = cl.CommandQueue(pixels.context())
    drawn = (random.randrange(20, 90), random.randrange(20, 90)), (random.choice((2, 4)), 16)
    for shape, group in [*CASES, drawn]:
        check_image(module, queue, shape, group, random.randrange(10**6))
    check_launch(module, queue)


def multiple(n, group):
    """Return the least multiple of `group` that is not below `n`."""
    return next(k for k in range(n, n + group) if k % group == 0)


def check_image(module, queue, shape, group, seed):
    """Raise `Wrong` unless just the pixels of one image are inverted, and by the device."""
    (rows, cols), label = shape, f"an image of {shape}, groups of {group}"
    mask = reference.mask(workload.polygon(9, (rows + 1, cols + 1), seed), shape)
    h_padded = np.full((rows + group[0], cols + group[1]), RUBBISH, np.uint8)
    h_padded[:rows, :cols] = mask
    d_padded = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_padded.nbytes)
    cl.enqueue_copy(queue, d_padded, h_padded)
    pitch = h_padded.shape[1]
    with Launches(cl.Kernel, module) as seen:
        module.invert(queue, d_padded, shape, pitch, group)
    cl.enqueue_copy(queue, h_padded, d_padded)
    same_mask(np.ascontiguousarray(h_padded[:rows, :cols]), 1 - mask, label)
    for where, part in (
        ("right of", h_padded[:rows, cols:]),
        ("below", h_padded[rows:, :cols]),
        ("right of and below", h_padded[rows:, cols:]),
    ):
        touched = int(np.count_nonzero(part != RUBBISH))
        if touched:
            raise Wrong(
                f"{label}: {touched} bytes {where} the image were written to: which items are "
                "there, and what holds them back?"
            )
    if mask.size:
        seen.need(label)


def check_launch(module, queue):
    """Raise `Wrong` unless just the groups that are needed are launched, of the size asked for."""
    kernel, module.KERNEL = module.KERNEL, PROBE.replace("MARK", str(MARK))
    try:
        for shape, group in (((13, 41), (4, 8)), ((8, 16), (2, 16))):
            h_seen = np.zeros(1024, np.int32)  # large enough for the mask, too
            d_seen = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_seen.nbytes)
            cl.enqueue_copy(queue, d_seen, h_seen)
            module.invert(queue, d_seen, shape, shape[1], group)
            cl.enqueue_copy(queue, h_seen, d_seen)
            width, height, cols, rows, mark = h_seen[:5].tolist()
            if mark != MARK:
                return  # the kernel was built elsewhere, and is not ours
            label = f"an image of {shape}, groups of {group}"
            if (rows, cols) != group:
                raise Wrong(f"{label}: the groups that were launched are of {(rows, cols)}")
            wanted = multiple(shape[0], group[0]), multiple(shape[1], group[1])
            if (height, width) != wanted:
                raise Wrong(
                    f"{label}: {height} x {width} items, {wanted[0]} x {wanted[1]} are needed"
                )
    finally:
        module.KERNEL = kernel
