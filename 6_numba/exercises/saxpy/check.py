"""Call both ufuncs with numbers of several types and shapes, and count the threads."""

import numpy as np

from ladder.workshop.sandbox import compiling, known_calls, process_stats
from ladder.workshop.sandbox.check_failed import CheckFailed, same

UNDER = compiling.UNDER
ELEMENTS, CALLS = 500_000, 40


def check(answer, random):
    """Raise `CheckFailed` at the first result that is wrong, or not from a compiled ufunc."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name, target in {"on_one": "cpu", "on_all": "parallel"}.items():
        function = getattr(answer, name)
        for dtype in (np.float32, np.float64, np.int64):
            for shapes in (((), (9,), (9,)), ((), (4, 7), (4, 7)), ((5,), (3, 5), (3, 1))):
                alpha, x, y = (rng.uniform(1, 9, shape).astype(dtype)[()] for shape in shapes)
                right = alpha * x + y
                if dtype is np.int64:  # the ufunc has no loop for integers and casts them
                    right = right.astype(float)
                label = f"{name}, {np.dtype(dtype).name}, shapes {', '.join(map(str, shapes))}"
                call = (alpha, x, y), right, label
                try:
                    facts = known_calls.check_numba(function, *call, "vectorize", judge)
                except TypeError as error:
                    if "not supported for the input types" not in str(error):
                        raise
                    raise CheckFailed(f"{label}: TYPES has no loop for {right.dtype}") from None
        parallel = any(note["parallel"] for note in facts["compiled"])
        if parallel != (target == "parallel"):
            raise CheckFailed(f"{name}: its target must be {target!r}")
    x = np.ones(ELEMENTS, np.float32)
    out = answer.on_all(np.float32(2), x, x)
    seconds = process_stats.busy_seconds(lambda: answer.on_all(np.float32(2), x, x, out), CALLS)
    compiling.check_shared(seconds, "on_all")


def judge(got, right, label):
    """Raise `CheckFailed` unless a result is right and has the right type."""
    if isinstance(got, np.ndarray) and got.dtype != right.dtype:
        raise CheckFailed(
            f"{label}: expected {right.dtype}, got {got.dtype}: NumPy chooses the first loop to "
            "whose types all arguments can be cast without loss"
        )
    same(got, right, label)
