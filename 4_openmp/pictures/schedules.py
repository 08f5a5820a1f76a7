"""Draw which thread computed which rows at what time, for four OpenMP schedules.

python 4_openmp/pictures/schedules.py             # draw the recorded times
OMP_WAIT_POLICY=active python 4_openmp/pictures/schedules.py --measure   # record them again

The polygon is the comb of the lesson's second exercise, compressed to 64 columns: all its edges
cross every row of the upper half of the image, and none crosses a row of the lower half. The loop
is compiled by a C compiler with OpenMP (gcc and its library). It evaluates the rule, as
openmp.prange does, and also records the thread of each row and two times. Other programs may use
the same cores, so the shortest of many calls is recorded, in schedules.json.
"""

import argparse
import ctypes
import datetime
import json
import os
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np

from polymask.bench import machine
from polymask.report.charts import drawing

HERE = Path(__file__).resolve().parent
DATA = HERE / "schedules.json"
ROWS, COLS, HALF, THREADS = 1024, 64, 512, 2
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
        headers = HERE.parent.parent / "csrc"
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


@drawing.chart
def draw():
    """Return the figure: for each schedule, one bar of rows for each thread."""
    data = json.loads(DATA.read_text(encoding="utf-8"))["schedules"]
    longest = max(span[-1] for record in data.values() for span in record)
    figure = drawing.figure(480, 68 + 78 * len(data))
    axes = drawing.axes(figure, 62, 14, 0, 36)
    axes.set(xlim=(0, longest), ylim=(32 + 78 * len(data), 0), xlabel="ms", yticks=[])
    axes.spines["left"].set_visible(False)
    upper, lower = drawing.LIGHT["blue"], drawing.LIGHT["amber"]
    for left, colour, text in ((0, upper, "upper half"), (0.3, lower, "lower half of the rows")):
        axes.text(left * longest, 17, "\u25a0", color=colour, size=15)
        axes.text((left + 0.04) * longest, 17, text)
    for number, (name, record) in enumerate(data.items()):
        top = 78 * number + 50
        took = max(span[-1] for span in record)
        busy = [sum(end - begin for who, _, _, begin, end in record if who == thread) / took
                for thread in range(THREADS)]  # fmt: skip
        shares = " and ".join(f"{100 * share:.0f} %" for share in sorted(busy, reverse=True))
        axes.text(0, top - 7, f"{name}: {took:.1f} ms, threads busy {shares}")
        for thread in range(THREADS):
            axes.text(-0.015 * longest, top + 24 * thread + 15, f"thread {thread}", ha="right")
        for thread, first, last, begin, end in record:
            axes.broken_barh([(begin, end - begin)], (top + 24 * thread, 20),
                             facecolor=upper if first < HALF else lower,
                             edgecolor=drawing.LIGHT["paper"], linewidth=0.7)  # fmt: skip
            if last - first > 100:
                axes.text((begin + end) / 2, top + 24 * thread + 15, f"rows {first} to {last}",
                          ha="center", color=drawing.LIGHT["paper"])  # fmt: skip
    return figure


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Draw the schedules.")
    parser.add_argument("--measure", action="store_true", help="record the times again first")
    if parser.parse_args().measure:
        measure()
    drawing.save(draw(), Path(__file__).with_suffix(""), ("svg",))
