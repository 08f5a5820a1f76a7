"""A process in which one contender writes one Zarr array: its time, and its peak of memory.

Before the call that is timed, one on a small image compiles functions and starts threads. The peak
is that of the whole process: interpreter, libraries, polygons and blocks.
"""

import time

import zarr

from benchmarks.harness.process import peak
from benchmarks.large.contenders import CONTENDERS
from benchmarks.many.scenes import octagons

SMALL = 20  # the first call has an image and polygons smaller by this factor


class Worker:
    """A contender that writes an image of octagons to a folder."""

    def __init__(self, key, size, count, chunk, folder):
        self.contender = next(entry for entry in CONTENDERS if entry.key == key)
        self.numbers, self.folder = (size, count, chunk), folder

    def write(self):
        """Write a small image, and the image; return the second call's seconds, and the peak."""
        self.write_part(SMALL, f"{self.folder}.small")
        return self.write_part(1, self.folder), peak()

    def write_part(self, part, folder):
        """Write an image that is smaller by a factor; return the seconds of the call."""
        size, count, chunk = (max(number // part, 1) for number in self.numbers)
        grid = {"shape": (size, size), "chunks": (chunk, chunk)}
        store = zarr.create_array(folder, dtype="int32", overwrite=True, **grid)
        call = self.contender.ready(octagons(count)(store.shape), store)
        start = time.perf_counter()
        call()
        return time.perf_counter() - start
