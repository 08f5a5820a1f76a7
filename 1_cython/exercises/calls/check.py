"""Calls the three sums, looks at what Python can see, and at what Cython made of the calls."""

from polymask.workshop.sandbox.check_failed import CheckFailed, same
from polymask.workshop.sandbox.translated import Translated


def check(answer, random):
    """Raise `CheckFailed` unless all sums are right, and the right functions are visible."""
    for name in ("sum_def", "sum_cpdef", "sum_cdef"):
        for n in (0, 1, random.randrange(10, 1000), random.randrange(10, 1000)):
            same(getattr(answer, name)(n), n * (n - 1) / 4, f"{name}({n})")
    if not hasattr(answer, "half_cpdef"):
        raise CheckFailed("Python does not see half_cpdef: cpdef makes a function for both")
    if hasattr(answer, "half_cdef"):
        raise CheckFailed("Python sees half_cdef: cdef makes a function for C only")
    x = random.uniform(-9, 9)
    same(answer.half_cpdef(x), x / 2, f"half_cpdef({x})")
    for kind in ("cpdef", "cdef"):
        check_calls(Translated(), kind, f"half_{kind}", f"sum_{kind}")


def check_calls(made, kind, half, total):
    """Raise `CheckFailed` unless the sum is a loop of calls that C makes, and that pass numbers."""
    function = next((one for one in made.named(half) if one.for_c), None)
    if function is None:
        raise CheckFailed(f"{half} is no function that C can call: {kind} makes one")
    if "PyObject" in function.returns + function.takes.replace("PyObject *__pyx_self", ""):
        raise CheckFailed(
            f"{half} takes or returns an object of Python's: give its argument and its result "
            f"their types, `{kind} double {half}(double x) noexcept`"
        )
    called = [line for one in made.reached(total) for line in one.calls(half)]
    if not called or not any(one.loops() for one in made.reached(total)):
        raise CheckFailed(f"{total} is to call {half} in a loop, for each i from 0 to n - 1")
    if any("PyErr_Occurred" in line or "__Pyx_ErrOccurred" in line for line in called):
        raise CheckFailed(
            f"after each call {total} asks whether {half} raised an exception: say `noexcept`"
        )


def timed(random):
    """Return the arguments of a call that is measured, another number each time, and the sum."""
    n = random.randrange(19_900, 20_100)
    return (n,), n * (n - 1) / 4
