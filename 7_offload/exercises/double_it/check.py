"""Double numbers on a device that starts only when the host waits, and count the copied bytes."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first result that is wrong, or computed in another way."""
    rng = np.random.default_rng(random.randrange(10**6))
    for n, times in ((5, 1), (1, 3), (random.randrange(20, 60), random.randrange(2, 9)), (40, 0)):

        def draw(n=n, times=times):
            a = rng.random(n)
            return (a, times), a * 2.0**times

        label = f"doubling {n} numbers {times} times"
        facts = offloading.check_call(answer.doubled, draw, label)
        kernels = [note["kernel"] for note in offloading.notes(facts, "kernel")]
        if kernels != ["double_it"] * times:
            others = ", and ".join(["", *sorted(set(kernels) - {"double_it"})])
            raise CheckFailed(
                f"{label}: double_it was invoked {kernels.count('double_it')} times{others}: "
                "invoke only double_it, once per doubling"
            )
        for direction, target in (("to_device", "to the device"), ("to_host", "to the host")):
            if (copied := offloading.nbytes(facts, direction)) > 8 * n:
                raise CheckFailed(
                    f"{label}: {copied} bytes went {target}, but the array has only {8 * n}: bind "
                    "it once, and keep it on the device between the kernels"
                )
