"""Calls the three sums, and looks at what Python can see."""

from polymask.workshop.sandbox.wrong import Wrong, same

N = 20_000
MEASURED = f"a sum of {N:,} halves"


def check(module, random):
    """Raise `Wrong` unless all sums are right, and the right functions are visible."""
    n = random.randrange(10, 1000)
    for name in ("sum_def", "sum_cpdef", "sum_cdef"):
        if not hasattr(module, name):
            raise Wrong(f"there is no function {name}")
        same(getattr(module, name)(n), n * (n - 1) / 4, f"{name}({n})")
    if not hasattr(module, "half_cpdef"):
        raise Wrong("Python does not see half_cpdef: cpdef makes a function for both")
    if hasattr(module, "half_cdef"):
        raise Wrong("Python sees half_cdef: cdef makes a function for C only")


def timed(module):
    """What is measured: the sum by C calls."""
    return lambda: module.sum_cdef(N)


def before(module):
    """Held against the sum by calls of Python's."""
    return lambda: module.sum_def(N)
