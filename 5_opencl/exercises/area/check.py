"""Counts the pixels of random polygons."""

import numpy as np

from polymask import reference, workload
from polymask.workshop.compare import Wrong, same


def check(module, random):
    """Raise `Wrong` at the first number that is not right."""
    if not hasattr(module, "area"):
        raise Wrong("area.py has no function area")
    for shape in ((1, 3), (31, 64), (130, 250)):
        mask = reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
        same(module.area(mask), int(mask.sum()), f"a mask of shape {shape}")
    same(module.area(np.ones((100, 70), np.uint8)), 7000, "a mask of ones, 100 x 70")
