"""Places arrays on several queues of one device, and asks where results are."""

from contextlib import contextmanager, suppress

import dpctl
import dpnp
import numpy as np

from polymask.devices import sycl
from polymask.workshop.sandbox.check_failed import CheckFailed, same

came_home = [0]


def check(answer, random):
    """Raise `CheckFailed` at the first array that is not right, or not where it should be."""
    rng = np.random.default_rng(random.randrange(10**6))
    x, y = rng.normal(size=(2, int(rng.integers(5, 50))))
    queue, other = (dpctl.SyclQueue(sycl.device()) for _ in range(2))
    check_there(answer.placed(x, queue), queue, x, "placed")
    a = dpnp.asarray(x, sycl_queue=queue)
    for second, where in ((queue, "on one queue"), (other, "on two queues")):
        b = dpnp.asarray(y, sycl_queue=second)
        got = answer.can_add(a, b)
        if got is not (second == queue):
            raise CheckFailed(
                f"can_add, two arrays {where}: expected {second == queue}, got {got!r}"
            )
    with suppress(ValueError):
        got = answer.can_add(dpnp.ones(4, sycl_queue=queue), dpnp.ones(3, sycl_queue=queue))
        raise CheckFailed(
            f"can_add, 4 numbers and 3 on one queue: it said {got!r}; that they do not fit is "
            "another mistake, whose ValueError is to be raised as it is"
        )
    for second, where in ((queue, "one queue"), (other, "two queues")):
        a, b = dpnp.asarray(x, sycl_queue=queue), dpnp.asarray(y, sycl_queue=second)
        label = f"added, two arrays on {where}"
        with staying_there(label):
            got = answer.added(a, b)
        check_there(got, queue, x + y, label)
        if b.sycl_queue != second:
            raise CheckFailed(f"{label}: the second array is not where it was")
    with staying_there("scaled"):
        got = answer.scaled(dpnp.asarray(x, sycl_queue=queue), y)
    check_there(got, queue, x * y, "scaled")
    same(answer.at_home(dpnp.asarray(x, sycl_queue=queue)), x, "at_home")


def check_there(got, queue, right, label):
    """Raise `CheckFailed` unless an array has the right values, on the queue where it should be."""
    if not hasattr(got, "sycl_queue"):
        raise CheckFailed(f"{label}: expected an array of dpnp's, got {type(got).__name__}")
    if got.sycl_queue != queue:
        raise CheckFailed(
            f"{label}: the result is on another queue: without `sycl_queue=` a new array goes to "
            "the default device"
        )
    same(np.array(got.tolist()), right, label, rtol=1e-12)


@contextmanager
def staying_there(label):
    """Raise `CheckFailed` if an array comes home to NumPy meanwhile."""
    before = came_home[0]
    yield
    if came_home[0] > before:
        raise CheckFailed(
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
