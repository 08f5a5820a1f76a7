"""Joins masks of random polygons, and looks whether the device does it."""

from pyopencl.elementwise import ElementwiseKernel

from polymask.ladder import reference, workload
from polymask.workshop.sandbox import poison
from polymask.workshop.sandbox.launches import Launches
from polymask.workshop.sandbox.wrong import Wrong, same_mask


def check(module, random):
    """Raise `Wrong` at the first result that is not right, or is the host's."""
    if not hasattr(module, "either"):
        raise Wrong("elementwise.py has no function either")
    for shape in ((1, 1), (7, 13), (31, 64)):
        a, b = (
            reference.mask(workload.polygon(9, shape, random.randrange(10**6)), shape)
            for _ in range(2)
        )
        poison.memory(shape)
        with Launches(ElementwiseKernel, module) as seen:
            got = module.either(a, b)
        same_mask(got, a ^ b, f"masks of shape {shape}")
        seen.need(f"masks of shape {shape}")
