"""Places arrays on several queues of one device, and asks where results are."""

import numpy as np

from polymask.workshop.sandbox.wrong import Wrong, same

NAMES = ("placed", "can_add", "added", "scaled", "at_home")


def check(answer, random):
    """Raise `Wrong` at the first array that is not right, or not where it should be."""
    for name in NAMES:
        if not hasattr(answer, name):
            raise Wrong(f"follows.py has no function {name}")
    rng = np.random.default_rng(random.randrange(10**6))
    x, y = rng.normal(size=(2, int(rng.integers(5, 50))))
    there(answer.inside("placed", x), x, "placed")
    for apart in (False, True):
        got = answer.inside("can_add", apart, (4, 4))
        where = "on two queues" if apart else "on one queue"
        if got is not (not apart):
            raise Wrong(f"can_add, two arrays {where}: expected {not apart}, got {got!r}")
    try:
        got = answer.inside("can_add", False, (4, 3))
    except ValueError:
        pass
    else:
        raise Wrong(
            f"can_add, 4 numbers and 3 on one queue: it said {got!r}; that they do not fit is "
            "another mistake, whose ValueError is to be raised as it is"
        )
    for apart in (False, True):
        label = f"added, two arrays on {'two queues' if apart else 'one queue'}"
        facts = answer.inside("added", x, y, apart)
        there(facts, x + y, label)
        from_home(facts, label)
        if not facts["stayed"]:
            raise Wrong(f"{label}: the second array is not where it was")
    facts = answer.inside("scaled", x, y)
    there(facts, x * y, "scaled")
    from_home(facts, "scaled")
    same(answer.inside("at_home", x), x, "at_home")


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
