"""Hands in a buffer that is larger than the mask, full of rubbish around it, and looks around."""

import numpy as np
import pyopencl as cl

from polymask.ladder import reference, workload
from polymask.opencl import pixels
from polymask.workshop import concepts
from polymask.workshop.sandbox import child, device
from polymask.workshop.sandbox.environments import launches
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same, same_mask

UNDER = device.UNDER
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
HELD_S = 0.1  # a kernel that nothing holds is done far sooner


def check(answer, random):
    """Raise `Wrong` at the first pixel that is missing, and at the first byte beyond the image."""
    for n, group in ((1, 8), (7, 8), (8, 8), (9, 8), (0, 8), (random.randrange(10**6), 24)):
        same(answer.whole_groups(n, group), multiple(n, group), f"whole_groups({n}, {group})")
    unknown = (random.randrange(20, 90), random.randrange(20, 90)), (random.choice((2, 4)), 16)
    for shape, group in [*CASES, unknown]:
        check_image(answer, shape, group, random.randrange(10**6))
    check_items(answer, random)
    check_waits(answer)


def multiple(n, group):
    """Return the least multiple of `group` that is not below `n`."""
    return next(k for k in range(n, n + group) if k % group == 0)


def drawn(shape, group, seed):
    """Return the mask of a random polygon with rubbish to its right and below it."""
    (rows, cols), padded = shape, np.full(np.add(shape, group), RUBBISH, np.uint8)
    padded[:rows, :cols] = reference.mask(workload.polygon(9, (rows + 1, cols + 1), seed), shape)
    return padded


def check_image(answer, shape, group, seed):
    """Raise `Wrong` unless just the pixels of one image are inverted, and by the device."""
    (rows, cols), label = shape, f"an image of {shape}, groups of {group}"
    child.step(f"inverting {label}")
    padded = drawn(shape, group, seed)
    mask = padded[:rows, :cols].copy()
    pitch = padded.shape[1]
    after, facts = child.observe(inverted, answer, padded, shape, pitch, group)
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
                f"there, and what holds them back? {concepts.GUARD}"
            )
    if mask.size:
        device.check_launched(facts, label)
        check_size(device.launches(facts), shape, group, label)


def check_size(launches, shape, group, label):
    """Raise `Wrong` unless just the groups that are needed are launched, of the size asked for."""
    wanted = tuple(multiple(n, of) for n, of in zip(shape, group, strict=True))
    for launch in launches:
        if launch["group"] is None or launch["group"][::-1] != group:
            here = launch["group"][::-1] if launch["group"] else "the device's choice"
            raise Wrong(f"{label}: the groups that were launched are of {here}")
        rows, cols = launch["size"][::-1]
        if (rows, cols) != wanted or len(launches) > 1:
            times = f" {len(launches)} times" if len(launches) > 1 else ""
            raise Wrong(
                f"{label}: {rows} x {cols} items were launched{times}, {wanted[0]} x {wanted[1]} "
                "are needed, once"
            )


def inverted(module, h_memory, shape, pitch, group):
    """Return a device's memory after `invert` had it."""
    queue, d_memory = sent(h_memory)
    module.invert(queue, d_memory, shape, pitch, group)
    h_after = np.empty_like(h_memory)
    cl.enqueue_copy(queue, h_after, d_memory)
    return h_after


def waits(module, h_memory, shape, pitch, group):
    """Return whether `invert` comes back when its launches, which are held, are done."""
    queue, d_memory = sent(h_memory)
    module.invert(queue, d_memory, shape, pitch, group)
    waited = launches.waited()
    queue.finish()
    return waited


def sent(h_memory):
    """Return a queue, and a buffer of the device's with that memory's contents."""
    queue = cl.CommandQueue(pixels.context())
    d_memory = cl.Buffer(queue.context, cl.mem_flags.READ_WRITE, h_memory.nbytes)
    cl.enqueue_copy(queue, d_memory, h_memory)
    return queue, d_memory


def check_items(answer, random):
    """Raise `Wrong` if items of one group do the work of others, or write beyond the image."""
    shape, group = (13, 41), (4, 8)
    label = f"an image of {shape}, groups of {group}"
    padded = drawn(shape, group, random.randrange(10**6))
    arguments = answer, padded, shape, padded.shape[1], group
    child.switch("launches", idle="Kernel")
    if not np.array_equal(inverted(*arguments), padded):
        raise Wrong(
            f"{label}: the mask changes even where the kernel does nothing when it is launched: "
            "so it is inverted elsewhere"
        )
    child.switch("launches", part="first")
    alone = np.count_nonzero(inverted(*arguments) != padded)
    if alone > group[0] * group[1]:
        raise Wrong(
            f"{label}: the first group was launched alone, and inverted {alone} pixels: an item "
            "inverts its own pixel, and no other"
        )
    child.switch("launches")


def check_waits(answer):
    """Raise `Wrong` if `invert` comes back before its kernel has run."""
    shape, group = (13, 41), (4, 8)
    padded = drawn(shape, group, 0)
    child.switch("launches", holds=HELD_S)
    waited = waits(answer, padded, shape, padded.shape[1], group)
    child.switch("launches")
    if not waited:
        raise Wrong(
            "invert came back before its kernel had run: a launch only puts it into the queue. "
            "Wait until it is done: by the event's `wait()`, or the queue's `finish()` "
            f"{concepts.QUEUE}"
        )
