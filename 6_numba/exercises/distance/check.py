"""Pass points whose differences overflow their type to all three functions."""

from unittest import mock

import numpy as np

from ladder.workshop.sandbox import compiling, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.UNDER | compiling.KERNELS
RTOL = 1e-12  # sums may be computed in any order
LARGE = 20_000, 3  # points and their dimensions, for the measurement of memory


def check(answer, random):
    """Raise `CheckFailed` at the first distances that are wrong, or computed in another style."""
    rng = np.random.default_rng(random.randrange(10**6))
    n = random.randrange(33, 64)
    for dtype in map(np.dtype, (np.float64, np.float32, np.uint8)):
        label = f"by_arrays, points of {dtype.name}"
        call = *random_case(rng, dtype, (n, 3)), label
        facts = known_calls.check_call(answer.by_arrays, *call, precise)
        if facts["compiled"] or facts["simulated"]:
            raise CheckFailed(f"{label}: array style uses only NumPy")
        call = *random_case(rng, dtype, (n, 3)), f"by_loops, points of {dtype.name}"
        known_calls.check_numba(answer.by_loops, *call, judge=precise)
        label = f"by_kernel, points of {dtype.name} (for Numba, float(x) of a float32 is one, too)"
        call = *random_case(rng, dtype, (n, 3)), label
        with mock.patch.object(answer, "float", float_in_numba, create=True):
            known_calls.check_cuda(answer.by_kernel, *call, precise)
    (a, b), right = random_case(rng, np.dtype(float), LARGE)
    arrays = process_stats.peak_bytes(answer.by_loops, a, b) / right.nbytes
    if arrays > 1.5:
        fact = f"by_loops: a call takes {arrays:.1f} times the memory of its result"
        raise CheckFailed(fact, advice="it creates intermediate arrays, as in array style")


def float_in_numba(value):
    """Return the number that `float(value)` is in compiled code, unlike in the simulator."""
    return value if isinstance(value, np.float32) else float(value)


def random_case(rng, dtype, shape):
    """Return two arrays of points, and their distances."""
    if dtype.kind == "f":
        a, b = rng.uniform(0, 1, (2, *shape)).astype(dtype)
    else:
        ends = np.iinfo(dtype)
        a, b = rng.integers(ends.min, ends.max, (2, *shape), dtype, endpoint=True)
    return (a, b), np.sqrt(((a.astype(float) - b.astype(float)) ** 2).sum(axis=1))


def precise(got, right, label):
    """Raise `CheckFailed` unless distances are right, and as precise as a float64."""
    if isinstance(got, np.ndarray) and got.shape == right.shape and got.dtype == np.float32:
        raise CheckFailed(f"{label}: expected float64, got float32: which type is the sum?")
    try:
        same(got, right, label, RTOL)
    except CheckFailed as failure:
        hint = "" if "of float64" in label else ": which type is each difference?"
        raise CheckFailed(f"{failure}{hint}") from None
