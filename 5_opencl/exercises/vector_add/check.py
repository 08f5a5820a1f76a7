"""Add vectors whose lengths are not multiples of the work-group size."""

import math

import numpy as np

from ladder.workshop.sandbox import child, device, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = device.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first sum that is wrong, or that the host computed."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n in (64, 1, 63, 65, random.randrange(100, 5000)):
        a, b = rng.random((2, n), dtype=np.float32)
        label = f"vectors of length {n}"

        def judge(got, right, label, given=(a, b), sent=(a + 0, b + 0)):
            for name, array, copy in zip(("h_a", "h_b"), given, sent, strict=True):
                if array.tobytes() != copy.tobytes():
                    advice = "enqueue_copy(queue, destination, source)"
                    raise CheckFailed(f"{label}: `{name}` was changed: {advice}")
                if any(np.array_equal(got, times * copy) for times in (1, 2)):
                    fact = f"{label}: this is only {name}"
                    raise CheckFailed(fact, advice="is the other sent, and added?")
            if right.size > 1 and isinstance(got, np.ndarray) and np.unique(got).size == 1:
                advice = "are both vectors sent, the sum fetched, and the arguments in order?"
                raise CheckFailed(f"{label}: all elements are {got[0]}", advice=advice)
            whole = 8 * (right.size // 2)  # bytes of the doubles that fit
            x, y, z = (np.frombuffer(np.asarray(v).tobytes()[:whole]) for v in (*sent, got))
            if whole and np.array_equal(x + y, z):
                raise CheckFailed(f"{label}: the kernel reads `double`, but they are float32")
            same(got, right, label)

        facts = known_calls.check_opencl(answer.add, (a, b), a + b, label, judge=judge)
        items = sum(math.prod(launch["size"]) for launch in device.launches(facts))
        if items < n:
            fact = f"{label}: {items} items were launched for {n} pairs: launch one item per pair"
            raise CheckFailed(f"{fact}, so round the global size up to whole groups")
    a, b = rng.random((2, 10_000), dtype=np.float32)  # more than a work-group has items
    with child.switched("launches", part="first"):
        alone = answer.add(a, b)
    with child.switched("launches", part="rest"):
        others = answer.add(a, b)
    # Items that loop over the vectors in strides do all work when alone; so test the others, too.
    if np.array_equal(alone, a + b) and not np.array_equal(others[-64:], (a + b)[-64:]):
        fact = f"vectors of length {len(a)}: one work-group adds all pairs, and the others none"
        raise CheckFailed(fact, advice="let item i add only the i-th pair")
