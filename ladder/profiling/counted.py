"""A process under callgrind that makes masks, and prints the instructions of one.

``valgrind --tool=callgrind --dump-before=getppid python -m ladder.profiling.counted job.json``

At each call to the mark, callgrind writes its counts and starts again. So the counts between two
marks are those of one mask, without the start of Python and the imports.
"""

import gc
import json
import os
import statistics
import sys
from pathlib import Path

import numpy as np

from ladder import registry
from ladder.profiling import callgrind

MARK = os.getppid  # nearly free, and not called elsewhere in the process
WARM_UP, TINY = 32, (2, 2)  # calls with a tiny image, in which Python adapts its bytecode
CALLS = 5  # counts for a median, as an occasional call cleans up after others
SIZES = range(0, 480, 8)  # bytes; Python allocates small objects from pools, one for each size


def main(job_file):
    """Count masks on images of increasing size until one takes enough instructions."""
    from polymask.masks import _engine  # imported here, as commands must start without it

    job = json.loads(Path(job_file).read_text(encoding="utf-8"))
    make_mask, vertices = registry.get(job["key"]).load(), np.array(job["vertices"])

    def maker(image):
        (rows, cols), (all_rows, all_cols) = image, job["shape"]
        scaled = vertices * (cols / all_cols, rows / all_rows)
        return lambda: make_mask(scaled, image, **job["options"])

    for _ in range(WARM_UP):
        maker(TINY)()
    gc.disable()
    for image in job["images"]:
        make = maker(image)
        make()  # do not count the first mask of a size
        if count(make, Path(job["dumps"])) >= job["enough"]:
            break
    counts, blocks = [], []
    for _ in range(CALLS):
        counts.append(count(make, Path(job["dumps"])))
        # If a pool happens to be full, each pixel's object allocates a new pool and frees it, which
        # takes 3 % of a mask. So fill the pools differently for every count.
        blocks.append([bytes(size) for size in SIZES])
    isa = _engine.choice(vertices, *image).partition(",")[0]
    print(json.dumps({"image": image, "instructions": statistics.median(counts), "isa": isa}))


def count(make, dumps):
    """Return the instructions of a call; callgrind writes to the folder `dumps`."""
    for file in dumps.iterdir():
        file.unlink()
    MARK()
    make()
    MARK()
    _, dump = sorted(dumps.iterdir(), key=lambda file: int(file.suffix[1:]))
    return callgrind.total(dump.read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    main(sys.argv[1])
