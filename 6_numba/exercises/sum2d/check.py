"""Asks Numba which types it has inferred, and adds up numbers too large for some of them."""

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

from polymask.workshop.sandbox import child, compiling
from polymask.workshop.sandbox.wrong import Wrong

UNDER = compiling.UNDER
SAID = {
    "OF_UINT8": np.uint8,
    "OF_INT32": np.int32,
    "OF_FLOAT32": np.float32,
    "OF_UINT64": np.uint64,
}
LARGE = 2**58  # the largest numbers: 52 of them have room in a uint64, and not in an int64
EXACT = 2**53  # from here on a float64 leaves whole numbers out


def check(answer, random):
    """Raise `Wrong` at the first type that is not inferred so, or sum that is not exact."""
    rng = np.random.default_rng(random.randrange(10**6))
    said = named(answer, list(SAID))
    for name, dtype in SAID.items():
        if said[name] is None:
            raise Wrong(f"{name} is still None: write down the name of a type")
        image = rng.integers(0, 9, (5, 7)).astype(dtype)
        found = inferred(answer, "sum2d", image)
        if found is None:
            raise Wrong("sum2d is no function that Numba compiled: it is to stay as it was")
        if found != said[name]:
            raise Wrong(
                f"{name}: it is not {said[name]}. `total` begins as an int64; what is an int64 "
                f"plus a {np.dtype(dtype).name}, for Numba? `sum2d.inspect_types()` shows each "
                "variable"
            )
    exact(answer, rng)


def exact(answer, rng):
    """Raise `Wrong` unless exact2d is exact where whole numbers are large, and compiled."""
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
        arguments, right = draw()
        got, facts = child.observe(answer.exact2d, *arguments)
        same(got, right, label)
        compiling.check_called(facts, label)
        compiling.check_idle(
            answer.exact2d, draw, label, lambda got, right, label=label: same(got, right, label)
        )


def same(got, right, label):
    """Raise `Wrong` unless a sum is exact, and a whole number."""
    if not isinstance(got, int | np.integer):
        raise Wrong(
            f"{label}: expected a whole number, got {got!r}: a sum of 64-bit numbers in a float "
            f"is exact up to {EXACT} only"
        )
    if int(got) != right:
        signed = "; a sign where there can be none: is `total` signed?" if got < 0 < right else ""
        raise Wrong(f"{label}: expected {right}, got {int(got)}{signed}")


def inferred(module, name, image):
    """Return the type that a compiled function returns for an image; None if it is not compiled."""
    function = getattr(module, name)
    if not isinstance(function, Dispatcher):
        return None
    function(image)
    wanted = (numba.typeof(image),)
    return next(
        (str(one.return_type) for one in function.nopython_signatures if one.args == wanted), None
    )


def named(module, names):
    """Return what the answer says of types, each as text: a name, or a type itself."""
    return {name: text(getattr(module, name, None)) for name in names}


def text(said):
    """Return the name of a type of Python's, NumPy's or Numba's; None for what is none."""
    if isinstance(said, str | numba.types.Type):
        return str(said)
    try:
        return None if said is None else np.dtype(said).name
    except TypeError:
        return None
