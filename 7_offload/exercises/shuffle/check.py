"""Shuffle arrays of several lengths and types, and count the copied bytes by direction."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER


def check(answer, random):
    """Raise `CheckFailed` at the first array that is wrong, or that the host shuffled."""
    for dtype in (np.float64, np.int32, np.uint8, np.complex128):
        n = 4 * random.randrange(1, 20)
        rng = np.random.default_rng(random.randrange(10**6))
        label = f"shuffling {n} numbers of {np.dtype(dtype)}"

        def draw(rng=rng, n=n, dtype=dtype):
            a = rng.integers(1, 100, n).astype(dtype)
            halves = np.concatenate([a[n // 2 :], a[: n // 2]])
            return (a,), (np.concatenate(np.split(halves, 4)[::-1]), halves)

        facts = offloading.check_call(answer.shuffled, draw, label)
        check_copies(facts, n * np.dtype(dtype).itemsize, label)


def check_copies(facts, nbytes, label):
    """Raise `CheckFailed` unless the device copied parts of its memory, without a kernel."""
    kernels = {note["kernel"] for note in offloading.notes(facts, "kernel")}
    if kernels:
        raise CheckFailed(f"{label}: a kernel, {kernels.pop()}, was invoked: use only copies")
    offloading.check_bytes(facts, "to_device", nbytes, label, "send the array once")
    if max(note["nbytes"] for note in offloading.notes(facts, "to_device")) == nbytes:
        raise CheckFailed(f"{label}: sent in one piece: swap the halves by two copies")
    moved = offloading.nbytes(facts, "on_device")
    if moved < 2 * nbytes:
        raise CheckFailed(
            f"{label}: {moved} bytes were copied within the device, but two reversals of the "
            f"quarters move {2 * nbytes}"
        )
    offloading.check_bytes(facts, "to_host", 2 * nbytes, label, "fetch two arrays")
