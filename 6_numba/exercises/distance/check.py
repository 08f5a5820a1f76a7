"""Hands in points whose differences do not fit into their own type, to all three functions."""

import numpy as np

from polymask.workshop.sandbox import child, compiling, peaks
from polymask.workshop.sandbox.wrong import Wrong, same

UNDER = compiling.UNDER | compiling.KERNELS
RTOL = 1e-12  # sums may be taken in any order
NAMES = ("by_arrays", "by_loops", "by_kernel")
KINDS = (np.float64, np.float32, np.uint8, np.int16)
LARGE = 20_000, 3  # points, and numbers of each, for what memory is taken


def check(answer, random):
    """Raise `Wrong` at the first distances that are not right, or made in another style."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name in NAMES:
        for dtype in KINDS:
            label = f"{name}, points of {np.dtype(dtype).name}"
            (a, b), right = drawn(rng, dtype, (int(rng.integers(33, 64)), 3))
            child.step(label)
            got, facts = child.observe(getattr(answer, name), a, b)
            precise(got, right, label)
            compiling.check_arguments(facts, label)
            STYLES[name](answer, rng, facts, label)


def drawn(rng, dtype, shape):
    """Return two arrays of points, and their distances."""
    dtype = np.dtype(dtype)
    if dtype.kind == "f":
        a, b = (rng.uniform(0, 1, shape).astype(dtype) for _ in range(2))
    else:
        ends = np.iinfo(dtype)
        a, b = (rng.integers(ends.min, ends.max, shape, dtype, endpoint=True) for _ in range(2))
    return (a, b), np.sqrt(((a.astype(float) - b.astype(float)) ** 2).sum(axis=1))


def precise(got, right, label):
    """Raise `Wrong` unless distances are right, and as precise as a float64."""
    if isinstance(got, np.ndarray) and got.shape == right.shape and got.dtype == np.float32:
        raise Wrong(f"{label}: expected float64, got float32: what adds up the squares?")
    try:
        same(got, right, label, RTOL)
    except Wrong as wrong:
        near = type(got) is np.ndarray and got.shape == right.shape and np.allclose(got, right)
        hint = "; they are right to single precision only" if near else ""
        raise Wrong(f"{wrong}{hint}: of which type is each difference?") from None


def arrays(answer, rng, facts, label):
    """Raise `Wrong` if anything of Numba's was called."""
    if facts["compiled"] or facts["simulated"]:
        raise Wrong(f"{label}: array style is NumPy's alone")


def loops(answer, rng, facts, label):
    """Raise `Wrong` unless a compiled function does it, without arrays in between."""
    compiling.check_called(facts, label)
    compiling.check_idle(
        answer.by_loops,
        lambda: drawn(rng, np.float64, (31, 3)),
        label,
        lambda got, right: precise(got, right, label),
    )
    (a, b), right = drawn(rng, np.float64, LARGE)
    taken = peaks.peak(answer.by_loops, a, b)
    if taken > 1.5 * right.nbytes:
        raise Wrong(
            f"{label}: a call takes {taken / right.nbytes:.1f} times the memory of its result: an "
            "array is made in between, as in array style"
        )


def kernel(answer, rng, facts, label):
    """Raise `Wrong` unless a kernel does it, a thread for each point."""
    (blocks, *_), (threads, *_) = compiling.check_launched(facts, label)
    compiling.check_idle(
        answer.by_kernel,
        lambda: drawn(rng, np.float64, (31, 3)),
        label,
        lambda got, right: precise(got, right, label),
        "simulated",
    )
    (a, b), right = drawn(rng, np.float64, (3 * threads, 2))
    child.switch("simulated", block=(1, 0, 0))
    try:
        got = answer.by_kernel(a, b)
    finally:
        child.switch("simulated")
    own = np.isclose(got, right, rtol=RTOL, atol=0)
    if not own[threads : 2 * threads].all() or own[:threads].any() or own[2 * threads :].any():
        raise Wrong(
            f"{label}: of {blocks + 1} blocks the second was run alone, and {own.sum()} of "
            f"{own.size} distances are right: these {threads} are to be there, and no others"
        )


STYLES = {"by_arrays": arrays, "by_loops": loops, "by_kernel": kernel}
