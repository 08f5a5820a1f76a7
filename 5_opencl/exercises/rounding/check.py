"""Pass a buffer with garbage around the mask, and test the bytes of the mask and around it."""

import numpy as np
import pyopencl as cl

from ladder.opencl import pixels
from ladder.workshop import concepts
from ladder.workshop.sandbox import child, device, likely_causes
from ladder.workshop.sandbox.check_failed import CheckFailed, advising, same, same_mask
from ladder.workshop.sandbox.environments import launches
from ladder.workshop.sandbox.garbage import GARBAGE
from ladder.workshop.student import pictures

UNDER = device.UNDER
# (rows, cols) of the image and of a work-group: none, one or both are multiples
CASES = [((rows, cols), (4, 8)) for rows in (8, 7, 1) for cols in (16, 1, 41)]
CASES += [((3, 41), (8, 2)), ((65, 31), (1, 16))]
HELD_S = 0.1  # delay, much longer than a kernel takes otherwise


def check(answer, random):
    """Raise `CheckFailed` at the first missing pixel, and at the first byte beyond the image."""
    for n, group in ((1, 8), (7, 8), (8, 8), (9, 8), (random.randrange(10**6), 24)):
        same(answer.whole_groups(n, group), multiple(n, group), f"whole_groups({n}, {group})")
    rng = np.random.default_rng(random.randrange(10**6))
    unknown = (random.randrange(20, 50), random.randrange(70, 90)), (random.choice((2, 4)), 16)
    for shape, group in [unknown, *CASES]:
        label = f"an image of {shape}, groups of {group}"
        child.step(f"inverting {label}")
        padded = np.full(np.add(shape, group), GARBAGE, np.uint8)  # garbage right of it and below
        padded[: shape[0], : shape[1]] = rng.integers(0, 2, shape)
        (after, _), facts = child.observe(inverted, answer, padded, shape, group)
        check_image(padded, after, shape, label)
        device.check_launched(facts, label)
        check_size(device.launches(facts), shape, group, label)
    with child.switched("launches", holds=HELD_S):
        _, waited = inverted(answer, padded, shape, group)
    if not waited:
        raise CheckFailed(
            "invert returned before its kernel had run: a launch only adds it to the queue. Wait "
            "until it is done, with the event's `wait()` or the queue's `finish()` "
            f"{concepts.QUEUE}"
        )
    picture = pictures.tiles((7, 41), (4, 8))
    return f"seen: work-groups of (4, 8) for an image of (7, 41); `.` has no pixel:\n{picture}"


def multiple(n, group):
    """Return the smallest multiple of `group` that is not less than `n`."""
    return -(-n // group) * group


def inverted(module, h_memory, shape, group):
    """Return the device memory after `invert`, and whether `invert` waited for its kernel."""
    queue = cl.CommandQueue(pixels.context())
    d_memory = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_memory.nbytes)
    cl.enqueue_copy(queue, d_memory, h_memory)
    module.invert(queue, d_memory, shape, h_memory.shape[1], group)
    waited = launches.release()
    h_after = np.empty_like(h_memory)
    cl.enqueue_copy(queue, h_after, d_memory)
    return h_after, waited


def check_image(padded, after, shape, label):
    """Raise `CheckFailed` unless exactly the pixels of the image are inverted."""
    rows, cols = shape
    has_no_gaps = np.array_equal(after.ravel()[: rows * cols], 1 - padded.ravel()[: rows * cols])
    got, right = after[:rows, :cols].copy(), 1 - padded[:rows, :cols]
    advice = "row y begins at `y * pitch`, not at `y * cols`" if has_no_gaps else ""
    with advising(advice or likely_causes.unreached(got != right).lstrip("; ")):
        same_mask(got, right, label)
    for where, part in (("right of", after[:, cols:]), ("below", after[rows:, :cols])):
        if touched := int(np.count_nonzero(part != GARBAGE)):
            raise CheckFailed(
                f"{label}: {touched} bytes {where} the image were overwritten: which items are "
                f"outside, and which condition excludes them? {concepts.GUARD}"
            )


def check_size(launches, shape, group, label):
    """Raise `CheckFailed` unless the first launch has the necessary groups, of the right size."""
    size, items = launches[0]["group"], launches[0]["size"][::-1]
    if size is None or size[::-1] != group:
        launched = size[::-1] if size else "the device's choice"
        raise CheckFailed(f"{label}: the size of the launched groups is {launched}")
    needed = tuple(multiple(n, side) for n, side in zip(shape, group, strict=True))
    if items != needed:
        raise CheckFailed(f"{label}: {items} items were launched, but {needed} are needed")
