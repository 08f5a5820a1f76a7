"""Numba's CUDA simulator, which needs no GPU: launches noted, done in part, or not at all.

Each thread of a block is a thread of Python's, and memory is NumPy's: an index beyond the end of an
array is an error here, where a GPU would write into whatever lies there. Numba reads as it is
imported whether it is to simulate: an exercise has `variables = { NUMBA_ENABLE_CUDASIM = "1" }`.
"""

import functools

import numpy as np
from numba.cuda.simulator import kernel
from numba.cuda.simulator.cudadrv.devicearray import FakeCUDAArray

from polymask.workshop.sandbox.environments import Environment
from polymask.workshop.sandbox.environments.compiled import exchanged


def install():
    """Note all launches from now on."""
    return Simulated()


class Simulated(Environment):
    """Notes of each launch its blocks and threads."""

    def __init__(self):
        self.watching = False
        self.switch()
        launch, run = kernel.FakeCUDAKernel.__call__, kernel.BlockManager.run
        run_one = kernel.BlockThread.run

        @functools.wraps(launch)
        def launched(function, *arguments):
            if function._device:  # called by a thread of a kernel
                return launch(function, *arguments)
            if self.idle:
                return None
            if self.watching:
                self.seen.append(
                    {"grid": sizes(function.grid_dim), "block": sizes(function.block_dim)}
                )
            return self.with_others(functools.partial(launch, function), arguments)

        @functools.wraps(run)
        def run_block(manager, grid_point, *arguments):
            if self.block is None or sizes(grid_point, 0) == list(self.block):
                run(manager, grid_point, *arguments)

        @functools.wraps(run_one)
        def run_thread(thread):
            index = thread.threadIdx
            if self.thread is None or [index.x, index.y, index.z] == list(self.thread):
                run_one(thread)

        kernel.FakeCUDAKernel.__call__ = launched
        kernel.BlockManager.run = run_block
        kernel.BlockThread.run = run_thread

    def with_others(self, launch, arguments):
        """Launch a kernel with other numbers where those lie that are to be exchanged."""
        memory = [one._ary if isinstance(one, FakeCUDAArray) else one for one in arguments]
        made = [exchanged(one, self.exchanges) for one in memory]
        before = [np.copy(one) if isinstance(one, np.ndarray) else None for one in made]
        taken = [
            one if new is old else FakeCUDAArray(new)
            for one, old, new in zip(arguments, memory, made, strict=True)
        ]
        launch(*taken)
        for old, new, was in zip(memory, made, before, strict=True):
            if was is not None and new is not old and not np.array_equal(new, was):
                old[...] = new  # it was written to

    def switch(self, idle=False, exchanges=(), block=None, thread=None):
        """Change what launches do.

        Parameters
        ----------
        idle : bool
            Whether they do nothing.
        exchanges : sequence of (ndarray, ndarray)
            Numbers, and those that kernels are given instead of them, of one shape each.
        block, thread : sequence of int, optional
            The one block that is run, and the one thread of each block, by their three indices.
        """
        self.seen, self.idle, self.exchanges = [], idle, exchanges
        self.block, self.thread = block, thread

    def before(self, arguments):
        """Begin."""
        self.seen, self.watching = [], True

    def after(self):
        """Return the launches."""
        self.watching = False
        return self.seen


def sizes(dimensions, missing=1):
    """Return the numbers along x, y and z."""
    return [int(n) for n in (*dimensions, missing, missing)][:3]
