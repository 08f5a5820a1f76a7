"""No call of a public function or a rung keeps memory: 100,000 of each, and refused ones.

What is slow is called 5,000 times, and as often as the rest with POLYMASK_CALLS=100000, which
`make weekly` sets.
"""

import ctypes
import gc
import json
import os
import statistics
import sys
from pathlib import Path

import functions
import numpy as np
import promises
import pytest
from every_rung import rungs_where

import polymask
from polymask.masks import _outlines

LIBC = ctypes.CDLL(None) if os.name == "posix" else None
STATM = Path("/proc/self/statm")
STRETCHES = 5
# malloc hands out no block below 32 bytes, and Python's own allocator none below 16: what loses one
# a call grows by at least as much a call.
LEAST = 16
pytestmark = [
    pytest.mark.proof(),
    pytest.mark.skipif(not STATM.exists(), reason="Linux alone counts pages in /proc"),
]

MANY, FEWER, LARGER = 100_000, 5_000, 1_000  # calls
# Rungs of plain Python, threads, devices; xarray, too.
OF_SLOW = int(os.environ.get("POLYMASK_CALLS", FEWER))
SHAPE = (5, 9)
TRIANGLE = np.array([(1.0, 1.0), (7.0, 2.0), (3.0, 4.0)])
BAD = np.array([(1.0, 1.0), (7.0, np.nan), (3.0, 4.0)])
IMAGE = np.arange(45.0).reshape(SHAPE)
MASK = polymask.polygon_mask(TRIANGLE, SHAPE)
LABELS = MASK.astype(np.int32)
RUNS = polymask.polygon_runs(TRIANGLE, SHAPE)

# Intel's OpenCL runtime keeps 64 bytes for each address at which memory of a device is freed:
# `Context::USMFree` of 2026.2, in which heaptrack saw nearly all that this rung's process grew by.
# An expression of arrays frees dozens a mask. Large masks show whether one of them is lost.
KEPT_BY_DRIVER = {"sycl.array"}
LARGE = (300, 300)
LARGE_TRIANGLE = np.array([(1.0, 1.0), (287.0, 52.0), (133.0, 294.0)])

# A small call of each public function, of a polygon.
CALLS = {name: lambda one, call=call: call(one, SHAPE) for name, call in functions.ONE.items()} | {
    name: lambda one, call=call: [*call([one, one], SHAPE)] for name, call in functions.MANY.items()
}
CALLS |= {
    "labels_to_rings": lambda one: polymask.labels_to_rings(LABELS),
    "mask_to_rings": lambda one: polymask.mask_to_rings(MASK),
    "runs_to_mask": lambda one: polymask.runs_to_mask(RUNS, SHAPE),
}
# Of options that have code of their own.
VARIANTS = {
    "coverage, subpixels": lambda one: polymask.coverage(one, SHAPE, subpixels=3),
    "label_mask, all_touched": lambda one: polymask.label_mask([one], SHAPE, all_touched=True),
    "label_mask, smallest": lambda one: polymask.label_mask([one, one], SHAPE, on_top="smallest"),
    "label_mask, watertight": lambda one: polymask.label_mask([one, one], SHAPE, watertight=True),
    "pixel_counts, all_touched": lambda one: polymask.pixel_counts([one], SHAPE, all_touched=True),
    "polygon_mask, watertight": lambda one: polymask.polygon_mask(one, SHAPE, watertight=True),
    "rasterize, add": lambda one: polymask.rasterize([(one, 7), (one, 2)], SHAPE, merge_alg="add"),
}
ALL = CALLS | VARIANTS
WITHOUT_POLYGON = {"labels_to_rings", "mask_to_rings", "runs_to_mask"}


def resident():
    """Return the bytes of this process that lie in memory, without what is kept for reuse."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):  # glibc: else a leak would fill free pages first, unseen
        LIBC.malloc_trim(0)
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call, calls):
    """Return how many bytes a call leaves behind: the median of some stretches of calls.

    What grows in one stretch alone, an arena that Python takes or a page that is first touched, is
    no leak: that grows in each. A tenth of the calls come before, to fill what is kept for reuse.
    Few calls lose no more than a few pages, and so many may come and go: what seems to leak is
    looked at once more, and a leak is there again.
    """
    for _ in range(calls // 10):
        call()
    found = median_growth(call, calls // STRETCHES)
    return found if found < LEAST else min(found, median_growth(call, calls // STRETCHES))


def median_growth(call, in_stretch):
    """Return the bytes that a call leaves behind in the median of the stretches."""
    grown, before = [], resident()
    for _ in range(STRETCHES):
        for _ in range(in_stretch):
            call()
        after = resident()
        grown.append(after - before)
        before = after
    return statistics.median(grown) / in_stretch


def refused(call, *arguments):
    """Make a call that is an error."""
    try:
        call(*arguments)
    except (TypeError, ValueError):
        return
    raise AssertionError("it was not refused")


@pytest.fixture(scope="module")
def counted(request):
    """How many calls were made; told as a figure of what we promise if all tests passed."""
    calls = {"functions": 0, "rungs": 0, "refused": 0}
    yield calls
    if request.session.testsfailed == 0 and OF_SLOW == MANY:
        promises.record(
            "memory",
            promise="No call leaks memory: the number of resident pages does not grow.",
            how="python -m pytest tests/memory",
            tests=["tests/memory/test_leaks.py"],
            figures={
                "calls of public functions": calls["functions"],
                "calls of rungs": calls["rungs"],
                "rejected calls": calls["refused"],
                "leaks": 0,
            },
        )


@pytest.fixture(scope="module", autouse=True)
def _nothing_free():
    """Fill what earlier tests of this process have freed: a leak would fill it first, unseen."""
    sizes, kept, grown = range(1, 480, 16), [], 0
    while grown < 2000 * sum(sizes):
        before = resident()
        kept.append([bytes(size) for size in sizes for _ in range(2000)])
        grown = resident() - before
    yield
    kept.clear()


def test_every_public_function_is_called_here():
    assert {*CALLS, "rasterize_like"} - {"all_touched"} == set(polymask.__all__)


def test_a_lost_byte_is_found():
    """What holds for the measure holds for what is measured by it."""
    lost = []
    for _ in range(MANY):  # these fill what earlier tests have freed in pages that are there
        LIBC.malloc(1)
    assert growth(lambda: LIBC.malloc(1), MANY) >= LEAST
    # of fewer calls small blocks find room in pages that are there: but an array is seen
    assert growth(lambda: LIBC.malloc(1000), FEWER) >= LEAST
    assert growth(lambda: lost.append(object()), MANY) >= LEAST
    assert growth(object, MANY) < LEAST


@pytest.mark.parametrize("name", CALLS)
def test_public_functions(name, counted):
    call = CALLS[name]
    assert growth(lambda: call(TRIANGLE), MANY) < LEAST
    counted["functions"] += MANY


@pytest.mark.parametrize("name", VARIANTS)
def test_options(name, counted):
    call = VARIANTS[name]
    assert growth(lambda: call(TRIANGLE), MANY) < LEAST
    counted["functions"] += MANY


@pytest.mark.parametrize("name", sorted(ALL.keys() - WITHOUT_POLYGON))
def test_what_is_refused(name, counted):
    call = ALL[name]
    assert growth(lambda: refused(call, BAD), FEWER) < LEAST
    counted["refused"] += FEWER


def test_what_the_engine_itself_refuses():
    """Elements of three bytes, which Python never lets pass: an error leaves nothing behind."""
    image = MASK.view(np.uint8)

    def call():
        _outlines.trace(image, 3, False, True, None, 4, False, 0, 0)

    with pytest.raises(ValueError, match="elements: of 1, 2, 4 or 8 bytes, got 3"):
        call()
    assert growth(lambda: refused(call), MANY) < LEAST


def test_a_grid_of_xarray(counted):
    xarray = pytest.importorskip("xarray")
    grid = xarray.DataArray(IMAGE, {"y": np.arange(5.0), "x": np.arange(9.0)})
    call = polymask.rasterize_like
    assert growth(lambda: call([TRIANGLE], grid), OF_SLOW) < LEAST
    counted["functions"] += OF_SLOW


def test_larger_results_of_threads(counted):
    """Work memory of a thread, and pages that the kernel zeroed."""
    star = np.random.default_rng(0).uniform(0, 1200, (64, 2))
    stars = [star, star / 2]
    for call in (
        lambda: polymask.polygon_mask(star, (1200, 1200), threads=2),
        lambda: polymask.polygon_mask(star, (1200, 1200), threads=2, packed=True),
        lambda: polymask.label_mask(stars, (1200, 1200), threads=2),
        lambda: polymask.coverage(star, (300, 300)),
    ):
        assert growth(call, 500) < 100 * LEAST
        counted["functions"] += 500


def test_geometries_in_other_forms(counted):
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(TRIANGLE)
    mapping = json.loads(shapely.to_geojson(polygon))
    for one in polygon, mapping, TRIANGLE.tolist():
        assert growth(lambda one=one: CALLS["label_mask"](one), FEWER) < LEAST
        counted["functions"] += FEWER


@rungs_where(lambda rung: rung.key not in KEPT_BY_DRIVER)
def test_rungs(rung, make_mask, counted):
    slow = rung.interpreted or rung.device or rung.jit or rung.threads() > 1
    calls = OF_SLOW if slow else MANY
    assert growth(lambda: make_mask(TRIANGLE, SHAPE), calls) < LEAST
    counted["rungs"] += calls


@rungs_where(lambda rung: rung.key in KEPT_BY_DRIVER)
def test_rungs_whose_driver_keeps_memory(rung, make_mask):
    """Neither an array of a device nor an object of Python is lost."""
    a_mask = LARGE[0] * LARGE[1]  # bytes: no array of the rung's is smaller, but for two axes
    assert growth(lambda: make_mask(LARGE_TRIANGLE, LARGE), LARGER) < a_mask / 2
    gc.collect()
    before = sys.getallocatedblocks()
    assert before > 0, "another allocator than Python's counts no blocks"
    for _ in range(LARGER):
        make_mask(LARGE_TRIANGLE, LARGE)
    gc.collect()
    assert sys.getallocatedblocks() - before < LARGER / 2  # an object a mask would be LARGER


def test_rungs_that_refuse(rung, make_mask, counted):
    assert growth(lambda: refused(make_mask, BAD, SHAPE), FEWER) < LEAST
    counted["refused"] += FEWER
