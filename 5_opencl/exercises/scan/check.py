"""Hands in the toggles of polygons, and rows whose parity is odd at the end."""

import numpy as np

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import device
from polymask.workshop.sandbox.wrong import Wrong, same_mask

UNDER = device.UNDER


def check(answer, random):
    """Raise `Wrong` at the first mask that is not right."""
    if not hasattr(answer, "fill"):
        raise Wrong("scan.py has no function fill")
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((1, 9), (9, 14), (31, 64), (130, 250)):
        mask = reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
        compare(
            answer, np.diff(mask, axis=1, prepend=np.uint8(0)) % 2, f"a polygon's toggles, {shape}"
        )
    for shape in ((1, 1), (7, 1), (5, 8), (3, 5000), (int(rng.integers(2, 99)), 77)):
        toggles = rng.integers(0, 2, shape).astype(np.uint8)
        compare(answer, toggles, f"toggles at random, {shape}")
    label = "toggles at random, (61, 83)"

    def drawn():
        return [rng.integers(0, 2, (61, 83)).astype(np.uint8)]

    device.check_work(answer, "fill", drawn, filled, label, "GenericScanKernel")
    check_scanned(answer, drawn, label)


def check_scanned(answer, drawn, label):
    """Raise `Wrong` if it is not the scan that goes through the rows.

    A scan takes its elements by its first launch, and gives results away by its last. If these are
    the results of toggles that came in between, each item has gone through its row by itself.
    """
    toggles, others = drawn(), drawn()
    _, facts = answer.observe("fill", *toggles)
    but_last = len(device.launches(facts, "GenericScanKernel")) - 1
    got = device.with_others(answer, "fill", toggles, others, but_last)
    if got is not None and np.array_equal(got, filled(*others)):
        raise Wrong(
            f"{label}: the scan joins nothing, as each item goes through its row by itself: let "
            "`input_expr` take one toggle, `scan_expr` join them, and `output_statement` write"
        )


def filled(toggles):
    """Return the mask of toggles."""
    return np.bitwise_xor.accumulate(toggles, axis=1)


def compare(answer, toggles, label):
    """Raise `Wrong` unless the toggles give the mask that they should, made by the device."""
    answer.ours("poison", "memory", toggles.shape)
    got, facts = answer.observe("fill", toggles)
    right = filled(toggles)
    alone = np.bitwise_xor.accumulate(toggles.ravel()).reshape(toggles.shape)
    if np.array_equal(got, alone) and not np.array_equal(alone, right):
        raise Wrong(f"{label}: the parity of a row runs on into the next: where begins a segment?")
    same_mask(got, right, label)
    device.check_arguments(facts, label)
    device.check_margins(facts, label)
    device.check_launched(facts, label, "GenericScanKernel")
