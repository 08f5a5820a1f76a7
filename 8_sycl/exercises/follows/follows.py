"""Compute follows data: an array has a queue, and what is computed with it is computed there."""

import dpnp
from dpnp.tensor import ExecutionPlacementError


def placed(values, queue):
    """An array of dpnp's on that queue's device, with the values of an array of NumPy's."""
    return dpnp.asarray(values, sycl_queue=queue)


def can_add(a, b):
    """Whether two arrays are where they can be added; other mistakes are raised as they are."""
    try:
        a + b
    except ExecutionPlacementError:
        return False
    return True


def added(a, b):
    """The sum of two arrays, where the first is; the second may be elsewhere, and stays there."""
    return a + b.to_device(a.sycl_queue)


def scaled(a, factors):
    """The product of an array and an array of NumPy's, where the first is."""
    return a * dpnp.asarray(factors, sycl_queue=a.sycl_queue)


def at_home(a):
    """An array of NumPy's with the values of one of dpnp's."""
    return dpnp.asnumpy(a)
