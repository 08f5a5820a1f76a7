"""Hands in the toggles of polygons, and rows whose parity is odd at the end."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import child, device, poison
from polymask.workshop.sandbox.environments import pieces
from polymask.workshop.sandbox.wrong import Wrong, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `Wrong` at the first mask that is not right."""
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((1, 9), (9, 14), (31, 64), (130, 250)):
        mask = reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
        compare(
            answer, np.diff(mask, axis=1, prepend=np.uint8(0)) % 2, f"a polygon's toggles, {shape}"
        )
    for shape in ((1, 1), (7, 1), (5, 8), (3, 5000), (int(rng.integers(2, 99)), 77)):
        toggles = rng.integers(0, 2, shape).astype(np.uint8)
        compare(answer, toggles, f"toggles at random, {shape}")
    label, toggles = "toggles at random, (61, 83)", rng.integers(0, 2, (61, 83)).astype(np.uint8)
    device.check_idle(answer.fill, [toggles], filled(toggles), label, "GenericScanKernel")
    with pieces.exchanged(join="b"):
        check_scanned(child.again(), toggles, label)


def check_scanned(unjoined, toggles, label):
    """Raise `Wrong` if it is not the scan that goes through the rows.

    Where a scan joins nothing, each element is what `input_expr` took: one toggle.
    """
    if np.array_equal(unjoined.fill(toggles), filled(toggles)):
        raise Wrong(
            f"{label}: the scan joins nothing, as each item goes through its row by itself: let "
            "`input_expr` take one toggle, `scan_expr` join them, and `output_statement` write"
        )


def filled(toggles):
    """Return the mask of toggles."""
    return np.bitwise_xor.accumulate(toggles, axis=1)


def compare(answer, toggles, label):
    """Raise `Wrong` unless the toggles give the mask that they should, made by the device."""
    poison.memory(toggles.shape)
    right = filled(toggles)
    alone = np.bitwise_xor.accumulate(toggles.ravel()).reshape(toggles.shape)
    got, facts = child.observe(answer.fill, toggles)
    if np.array_equal(got, alone) and not np.array_equal(alone, right):
        raise Wrong(f"{label}: the parity of a row runs on into the next: where begins a segment?")
    same_mask(got, right, label)
    device.check_arguments(facts, label)
    device.check_margins(facts, label)
    device.check_launched(facts, label, "GenericScanKernel")
