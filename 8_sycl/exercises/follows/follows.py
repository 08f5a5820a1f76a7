"""Compute follows data: an array has a queue, and operations on it run on that queue."""

import dpnp
from dpnp.tensor import ExecutionPlacementError


def placed(values, queue):
    """Copy a NumPy array to a dpnp array on that queue."""
    return dpnp.asarray(values, sycl_queue=queue)


def can_add(a, b):
    """Return whether the queues of two arrays permit their sum; other errors are raised."""
    try:
        a + b
    except ExecutionPlacementError:
        return False
    return True


def added(a, b):
    """Return the sum of two arrays on the queue of the first; the second keeps its queue."""
    return a + b.to_device(a.sycl_queue)


def scaled(a, factors):
    """Return the product of an array and a NumPy array on the queue of the first."""
    return a * dpnp.asarray(factors, sycl_queue=a.sycl_queue)
