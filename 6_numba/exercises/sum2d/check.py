"""Compare the answers with Numba's inferred types, and add up numbers too large for some types."""

import numba
import numpy as np

from ladder.workshop.sandbox import compiling, known_calls
from ladder.workshop.sandbox.check_failed import CheckFailed

UNDER = compiling.UNDER
LARGE = 2**58  # the largest numbers: the sum of 52 of them fits in a uint64, but not in an int64


def check(answer, random):
    """Raise `CheckFailed` at the first wrong type, or the first sum that is not exact."""
    rng = np.random.default_rng(random.randrange(10**6))
    for dtype in (np.uint8, np.int32, np.float32, np.uint64):
        check_type(answer, rng.integers(0, 9, (5, 7)).astype(dtype))
    limits = {np.uint8: (0, 256), np.int16: (-(2**15), 2**15), np.int64: (-LARGE, LARGE)}
    for dtype, (low, high) in (limits | {np.uint64: (3 * LARGE // 4, LARGE)}).items():
        image = rng.integers(low, high, (4, 13), dtype=dtype)
        call = (image,), sum(map(int, image.ravel())), f"exact2d of an image of {image.dtype}"
        known_calls.check_numba(answer.exact2d, *call, judge=exact)


def check_type(answer, image):
    """Raise `CheckFailed` unless the answer is the type that Numba inferred for an image."""
    answer.sum2d(image)
    arguments = (numba.typeof(image),)
    signatures = getattr(answer.sum2d, "nopython_signatures", ())
    inferred = [str(types.return_type) for types in signatures if types.args == arguments]
    if inferred != ["float64" if image.dtype == np.float32 else "int64"]:
        raise CheckFailed("sum2d was changed: restore it, and change only exact2d")
    name = f"OF_{image.dtype.name.upper()}"
    guess = getattr(answer, name, None)
    if guess is None:
        raise CheckFailed(f"{name} is still None: write the name of a type")
    if str(guess) != inferred[0]:
        raise CheckFailed(
            f"{name}: it is not {guess}. `total` begins as an int64; in Numba, what is an int64 "
            f"plus a {image.dtype.name}? `sum2d.inspect_types()` shows each variable"
        )


def exact(got, right, label):
    """Raise `CheckFailed` unless a sum is exact, and an integer."""
    if not isinstance(got, int | np.integer):
        limit = f"a sum in a float is exact only up to {2**53}"
        raise CheckFailed(f"{label}: expected an integer, got {got!r}: {limit}")
    if int(got) != right:
        hint = "; is `total` signed?" if got < 0 < right else ""
        raise CheckFailed(f"{label}: expected {right}, got {int(got)}{hint}")
