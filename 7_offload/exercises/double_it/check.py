"""Doubles on a device that does nothing before somebody waits, and counts what travels."""

import numpy as np

from polymask.workshop.sandbox import offloading
from polymask.workshop.sandbox.wrong import Wrong

UNDER = offloading.UNDER
KERNEL = "double_it"


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or has not been made as is asked."""
    for n, times in ((5, 1), (1, 3), (random.randrange(20, 60), random.randrange(2, 9)), (40, 0)):
        drawn = np.random.default_rng(random.randrange(10**6))
        label = f"doubling {n} numbers {times} times"

        def draw(drawn=drawn, n=n, times=times):
            a = drawn.random(n)
            return (a, times), a * 2.0**times

        facts = offloading.observed(answer.doubled, draw, label)
        check_kernels(facts, times, label)
        check_bytes(facts, 8 * n, label)
        if times:
            offloading.check_idle(answer.doubled, draw, label)


def check_kernels(facts, times, label):
    """Raise `Wrong` unless the kernel was invoked so often, and no other was."""
    kernels = [note["kernel"] for note in offloading.notes(facts, "kernel")]
    if kernels != [KERNEL] * times:
        others = set(kernels) - {KERNEL}
        besides = f", and {', '.join(sorted(others))}" if others else ""
        raise Wrong(
            f"{label}: {KERNEL} was invoked {kernels.count(KERNEL)} times{besides}: each doubling "
            f"is one {KERNEL}"
        )


def check_bytes(facts, nbytes, label):
    """Raise `Wrong` if the array travelled more than once in a direction."""
    for what, where in (("to_device", "to the device"), ("to_host", "to the host")):
        copied = offloading.nbytes(facts, what)
        if copied > nbytes:
            raise Wrong(
                f"{label}: {copied} bytes went {where}, and the array has {nbytes}: bind it once, "
                "and let it stay there from kernel to kernel"
            )
