"""Record which thread computed which rows at what time, for four OpenMP schedules.

OMP_WAIT_POLICY=active python 4_openmp/pictures/record_schedules.py

The polygon is the comb of the lesson's second exercise, compressed to 64 columns: all its edges
cross every row of the upper half of the image, and none crosses a row of the lower half. The loop
is compiled by a C compiler with OpenMP (gcc and its library). It evaluates the rule, as
openmp.prange does, and also records the thread of each row and two times. Other programs may use
the same cores, so the shortest of many calls is recorded, in schedules.json.
"""

import ctypes
import datetime
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from schedules import DATA, HALF, THREADS

from ladder.bench import machine

ROWS, COLS = 2 * HALF, 64
COMB = np.array([(2.7 * i, i % 2 * (HALF - 1)) for i in range(24)])
SCHEDULES = {"static": (1, 0), "guided": (3, 0), "dynamic,16": (2, 16), "dynamic,1024": (2, 1024)}
SECONDS = 15  # of calls, for each schedule
CODE = r"""
#include <omp.h>
#include "inside_polygon.h"

/* Fill the mask. Record the thread of each row, and the times at which it began and ended. */
void fill(unsigned char *mask, int rows, int cols, const double *vertices, int n,
          int *thread, double *begin, double *end)
{
    const double start = omp_get_wtime();
    #pragma omp parallel for schedule(runtime)
    for (int y = 0; y < rows; y++) {
        thread[y] = omp_get_thread_num();
        begin[y] = omp_get_wtime() - start;
        for (int x = 0; x < cols; x++)
            mask[(long)y * cols + x] = inside_polygon(x, y, vertices, n, 1);
        end[y] = omp_get_wtime() - start;
    }
}
"""


def compiled():
    """Return the loop as a library, compiled by cc."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "fill.c"), Path(folder, "fill.so")
        source.write_text(CODE, encoding="utf-8")
        headers = Path(__file__).resolve().parents[2] / "csrc"
        flags = ("-O3", "-fopenmp", "-ffp-contract=off", "-shared", "-fPIC", f"-I{headers}")
        subprocess.run(("cc", *flags, "-o", library, source, "-lm"), check=True)
        return ctypes.CDLL(str(library))


def call(library):
    """Make a mask; return the thread of each row, and the times at which it began and ended."""
    mask = np.empty((ROWS, COLS), np.uint8)
    record = np.empty(ROWS, np.int32), np.empty(ROWS), np.empty(ROWS)
    mask_at, comb_at, *record_at = (
        array.ctypes.data_as(ctypes.c_void_p) for array in (mask, COMB, *record)
    )
    library.fill(mask_at, ROWS, COLS, comb_at, len(COMB), *record_at)
    return record


def spans(thread, begin, end):
    """Return [thread, first row, last row, begin, end] of rows computed in succession, in ms."""
    new = np.flatnonzero(thread[1:] != thread[:-1]) + 1
    first = sorted({0, HALF, *new.tolist()})
    last = [row - 1 for row in first[1:]] + [ROWS - 1]
    return [
        [int(thread[a]), a, b, round(1e3 * begin[a], 4), round(1e3 * end[b], 4)]
        for a, b in zip(first, last, strict=True)
    ]


def measure():
    """Record the shortest call with each schedule in schedules.json."""
    library = compiled()
    library.omp_set_num_threads(THREADS)
    shortest = {}
    for name, schedule in SCHEDULES.items():
        library.omp_set_schedule(*schedule)
        stop = time.perf_counter() + SECONDS
        while time.perf_counter() < stop:
            record = call(library)
            if name not in shortest or record[2].max() < shortest[name][2].max():
                shortest[name] = record
    data = {
        "processor": machine.cpu_model(),
        "cores": os.cpu_count(),
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "schedules": {name: spans(*record) for name, record in shortest.items()},
    }
    lines = json.dumps(data).replace('"schedules": ', '\n"schedules": ').replace("]], ", "]],\n")
    DATA.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    measure()
