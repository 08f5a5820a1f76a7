"""Joins masks of random polygons."""

from polymask import reference, workload
from polymask.workshop import poison
from polymask.workshop.compare import Wrong, same_mask


def check(module, random):
    """Raise `Wrong` at the first result that is not right."""
    if not hasattr(module, "either"):
        raise Wrong("elementwise.py has no function either")
    for shape in ((1, 1), (7, 13), (31, 64)):
        a, b = (
            reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
            for _ in range(2)
        )
        poison.memory(shape)
        same_mask(module.either(a, b), a ^ b, f"masks of shape {shape}")
