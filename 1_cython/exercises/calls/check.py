"""Calls the three sums, and looks at what Python can see."""

from polymask.workshop.sandbox.wrong import Wrong, same

N = 20_000
MEASURED = f"sums of some {N:,} halves"
FUNCTIONS = {"yours": "sum_cdef", "before": "sum_def"}  # the sum by C calls, and by Python's


def check(answer, random):
    """Raise `Wrong` unless all sums are right, and the right functions are visible."""
    for name in ("sum_def", "sum_cpdef", "sum_cdef"):
        if not hasattr(answer, name):
            raise Wrong(f"there is no function {name}")
        for n in (0, 1, random.randrange(10, 1000), random.randrange(10, 1000)):
            same(getattr(answer, name)(n), n * (n - 1) / 4, f"{name}({n})")
    if not hasattr(answer, "half_cpdef"):
        raise Wrong("Python does not see half_cpdef: cpdef makes a function for both")
    if hasattr(answer, "half_cdef"):
        raise Wrong("Python sees half_cdef: cdef makes a function for C only")


def timed(random):
    """Return the arguments of a call that is measured, another number each time, and the sum."""
    n = N + random.randrange(-100, 100)
    return (n,), n * (n - 1) / 4
