"""Scalars for kernels on a GPU, copied without a call that may wait for running kernels.

Allocating memory may wait for them, and so may a copy of ordinary memory. A copy of page-locked
memory only enters its stream. So each stream allocates blocks on the device beforehand, each with a
block of page-locked memory on the host, and uses them again and again.
"""

import ctypes
import threading

BLOCK_BYTES, BLOCKS = 32, 1024  # the largest scalar, a complex long double; 32 KiB in all


class Snapshot:
    """A block with the value of a scalar, which is free with the last reference to this object.

    The stream has a reference until the event after the kernel has passed. Until then, neither side
    of the block may be overwritten.
    """

    def __init__(self, block, free):
        self.ptr, self.host = block
        self.free = free

    def __del__(self):
        self.free.append((self.ptr, self.host))


class Snapshots:
    """The blocks of a stream."""

    def __init__(self, engine, cuda):
        self.engine, self.cuda = engine, cuda
        self.memory, self.free, self.lock = [], [], threading.Lock()
        self.allocate()

    def allocate(self):
        """Add blocks: for a new stream, and when all are in use, where it may wait."""
        nbytes = BLOCKS * BLOCK_BYTES
        device, host = self.engine.allocate(nbytes, 1), self.cuda.alloc_pinned_memory(nbytes)
        self.memory.append((device, host))
        offsets = range(0, nbytes, BLOCK_BYTES)
        self.free += [(device.ptr + offset, host.ptr + offset) for offset in offsets]

    def send(self, array, stream):
        """Return a `Snapshot` of a scalar, for later commands of the stream."""
        with self.lock:
            if not self.free:
                self.allocate()
            snapshot = Snapshot(self.free.pop(), self.free)
        ctypes.memmove(snapshot.host, array.ctypes.data, array.nbytes)
        runtime, pointers = self.cuda.runtime, (snapshot.ptr, snapshot.host)
        runtime.memcpyAsync(*pointers, array.nbytes, runtime.memcpyHostToDevice, stream.ptr)
        return snapshot
