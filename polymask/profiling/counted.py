"""Makes masks in a process that callgrind watches, and prints how many instructions one takes.

``valgrind --tool=callgrind --dump-before=getppid python -m polymask.profiling.counted job.json``

Whenever the process calls the mark, callgrind writes down what it has counted, and begins anew. So
what lies between two marks is a mask, without the start of Python and the imports.
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

MARK = os.getppid  # does next to nothing, and nobody else here calls it
WARM_UP, TINY = 32, (2, 2)  # calls on so small an image: then Python has adapted its bytecode
CALLS = 5  # the median of so many counts: now and then a call tidies up for others
SIZES = range(0, 480, 8)  # bytes; Python allocates what is small from pools, one for each size


def main(job_file):
    """Count masks of one image after the other, until one takes enough instructions."""
    from polymask.masks import _engine  # not above: commands begin where it is not built, too

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
        make()  # the first of its size is no part of it
        if count(make, Path(job["dumps"])) >= job["enough"]:
            break
    counts, kept = [], []
    for _ in range(CALLS):
        counts.append(count(make, Path(job["dumps"])))
        # Where a pool happens to be full, each pixel's object asks for a new one and gives it
        # back, 3 % of a mask: so every count finds the pools filled differently.
        kept.append([bytes(size) for size in SIZES])
    isa = _engine.choice(vertices, *image).partition(",")[0]
    print(json.dumps({"image": image, "instructions": statistics.median(counts), "isa": isa}))


def count(make, dumps):
    """Return how many instructions a call takes; callgrind writes to the folder `dumps`."""
    for old in dumps.iterdir():
        old.unlink()
    MARK()
    make()
    MARK()
    _, counted = sorted(dumps.iterdir(), key=lambda file: int(file.suffix[1:]))
    return callgrind.total(counted.read_text(encoding="utf-8", errors="replace"))


if __name__ == "__main__":
    main(sys.argv[1])
