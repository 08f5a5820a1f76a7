"""Shuffles arrays of several lengths and types, and counts what is copied, and where."""

import numpy as np

from polymask.workshop.sandbox import offloading
from polymask.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER
TYPES = np.float64, np.int32, np.uint8, np.complex128


def check(answer, random):
    """Raise `CheckFailed` at the first array that is not right, or was shuffled by the host."""
    for dtype in TYPES:
        n = 4 * random.randrange(1, 20)
        drawn = np.random.default_rng(random.randrange(10**6))
        label = f"shuffling {n} numbers of {np.dtype(dtype)}"

        def draw(drawn=drawn, n=n, dtype=dtype):
            a = drawn.integers(1, 100, n).astype(dtype)
            halves = np.concatenate([a[n // 2 :], a[: n // 2]])
            return (a,), (np.concatenate(np.split(halves, 4)[::-1]), halves)

        facts = offloading.check_call(answer.shuffled, draw, label)
        check_copies(facts, n * np.dtype(dtype).itemsize, label)


def check_copies(facts, nbytes, label):
    """Raise `CheckFailed` unless the device's memory was copied, in part, and not by a kernel."""
    kernels = {note["kernel"] for note in offloading.notes(facts, "kernel")}
    if kernels:
        raise CheckFailed(
            f"{label}: a kernel, {kernels.pop()}, was invoked: copies alone are asked for"
        )
    sent = [note["nbytes"] for note in offloading.notes(facts, "to_device")]
    if sum(sent) != nbytes:
        raise CheckFailed(
            f"{label}: {sum(sent)} bytes went to the device, and the array has {nbytes}: it goes "
            "there once"
        )
    if max(sent) == nbytes:
        raise CheckFailed(f"{label}: it went in one piece: the halves are swapped by two copies")
    least = 2 * nbytes
    moved = offloading.nbytes(facts, "on_device")
    if moved < least:
        raise CheckFailed(
            f"{label}: {moved} bytes were copied within the device, and two reversals of the "
            f"quarters move {least}"
        )
    back = offloading.nbytes(facts, "to_host")
    if back != 2 * nbytes:
        raise CheckFailed(f"{label}: {back} bytes came back, and two arrays have {2 * nbytes}")
