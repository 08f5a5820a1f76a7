"""Puts rubbish into fresh arrays, and around them: what nobody wrote, or wrote beyond, shows."""

import contextlib
import math

import numpy as np

from polymask.workshop.sandbox.poison import RUBBISH
from polymask.workshop.sandbox.wrong import Wrong

MARGIN = 64  # bytes on either side, which keeps arrays aligned


class Guard:
    """Arrays of `numpy.empty` and `numpy.zeros` with margins that nobody may write to."""

    def __init__(self):
        self.arrays = []

    @contextlib.contextmanager
    def watching(self):
        """Let NumPy's functions hand out guarded arrays."""
        own = np.empty, np.zeros
        empty = own[0]

        def guarded(fill, whole):
            def make(shape, dtype=float, **others):
                if others:  # an order, or another library's array: not guarded
                    return whole(shape, dtype, **others)
                dtype = np.dtype(dtype)
                sizes = (shape,) if np.ndim(shape) == 0 else tuple(shape)
                if dtype.hasobject or any(size < 0 for size in sizes):
                    return whole(shape, dtype)
                n_bytes = math.prod(sizes) * dtype.itemsize
                memory = empty(n_bytes + 2 * MARGIN, np.uint8)
                memory.fill(RUBBISH)
                array = memory[MARGIN : MARGIN + n_bytes]
                if fill is not None:
                    array.fill(fill)
                self.arrays.append((memory, n_bytes))
                return array.view(dtype).reshape(shape)

            return make

        np.empty, np.zeros = guarded(None, np.empty), guarded(0, np.zeros)
        try:
            yield self
        finally:
            np.empty, np.zeros = own

    def check(self, label):
        """Raise `Wrong` if a margin was written to; forget the arrays."""
        arrays, self.arrays = self.arrays, []
        for memory, n_bytes in arrays:
            beyond = memory[MARGIN + n_bytes :] != RUBBISH
            before = memory[:MARGIN] != RUBBISH
            for wrong, where in ((beyond, "behind the end"), (before, "before the beginning")):
                if wrong.any():
                    raise Wrong(
                        f"{label}: something was written {where} of an array of {n_bytes} bytes "
                        f"(bytes changed: {np.count_nonzero(wrong)}): an index leaves it"
                    )
