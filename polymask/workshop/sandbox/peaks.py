"""How much memory a call has at once, of NumPy's and of Numba's: temporaries show."""

import tracemalloc


def peak(function, *arguments):
    """Return how many bytes of memory a call had at most, beyond what there was before.

    It is called once before, so that nothing is compiled then. NumPy tells tracemalloc of the
    memory of its arrays, and functions that Numba compiled get theirs from Python, which does, too.
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
