"""Shuffle arrays of several lengths and types, and count the copied bytes by direction."""

import numpy as np

from ladder.workshop.sandbox import offloading
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = offloading.UNDER
TYPES = np.float64, np.int32, np.uint8, np.complex128


def check(answer, random):
    """Raise `CheckFailed` at the first array that is wrong, or that the host shuffled."""
    for dtype in TYPES:
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
    sent = [note["nbytes"] for note in offloading.notes(facts, "to_device")]
    if sum(sent) != nbytes:
        raise CheckFailed(
            f"{label}: {sum(sent)} bytes went to the device, but the array has {nbytes}: send it "
            "once"
        )
    if max(sent) == nbytes:
        raise CheckFailed(f"{label}: sent in one piece: swap the halves by two copies")
    needed = 2 * nbytes
    moved = offloading.nbytes(facts, "on_device")
    if moved < needed:
        raise CheckFailed(
            f"{label}: {moved} bytes were copied within the device, but two reversals of the "
            f"quarters move {needed}"
        )
    fetched = offloading.nbytes(facts, "to_host")
    if fetched != 2 * nbytes:
        raise CheckFailed(
            f"{label}: {fetched} bytes were copied back, but two arrays have {2 * nbytes}"
        )
