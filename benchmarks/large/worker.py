"""A process in which one contender writes one Zarr array: its time, and its peak of memory.

    python -m benchmarks.large.worker KEY SIZE POLYGONS CHUNK FOLDER

prints a JSON object. Before the call that is timed, one on a small image compiles functions and
starts threads. The peak is that of the whole process: interpreter, libraries, polygons and blocks.
"""

import json
import os
import sys
import time

import zarr

from benchmarks.large.contenders import CONTENDERS
from benchmarks.many.scenes import octagons
from benchmarks.many.worker import peak
from polymask.contract import Unavailable

SMALL = 20  # the first call has an image and polygons smaller by this factor


def create(folder, size, chunk, dtype="int32"):
    """Return a new Zarr array, compressed as Zarr does by default."""
    grid = {"shape": (size, size), "chunks": (chunk, chunk)}
    return zarr.create_array(folder, dtype=dtype, overwrite=True, **grid)


def measure(key, size, count, chunk, folder):
    """Write the image twice, first a small one; return the second call's seconds, and the peak."""
    contender = next(entry for entry in CONTENDERS if entry.key == key)
    for part, path in (SMALL, f"{folder}.small"), (1, folder):
        store = create(path, max(size // part, 1), max(chunk // part, 1))
        polygons = octagons(max(count // part, 1))(store.shape)
        call = contender.ready(polygons, store)
        start = time.perf_counter()
        call()
        seconds = time.perf_counter() - start
    return {"seconds": seconds, "peak": peak()}


def main():
    """Print the measurement, or why there is none."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep the prints of libraries out of the answer
    key, *numbers, folder = sys.argv[1:]
    try:
        answer = measure(key, *map(int, numbers), folder)
    except Unavailable as missing:
        answer = {"reason": str(missing)}
    print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
