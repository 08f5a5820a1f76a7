"""Hands in a buffer that is larger than the mask, full of rubbish around it, and looks around."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same, same_mask

UNDER = device.UNDER
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


def check(answer, random):
    """Raise `Wrong` at the first pixel that is missing, and at the first byte beyond the image."""
    for n, group in ((1, 8), (7, 8), (8, 8), (9, 8), (0, 8), (random.randrange(10**6), 24)):
        same(answer.whole_groups(n, group), multiple(n, group), f"whole_groups({n}, {group})")
    drawn = (random.randrange(20, 90), random.randrange(20, 90)), (random.choice((2, 4)), 16)
    for shape, group in [*CASES, drawn]:
        check_image(answer, shape, group, random.randrange(10**6))
    check_launch(answer)


def multiple(n, group):
    """Return the least multiple of `group` that is not below `n`."""
    return next(k for k in range(n, n + group) if k % group == 0)


def check_image(answer, shape, group, seed):
    """Raise `Wrong` unless just the pixels of one image are inverted, and by the device."""
    (rows, cols), label = shape, f"an image of {shape}, groups of {group}"
    answer.doing(f"inverting {label}")
    mask = reference.mask(workload.polygon(9, (rows + 1, cols + 1), seed), shape)
    padded = np.full((rows + group[0], cols + group[1]), RUBBISH, np.uint8)
    padded[:rows, :cols] = mask
    after, facts = answer.observe_inside("inverted", padded, shape, padded.shape[1], group)
    same_mask(np.ascontiguousarray(after[:rows, :cols]), 1 - mask, label)
    for where, part in (
        ("right of", after[:rows, cols:]),
        ("below", after[rows:, :cols]),
        ("right of and below", after[rows:, cols:]),
    ):
        touched = int(np.count_nonzero(part != RUBBISH))
        if touched:
            raise Wrong(
                f"{label}: {touched} bytes {where} the image were written to: which items are "
                "there, and what holds them back?"
            )
    if mask.size:
        device.check_launched(facts, label)


def check_launch(answer):
    """Raise `Wrong` unless just the groups that are needed are launched, of the size asked for."""
    kernel = answer.KERNEL
    answer.KERNEL = PROBE.replace("MARK", str(MARK))
    try:
        for shape, group in (((13, 41), (4, 8)), ((8, 16), (2, 16))):
            memory = np.zeros(1024, np.int32)  # large enough for the mask, too
            seen = answer.inside("inverted", memory, shape, shape[1], group)
            width, height, cols, rows, mark = seen[:5].tolist()
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
        answer.KERNEL = kernel
