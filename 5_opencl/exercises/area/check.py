"""Counts the pixels of random polygons, and looks whether the device does it."""

import numpy as np
from pyopencl.reduction import ReductionKernel

from polymask.ladder import reference, workload
from polymask.workshop.sandbox.launches import Launches
from polymask.workshop.sandbox.wrong import Wrong, same


def check(module, random):
    """Raise `Wrong` at the first number that is not right, or is the host's."""
    if not hasattr(module, "area"):
        raise Wrong("area.py has no function area")
    for shape in ((1, 3), (31, 64), (130, 250)):
        mask = reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
        compare(module, mask, f"a mask of shape {shape}")
    compare(module, np.ones((100, 70), np.uint8), "a mask of ones, 100 x 70")


def compare(module, mask, label):
    """Raise `Wrong` unless the area is right, and the device has counted it."""
    with Launches(ReductionKernel, module) as seen:
        got = module.area(mask)
    same(got, int(mask.sum()), label)
    seen.need(label)
