"""Notes about launches in Numba's CUDA simulator, which needs no GPU and can run parts.

Each thread of a block is a Python thread, and memory is NumPy's: an index past the end of an
array is an error here, whereas a GPU would write there. Numba reads the setting when it is
imported, so an exercise has `variables = { NUMBA_ENABLE_CUDASIM = "1" }`.
"""

import functools

from numba.cuda.simulator import kernel

from ladder.workshop.sandbox.environments import Environment


class Simulated(Environment):
    """Notes about each launch: its blocks and threads."""

    def __init__(self):
        super().__init__()
        self.switch()
        launch, run = kernel.FakeCUDAKernel.__call__, kernel.BlockManager.run
        run_one = kernel.BlockThread.run

        @functools.wraps(launch)
        def launched(function, *arguments):
            if function._device:  # called by a thread of a kernel
                return launch(function, *arguments)
            grid, block = sizes(function.grid_dim), sizes(function.block_dim)
            if self.watching:
                self.notes.append({"grid": grid, "block": block})
            return launch(function, *arguments)

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

    def switch(self, block=None, thread=None):
        """Set the only block that runs, and the only thread of each block, as three indices."""
        self.notes = []
        self.block, self.thread = block, thread


install = Simulated  # called before the answer is imported


def sizes(dimensions, missing=1):
    """Return the numbers along x, y and z."""
    return [int(n) for n in (*dimensions, missing, missing)][:3]
