"""Places arrays on several queues of one device, and asks where results are."""

import dpctl
import dpnp
import numpy as np

from polymask.devices import sycl
from polymask.workshop.sandbox.wrong import Wrong, same

came_home = [0]


def check(answer, random):
    """Raise `Wrong` at the first array that is not right, or not where it should be."""
    rng = np.random.default_rng(random.randrange(10**6))
    x, y = rng.normal(size=(2, int(rng.integers(5, 50))))
    there(placed(answer, x), x, "placed")
    for apart in (False, True):
        got = can_add(answer, apart, (4, 4))
        where = "on two queues" if apart else "on one queue"
        if got is not (not apart):
            raise Wrong(f"can_add, two arrays {where}: expected {not apart}, got {got!r}")
    try:
        got = can_add(answer, False, (4, 3))
    except ValueError:
        pass
    else:
        raise Wrong(
            f"can_add, 4 numbers and 3 on one queue: it said {got!r}; that they do not fit is "
            "another mistake, whose ValueError is to be raised as it is"
        )
    for apart in (False, True):
        label = f"added, two arrays on {'two queues' if apart else 'one queue'}"
        facts = added(answer, x, y, apart)
        there(facts, x + y, label)
        from_home(facts, label)
        if not facts["stayed"]:
            raise Wrong(f"{label}: the second array is not where it was")
    facts = scaled(answer, x, y)
    there(facts, x * y, "scaled")
    from_home(facts, "scaled")
    same(at_home(answer, x), x, "at_home")


def there(facts, right, label):
    """Raise `Wrong` unless an array has the right values, on the queue where it should be."""
    if facts["there"] is None:
        raise Wrong(f"{label}: expected an array of dpnp's, got {facts['type']}")
    if not facts["there"]:
        raise Wrong(
            f"{label}: the result is on another queue: without `sycl_queue=` a new array goes to "
            "the default device"
        )
    same(facts["values"], right, label, rtol=1e-12)


def from_home(facts, label):
    """Raise `Wrong` if an array came home to NumPy in between."""
    if facts["homecomings"]:
        raise Wrong(
            f"{label}: an array came home to NumPy in between: `to_device` takes it from queue to "
            "queue, on one device without a copy"
        )


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
