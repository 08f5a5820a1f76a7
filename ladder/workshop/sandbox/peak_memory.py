"""The peak memory of a call, in NumPy and Numba: it includes temporary arrays."""

import tracemalloc


def measure(function, *arguments):
    """Return the peak memory of a call in bytes, beyond the memory in use beforehand.

    The first call is not measured, so that the measured one compiles nothing. NumPy reports its
    arrays' memory to tracemalloc. Functions compiled with Numba allocate through Python, which
    reports that, too.
    """
    function(*arguments)
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        tracemalloc.reset_peak()
        function(*arguments)
        return tracemalloc.get_traced_memory()[1] - before
    finally:
        tracemalloc.stop()
