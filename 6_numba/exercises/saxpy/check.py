"""Calls both ufuncs with numbers of several types and shapes, and looks at the threads."""

import numpy as np

from polymask.workshop.sandbox import child, compiling, usage
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.sandbox.wrong import same as same_array

UNDER = compiling.UNDER
NAMES = {"on_one": "cpu", "on_all": "parallel"}
ELEMENTS, CALLS = 500_000, 40


def check(answer, random):
    """Raise `Wrong` at the first result that is not right, or not made by such a ufunc."""
    rng = np.random.default_rng(random.randrange(10**6))
    for name in NAMES:
        for dtype in (np.float32, np.float64):
            for shapes in (((), (9,), (9,)), ((), (4, 7), (4, 7)), ((5,), (3, 5), (3, 1))):
                one_call(answer, name, drawn(rng, dtype, shapes), np.dtype(dtype).name, shapes)
        whole = tuple(rng.integers(1, 9, 6) for _ in range(3))
        one_call(answer, name, whole, "int64", ((6,),) * 3)
        compiling.check_idle(
            getattr(answer, name),
            lambda: with_right(drawn(rng, np.float32, ((1,), (31,), (31,)))),
            f"{name}, float32",
            lambda got, right, name=name: same_array(got, right, name),
        )
    threads(answer)


def drawn(rng, dtype, shapes):
    """Return alpha, x and y, plain numbers where a shape is empty."""
    return tuple(rng.uniform(1, 2, shape).astype(dtype)[()] for shape in shapes)


def with_right(arguments):
    """Return arguments, and what is right for them."""
    alpha, x, y = arguments
    return arguments, alpha * x + y


def one_call(answer, name, arguments, dtype, shapes):
    """Raise `Wrong` unless a call is right, of the right type, and done by a ufunc of Numba's."""
    alpha, x, y = arguments
    label = f"{name}, {dtype}, shapes {', '.join(map(str, shapes))}"
    right = alpha * x + y
    if right.dtype.kind == "i":
        right = right.astype(np.float64)  # whole numbers have no loop of their own: they are cast
    child.step(label)
    got, facts = child.observe(getattr(answer, name), *arguments)
    if isinstance(got, np.ndarray) and got.dtype != right.dtype:
        raise Wrong(
            f"{label}: expected {right.dtype}, got {got.dtype}: NumPy takes the first loop to "
            "which all arguments can be cast without loss"
        )
    same_array(got, right, label)
    compiling.check_arguments(facts, label)
    compiling.check_called(facts, label, "vectorize")


def threads(answer):
    """Raise `Wrong` unless the elements are shared by the ufunc for threads, and by it alone."""
    for name, target in NAMES.items():
        _, facts = child.observe(getattr(answer, name), *(np.ones(3, np.float32) for _ in range(3)))
        parallel = any(note["parallel"] for note in facts["compiled"])
        seconds = busy(answer, name)
        if parallel != (target == "parallel"):
            raise Wrong(f"{name}: its target is to be {target!r}")
        if parallel and seconds and compiling.workers(seconds) < 2:
            raise Wrong(f"{name}: one thread does it all")


def busy(module, name):
    """Return how many seconds each thread was busy with calls of a function, the longest first."""
    function = getattr(module, name)
    x, y = np.ones(ELEMENTS, np.float32), np.ones(ELEMENTS, np.float32)
    out = function(np.float32(2), x, y)
    return usage.busy(lambda: function(np.float32(2), x, y, out), CALLS)
