"""Images of one size: inverted just as far as they reach, by just the groups that are needed."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop import concepts
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong, same_mask


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
    answer.doing(f"inverting {label}")
    padded = drawn(shape, group, seed)
    mask = padded[:rows, :cols].copy()
    pitch = padded.shape[1]
    after, facts = answer.observe_inside("inverted", padded, shape, pitch, group)
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
