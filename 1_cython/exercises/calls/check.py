"""Call the three sums, and examine which functions Python sees and how Cython makes the calls."""

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, same
from ladder.workshop.sandbox.translated import Translated

MANY = 100_001  # more than 16 bits count, and a sum beyond the whole numbers of a float


def check(answer, random):
    """Raise `CheckFailed` unless all sums are right and the right functions are visible."""
    for name in ("sum_def", "sum_cpdef", "sum_cdef"):
        for n in (0, 1, random.randrange(10, 1000), random.randrange(10, 1000), MANY):
            child.step(f"computing {name}({n}) (a counter of 16 bits never ends)")
            same(getattr(answer, name)(n), n * (n - 1) / 4, f"{name}({n})")
    if not hasattr(answer, "half_cpdef"):
        raise CheckFailed("Python does not see half_cpdef: cpdef creates a function for both")
    if hasattr(answer, "half_cdef"):
        raise CheckFailed("Python sees half_cdef: cdef creates a function for C only")
    for kind in ("cpdef", "cdef"):
        check_calls(Translated(), kind, f"half_{kind}", f"sum_{kind}")


def check_calls(c_code, kind, half, total):
    """Raise `CheckFailed` unless the sum is a loop of C calls that pass numbers."""
    function = next((function for function in c_code.named(half) if function.for_c), None)
    if function is None:
        raise CheckFailed(f"{half} is not a function that C can call: {kind} creates one")
    if not function.returns.endswith("double") or not function.takes.startswith("double"):
        raise CheckFailed(
            f"{half} takes or returns another type than double: declare the types of its argument "
            f"and its result, `{kind} double {half}(double x) noexcept`"
        )
    calls = [line for function in c_code.reached(total) for line in function.calls(half)]
    if not calls or not any(function.loops() for function in c_code.reached(total)):
        raise CheckFailed(f"{total} must call {half} in a loop, for each i from 0 to n - 1")
    if any("PyErr_Occurred" in line or "__Pyx_ErrOccurred" in line for line in calls):
        fact = f"after each call, {total} tests whether {half} raised an exception"
        raise CheckFailed(fact, advice="add `noexcept`")


def timed(random):
    """Return the arguments of a timed call, with a random number, and the expected sum."""
    n = random.randrange(19_900, 20_100)
    return (n,), n * (n - 1) / 4
