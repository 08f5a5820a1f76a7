"""Place arrays on several queues of one device, and test which queues the results have."""

from contextlib import suppress

import dpctl
import dpnp
import numpy as np

from ladder.devices import sycl
from ladder.workshop.sandbox.check_failed import CheckFailed, same

copies_to_numpy = [0]


def check(answer, random):
    """Raise `CheckFailed` at the first array that is wrong, or on the wrong queue."""
    rng = np.random.default_rng(random.randrange(10**6))
    x, y = rng.normal(size=(2, int(rng.integers(5, 50))))
    queue, other = (dpctl.SyclQueue(sycl.device()) for _ in range(2))
    check_array(answer.placed(x, queue), queue, x, "placed")
    a = dpnp.asarray(x, sycl_queue=queue)
    for second, place in ((queue, "on one queue"), (other, "on two queues")):
        b = dpnp.asarray(y, sycl_queue=second)
        got = answer.can_add(a, b)
        if got is not (second == queue):
            fact = f"can_add, two arrays {place}: expected {second == queue}"
            raise CheckFailed(f"{fact}, got {got!r}")
    with suppress(ValueError):
        got = answer.can_add(dpnp.ones(4, sycl_queue=queue), dpnp.ones(3, sycl_queue=queue))
        raise CheckFailed(
            f"can_add, 4 numbers and 3 on one queue: it returned {got!r}, but the wrong lengths "
            "are another error: do not catch their ValueError"
        )
    for second, place in ((queue, "one queue"), (other, "two queues")):
        a, b = dpnp.asarray(x, sycl_queue=queue), dpnp.asarray(y, sycl_queue=second)
        label, before = f"added, two arrays on {place}", copies_to_numpy[0]
        got = answer.added(a, b)
        if copies_to_numpy[0] > before:
            raise CheckFailed(
                f"{label}: an array was copied to NumPy in between: use `to_device`, which moves "
                "it to another queue, without a copy if the device is the same"
            )
        check_array(got, queue, x + y, label)
    got = answer.scaled(dpnp.asarray(x, sycl_queue=queue), y)
    check_array(got, queue, x * y, "scaled")


def check_array(got, queue, right, label):
    """Raise `CheckFailed` unless an array has the right values, and is on the right queue."""
    if not hasattr(got, "sycl_queue"):
        raise CheckFailed(f"{label}: expected a dpnp array, got {type(got).__name__}")
    if got.sycl_queue != queue:
        advice = "without `sycl_queue=` a new array goes to the default device"
        raise CheckFailed(f"{label}: the result is on another queue", advice=advice)
    same(np.array(got.tolist()), right, label, rtol=1e-12)


def counting(function):
    """Return a function that counts its calls."""

    def counted(*arguments, **keywords):
        copies_to_numpy[0] += 1
        return function(*arguments, **keywords)

    return counted


for holder in (dpnp, dpnp.tensor, type(dpnp.empty(0))):
    for name in ("asnumpy", "to_numpy"):
        if hasattr(holder, name):
            setattr(holder, name, counting(getattr(holder, name)))
