"""Asks Numba which types it has inferred, and adds up numbers too large for some of them."""

import numba
import numpy as np

from polymask.workshop.sandbox import compiling, known_calls
from polymask.workshop.sandbox.check_failed import CheckFailed

UNDER = compiling.UNDER
LARGE = 2**58  # the largest numbers: 52 of them have room in a uint64, and not in an int64


def check(answer, random):
    """Raise `CheckFailed` at the first type that is not inferred so, or sum that is not exact."""
    rng = np.random.default_rng(random.randrange(10**6))
    for dtype in (np.uint8, np.int32, np.float32, np.uint64):
        check_type(answer, rng.integers(0, 9, (5, 7)).astype(dtype))
    for dtype, low, high in (
        (np.uint8, 0, 256),
        (np.int16, -(2**15), 2**15),
        (np.int64, -LARGE, LARGE),
        (np.uint64, 3 * LARGE // 4, LARGE),
    ):

        def draw(dtype=dtype, low=low, high=high):
            image = rng.integers(low, high, (4, 13), dtype=dtype)
            return (image,), sum(map(int, image.ravel()))

        label = f"exact2d of an image of {np.dtype(dtype).name}"
        known_calls.check_numba(answer.exact2d, draw, label, judge=exact)


def check_type(answer, image):
    """Raise `CheckFailed` unless the answer says which type Numba has inferred for an image."""
    name = f"OF_{image.dtype.name.upper()}"
    said = getattr(answer, name, None)
    if said is None:
        raise CheckFailed(f"{name} is still None: write down the name of a type")
    if not isinstance(said, str | numba.types.Type):  # a type of Python's or NumPy's
        try:
            said = np.dtype(said).name
        except TypeError:
            raise CheckFailed(f"{name}: {said!r} is the name of no type") from None
    answer.sum2d(image)
    wanted = (numba.typeof(image),)
    signatures = getattr(answer.sum2d, "nopython_signatures", ())
    inferred = [str(one.return_type) for one in signatures if one.args == wanted]
    if not inferred:
        raise CheckFailed("sum2d is no function that Numba compiled: it is to stay as it was")
    if str(said) != inferred[0]:
        raise CheckFailed(
            f"{name}: it is not {said}. `total` begins as an int64; what is an int64 plus a "
            f"{image.dtype.name}, for Numba? `sum2d.inspect_types()` shows each variable"
        )


def exact(got, right, label):
    """Raise `CheckFailed` unless a sum is exact, and a whole number."""
    if not isinstance(got, int | np.integer):
        raise CheckFailed(
            f"{label}: expected a whole number, got {got!r}: a sum of 64-bit numbers in a float "
            f"is exact up to {2**53} only"
        )
    if int(got) != right:
        signed = "; a sign where there can be none: is `total` signed?" if got < 0 < right else ""
        raise CheckFailed(f"{label}: expected {right}, got {int(got)}{signed}")
