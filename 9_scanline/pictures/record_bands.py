"""Record the bands into which the engine divides the course's mask, and the thread of each.

python 9_scanline/pictures/record_bands.py

The engine's sources are compiled by a C++ compiler. In a call, the function that toggles the bits
of a band is replaced with one that first records the band. The mask is compared with that of
scanline.rows. Other programs may use the same cores, so the shortest of many calls in which all
threads took part is recorded, in bands.json.
"""

import ctypes
import json
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from bands import DATA, THREADS

from ladder.registry.workload import SHAPE, polygon
from ladder.scanline.rows import make_mask

ENGINE = Path(__file__).resolve().parents[2] / "csrc/engine"
PARTS = ("kernels", "mask", "parallel", "support")  # of the engine that a single mask needs
CALLS = 2000  # with each number of threads
NUMBERS = ("first", "rows", "stride", "buffer_bytes", "thread")
CODE = r"""
#include <atomic>
#include "mask/fill.hpp"
using namespace polymask;

static const detail::Kernels *kernels;
static std::atomic<int> threads;
static std::int64_t (*record)[5];

static void toggle(const detail::EdgeTable &table, const detail::Layout &layout,
                   const detail::Band &band, std::uint64_t *bits) noexcept
{
    static thread_local const int thread = threads++;
    const std::int64_t numbers[] = {band.first, band.rows, layout.stride,
                                    (layout.stride << layout.band_shift) / 8, thread};
    std::copy_n(numbers, 5, record[band.index]);
    kernels->toggle(table, layout, band, bits);
}

extern "C" void fill(const double *vertices, std::size_t n, std::int64_t rows,
                     std::int64_t cols, int most, std::uint8_t *mask, std::int64_t *box,
                     std::int64_t (*numbers)[5])
{
    const Polygon polygon = {{vertices, 2 * n}};
    const Grid grid = {{rows, cols}};
    const Work work = {.threads = most};
    const detail::Extent extent(polygon.vertices);
    const detail::Job job = {polygon, extent, grid, mask, false, {}, {}, work};
    const detail::Plan plan = detail::plan(job);
    detail::Kernels recording = plan.kernels;
    kernels = &plan.kernels, recording.toggle = toggle, record = numbers;
    detail::fill(job, {recording, plan.stores, plan.threads, plan.executor, plan.reached,
                       plan.box, plan.box_stores});
    box[0] = plan.box.top, box[1] = plan.box.bottom;
}
"""


def compiled():
    """Return the engine with the recording function as a library, compiled by c++."""
    with tempfile.TemporaryDirectory() as folder:
        source, library = Path(folder, "record.cpp"), Path(folder, "record.so")
        source.write_text(CODE, encoding="utf-8")
        sources = [file for part in PARTS for file in sorted(ENGINE.glob(f"src/{part}/*.cpp"))]
        flags = (ENGINE / "exact_flags.txt").read_text(encoding="utf-8").split()
        flags += ["-std=c++20", "-O2", "-pthread", "-shared", "-fPIC"]
        includes = [f"-I{ENGINE / folder}" for folder in ("src", "include")]
        subprocess.run(("c++", *flags, *includes, "-o", library, source, *sources), check=True)
        return ctypes.CDLL(str(library))


def call(library, threads):
    """Make the course's mask; return the time, the top and bottom of its box, and its bands."""
    vertices, (rows, cols) = polygon(), SHAPE
    mask, box = np.empty(SHAPE, np.uint8), np.empty(2, np.int64)
    record = np.full((rows, len(NUMBERS)), -1)
    vertices_at, mask_at, box_at, record_at = (
        array.ctypes.data_as(ctypes.c_void_p) for array in (vertices, mask, box, record)
    )
    size = [ctypes.c_int64(number) for number in (len(vertices), rows, cols)]
    start = time.perf_counter()
    library.fill(vertices_at, *size, threads, mask_at, box_at, record_at)
    seconds = time.perf_counter() - start
    assert np.array_equal(mask, make_mask(vertices, SHAPE))
    return seconds, box.tolist(), record[record[:, 0] >= 0].tolist()


def record_all():
    """Record a call with each number of threads in bands.json."""
    library, recorded = compiled(), {}
    for threads in THREADS:
        calls = (call(library, threads) for _ in range(CALLS))
        shared = [one for one in calls if len({band[-1] for band in one[-1]}) == threads]
        _, box, bands = min(shared)
        named = [dict(zip(NUMBERS, band, strict=True)) for band in bands]
        recorded[threads] = {"box": box, "bands": named}
        print(f"{threads} threads: {len(shared)} of {CALLS} calls")
    lines = json.dumps(recorded).replace("}, {", "},\n{").replace("]}, ", "]},\n")
    DATA.write_text(lines + "\n", encoding="utf-8")


if __name__ == "__main__":
    record_all()
