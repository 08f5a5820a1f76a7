"""A process under callgrind that makes masks, and prints the instructions of one.

``valgrind --tool=callgrind --dump-before=getppid python -m polymask.profiling.counted job.json``

Whenever the process calls the mark, callgrind writes its counts, and begins anew. So the counts
between two marks are those of a mask, without the start of Python and the imports.
"""

import gc
import json
import os
import statistics
import sys
from pathlib import Path

import numpy as np

from polymask.ladder import registry
from polymask.profiling import callgrind

MARK = os.getppid  # nearly free, and not called elsewhere in the process
WARM_UP, TINY = 32, (2, 2)  # calls on a tiny image, for Python to adapt its bytecode
CALLS = 5  # counts for a median, as a call now and then cleans up for others
SIZES = range(0, 480, 8)  # bytes; Python allocates small objects from pools, one for each size


def main(job_file):
    """Count masks of increasing images until one takes enough instructions."""
    from polymask.masks import _engine  # here, as commands start without it, too

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
        make()  # the first mask of its size is not counted
        if count(make, Path(job["dumps"])) >= job["enough"]:
            break
    counts, kept = [], []
    for _ in range(CALLS):
        counts.append(count(make, Path(job["dumps"])))
        # If a pool happens to be full, each pixel's object allocates a new one and frees it, 3 % of
        # a mask: so fill the pools differently for every count.
        kept.append([bytes(size) for size in SIZES])
    isa = _engine.choice(vertices, *image).partition(",")[0]
    print(json.dumps({"image": image, "instructions": statistics.median(counts), "isa": isa}))


def count(make, dumps):
    """Return the instructions of a call; callgrind writes to the folder `dumps`."""
    for old in dumps.iterdir():
        old.unlink()
    MARK()
    make()
    MARK()
    _, counted = sorted(dumps.iterdir(), key=lambda file: int(file.suffix[1:]))
    return callgrind.total(counted.read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    main(sys.argv[1])
