"""Hands in the toggles of polygons, and rows whose parity is odd at the end."""

import numpy as np
from pyopencl.scan import GenericScanKernel

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import poison
from polymask.workshop.sandbox.launches import Launches
from polymask.workshop.sandbox.wrong import Wrong, same_mask


def check(module, random):
    """Raise `Wrong` at the first mask that is not right."""
    if not hasattr(module, "fill"):
        raise Wrong("scan.py has no function fill")
    rng = np.random.default_rng(random.randrange(10**6))
    for shape in ((1, 9), (9, 14), (31, 64), (130, 250)):
        mask = reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
        compare(
            module, np.diff(mask, axis=1, prepend=np.uint8(0)) % 2, f"a polygon's toggles, {shape}"
        )
    for shape in ((1, 1), (7, 1), (5, 8), (3, 5000), (int(rng.integers(2, 99)), 77)):
        toggles = rng.integers(0, 2, shape).astype(np.uint8)
        compare(module, toggles, f"toggles at random, {shape}")


def compare(module, toggles, label):
    """Raise `Wrong` unless the toggles give the mask that they should, made by the device."""
    kept = toggles.copy()
    poison.memory(toggles.shape)
    with Launches(GenericScanKernel, module) as seen:
        got = module.fill(toggles)
    right = np.bitwise_xor.accumulate(kept, axis=1)
    alone = np.bitwise_xor.accumulate(kept.ravel()).reshape(kept.shape)
    if np.array_equal(got, alone) and not np.array_equal(alone, right):
        raise Wrong(f"{label}: the parity of a row runs on into the next: where begins a segment?")
    same_mask(got, right, label)
    if not np.array_equal(kept, toggles):
        raise Wrong(f"{label}: the toggles have been changed: they are the caller's")
    seen.need(label)
