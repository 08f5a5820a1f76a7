"""Garbage in and around new arrays, which shows unwritten pixels and writes outside arrays."""

import math
import operator
import sys

import numpy as np

from ladder.workshop.sandbox import garbage
from ladder.workshop.sandbox.environments import Environment
from ladder.workshop.sandbox.garbage import GARBAGE

MARGIN = 64  # bytes on either side, which keeps arrays aligned


class Guards(Environment):
    """An environment that gives arrays of `numpy.empty` and `numpy.zeros` margins of garbage."""

    def __init__(self):
        self.arrays, self.watching = [], False
        self.own = np.empty, np.zeros
        typing = types_in_numba(self.own)
        np.empty = self.guarded(None, np.empty)
        np.zeros = self.guarded(0, np.zeros)
        if typing:
            context, types = typing
            for guarded, own in zip((np.empty, np.zeros), types, strict=True):
                context.insert_global(guarded, own)

    def guarded(self, fill, whole):
        """Return a function like `numpy.empty` whose arrays have margins."""
        empty = self.own[0]

        def make(shape, dtype=float, order="C", **others):
            # not guarded: another order, another library's array, or a mistake
            if not self.watching or others or order != "C":
                return whole(shape, dtype, order, **others)
            try:
                dtype, sizes = np.dtype(dtype), tuple(map(operator.index, np.atleast_1d(shape)))
            except (TypeError, ValueError):
                return whole(shape, dtype)
            if dtype.hasobject or any(size < 0 for size in sizes):
                return whole(shape, dtype)
            n_bytes = math.prod(sizes) * dtype.itemsize
            memory = empty(n_bytes + 2 * MARGIN, np.uint8)
            memory.fill(GARBAGE)
            array = memory[MARGIN : MARGIN + n_bytes]
            if fill is not None:
                array.fill(fill)
            self.arrays.append((memory, n_bytes))
            return array.view(dtype).reshape(shape)

        return make

    def before(self, arguments):
        """Fill the memory of the next mask with garbage."""
        self.watching = True
        if len(arguments) > 1 and isinstance(arguments[1], tuple) and len(arguments[1]) == 2:
            garbage.fill_new_arrays(arguments[1])

    def after(self):
        """Return the writes into margins: (bytes of the array, bytes changed, where)."""
        self.watching = False
        arrays, self.arrays, writes = self.arrays, [], []
        for memory, n_bytes in arrays:
            writes += [(n_bytes, *change) for change in garbage.damage(memory, n_bytes, MARGIN)]
        return writes or None


install = Guards  # called before the answer is imported


def types_in_numba(functions):
    """Return Numba's typing context and function types, or None if Numba is not imported.

    They let compiled functions call the guarded ones, for which they use NumPy's own functions.
    """
    if "numba" not in sys.modules:
        return None
    from numba.core.registry import cpu_target

    cpu_target.target_context.refresh()  # imports Numba's NumPy functions,
    context = cpu_target.typing_context
    context.refresh()  # and registers them
    return context, [context.resolve_value_type(function) for function in functions]
