"""Arrays on several queues, in the answer's own process, and how often they come home to NumPy."""

import dpctl
import dpnp
import numpy as np

from polymask.devices import sycl

came_home = [0]


def counting(function):
    """Return a function that counts its calls."""

    def counted(*arguments, **keywords):
        came_home[0] += 1
        return function(*arguments, **keywords)

    return counted


for holder in (dpnp, dpnp.tensor, type(dpnp.empty(0))):
    for way in ("asnumpy", "to_numpy"):
        if hasattr(holder, way):
            setattr(holder, way, counting(getattr(holder, way)))


def two_queues():
    """Return two queues of the device that works."""
    return [dpctl.SyclQueue(sycl.device()) for _ in range(2)]


def placed(module, values):
    """Let an array be placed."""
    queue, _ = two_queues()
    return told(module.placed(values, queue), queue)


def can_add(module, apart, sizes):
    """Let two arrays of these sizes be judged, on two queues or on one."""
    first, second = two_queues()
    a = dpnp.ones(sizes[0], sycl_queue=first)
    return module.can_add(a, dpnp.ones(sizes[1], sycl_queue=second if apart else first))


def added(module, x, y, apart):
    """Let two arrays be added, on two queues or on one."""
    first, second = two_queues()
    second = second if apart else first
    a, b = dpnp.asarray(x, sycl_queue=first), dpnp.asarray(y, sycl_queue=second)
    came_home[0] = 0
    got = module.added(a, b)
    return told(got, first) | {"stayed": b.sycl_queue == second}


def scaled(module, x, factors):
    """Let an array be scaled."""
    queue, _ = two_queues()
    a = dpnp.asarray(x, sycl_queue=queue)
    came_home[0] = 0
    return told(module.scaled(a, factors), queue)


def at_home(module, values):
    """Let an array come home."""
    return module.at_home(dpnp.asarray(values, sycl_queue=two_queues()[0]))


def told(got, queue):
    """Return what is to be known of an array that should be on a queue."""
    homecomings = came_home[0]
    if not hasattr(got, "sycl_queue"):
        return {"type": type(got).__name__, "there": None}
    return {
        "type": type(got).__name__,
        "there": got.sycl_queue == queue,
        "values": np.array(got.tolist()),
        "homecomings": homecomings,
    }
