"""No call to a public function or a rung leaks memory: 100,000 calls to each, and rejected ones.

Slow ones are called 5,000 times, or as often as the others with POLYMASK_CALLS=100000, which
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
# The smallest block of malloc has 32 bytes, that of Python's own allocator 16: a leak of one block
# per call is at least as large.
LEAK = 16
pytestmark = [
    pytest.mark.weekly,
    pytest.mark.skipif(not STATM.exists(), reason="only Linux counts pages in /proc"),
]

MANY, FEWER, LARGER = 100_000, 5_000, 1_000  # calls
# For rungs in plain Python, with threads or on devices, and for xarray.
SLOW_CALLS = int(os.environ.get("POLYMASK_CALLS", FEWER))
SHAPE = (5, 9)
TRIANGLE = np.array([(1.0, 1.0), (7.0, 2.0), (3.0, 4.0)])
BAD = np.array([(1.0, 1.0), (7.0, np.nan), (3.0, 4.0)])
IMAGE = np.arange(45.0).reshape(SHAPE)
MASK = polymask.polygon_mask(TRIANGLE, SHAPE)
LABELS = MASK.astype(np.int32)
RLE = polymask.coco_rle([TRIANGLE], SHAPE)[0]

# Intel's OpenCL runtime keeps 64 bytes for each address at which device memory is freed: according
# to heaptrack, `Context::USMFree` of 2026.2 causes nearly all the growth of this rung's process.
# An array expression frees dozens of arrays per mask. Large masks show whether one of them leaks.
KEPT_BY_DRIVER = {"sycl.dpnp_array"}
LARGE = (300, 300)
LARGE_TRIANGLE = np.array([(1.0, 1.0), (287.0, 52.0), (133.0, 294.0)])

# A small call to each public function, for a polygon.
CALLS = {name: lambda xy, call=call: call(xy, SHAPE) for name, call in functions.ONE.items()} | {
    name: lambda xy, call=call: [*call([xy, xy], SHAPE)] for name, call in functions.MANY.items()
}
CALLS |= {
    "coco_to_mask": lambda xy: polymask.coco_to_mask(RLE),
    "coco_to_rings": lambda xy: polymask.coco_to_rings(RLE),
    "labels_to_rings": lambda xy: polymask.labels_to_rings(LABELS),
    "mask_to_rings": lambda xy: polymask.mask_to_rings(MASK),
}
# For options with code of their own.
VARIANTS = {
    "coverage, subpixels": lambda xy: polymask.coverage(xy, SHAPE, subpixels=3),
    "label_mask, all_touched": lambda xy: polymask.label_mask([xy], SHAPE, all_touched=True),
    "label_mask, smallest": lambda xy: polymask.label_mask([xy, xy], SHAPE, on_top="smallest"),
    "label_mask, watertight": lambda xy: polymask.label_mask([xy, xy], SHAPE, watertight=True),
    "pixel_counts, all_touched": lambda xy: polymask.pixel_counts([xy], SHAPE, all_touched=True),
    "polygon_statistics, median": lambda xy: polymask.polygon_statistics(
        [xy], IMAGE, statistics=["median", "quantile(q=0.9)", "unique"]
    ),
    "polygon_statistics, weights": lambda xy: polymask.polygon_statistics(
        [xy], IMAGE, statistics=["mean", "frac"], weights="coverage"
    ),
    "polygon_mask, watertight": lambda xy: polymask.polygon_mask(xy, SHAPE, watertight=True),
    "rasterize, add": lambda xy: polymask.rasterize([(xy, 7), (xy, 2)], SHAPE, merge_alg="add"),
}
ALL = CALLS | VARIANTS
WITHOUT_POLYGON = {name for name in CALLS if name.startswith(("coco_to", "runs_to"))}
WITHOUT_POLYGON |= {"labels_to_rings", "mask_to_rings"}


def resident_bytes():
    """Return the resident bytes of this process, without memory kept for reuse."""
    gc.collect()
    if hasattr(LIBC, "malloc_trim"):  # glibc: else a leak would go into free pages first, unnoticed
        LIBC.malloc_trim(0)
    return int(STATM.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def growth(call, calls):
    """Return the number of bytes that a call leaves behind: the median of several stretches.

    A leak grows in each stretch; growth in a single one is an arena that Python allocates or a page
    that is touched for the first time. A tenth of the calls come first, to fill caches. Few calls
    leak no more than a few pages, which may also come and go otherwise: an apparent leak is
    measured again, and a real one is seen again.
    """
    for _ in range(calls // 10):
        call()
    result = median_growth(call, calls // STRETCHES)
    return result if result < LEAK else min(result, median_growth(call, calls // STRETCHES))


def median_growth(call, calls):
    """Return the median, over stretches, of the bytes that a call leaves behind."""
    growths, before = [], resident_bytes()
    for _ in range(STRETCHES):
        for _ in range(calls):
            call()
        after = resident_bytes()
        growths.append(after - before)
        before = after
    return statistics.median(growths) / calls


def expect_error(call, *arguments):
    """Make a call that must fail."""
    try:
        call(*arguments)
    except (TypeError, ValueError):
        return
    raise AssertionError("the call did not fail")


@pytest.fixture(scope="module")
def call_counts(request):
    """Count the calls; record the sums as a promise if all tests passed."""
    calls = {"functions": 0, "rungs": 0, "refused": 0}
    yield calls
    if request.session.testsfailed == 0 and SLOW_CALLS == MANY:
        promises.record(
            "memory",
            promise="No call leaks memory: the number of resident pages does not grow.",
            how="python -m pytest tests/memory",
            tests=["tests/memory/test_leaks.py"],
            figures={
                "calls to public functions": calls["functions"],
                "calls to rungs": calls["rungs"],
                "rejected calls": calls["refused"],
                "leaks": 0,
            },
        )


@pytest.fixture(scope="module", autouse=True)
def _fill_free_memory():
    """Fill memory that earlier tests freed: a leak would go there first, unnoticed."""
    sizes, blocks, filled_bytes = range(1, 480, 16), [], 0
    while filled_bytes < 2000 * sum(sizes):
        before = resident_bytes()
        blocks.append([bytes(size) for size in sizes for _ in range(2000)])
        filled_bytes = resident_bytes() - before
    yield
    blocks.clear()


def test_every_public_function_is_called_here():
    assert {*CALLS, "rasterize_like"} - {"all_touched"} == set(polymask.__all__)


def test_a_lost_byte_is_found():
    """The measurement detects leaked bytes, arrays and objects, and nothing without a leak."""
    objects = []
    for _ in range(MANY):  # these fill memory that earlier tests freed
        LIBC.malloc(1)
    assert growth(lambda: LIBC.malloc(1), MANY) >= LEAK
    # with fewer calls small blocks fit into existing pages, but arrays are seen
    assert growth(lambda: LIBC.malloc(1000), FEWER) >= LEAK
    assert growth(lambda: objects.append(object()), MANY) >= LEAK
    assert growth(object, MANY) < LEAK


@pytest.mark.parametrize("name", CALLS)
def test_public_functions(name, call_counts):
    call = CALLS[name]
    assert growth(lambda: call(TRIANGLE), MANY) < LEAK
    call_counts["functions"] += MANY


@pytest.mark.parametrize("name", VARIANTS)
def test_options(name, call_counts):
    call = VARIANTS[name]
    assert growth(lambda: call(TRIANGLE), MANY) < LEAK
    call_counts["functions"] += MANY


@pytest.mark.parametrize("name", sorted(ALL.keys() - WITHOUT_POLYGON))
def test_refused_calls(name, call_counts):
    call = ALL[name]
    assert growth(lambda: expect_error(call, BAD), FEWER) < LEAK
    call_counts["refused"] += FEWER


def test_what_the_engine_itself_refuses():
    """Elements of three bytes, which Python code never passes: the error leaks nothing."""
    image = MASK.view(np.uint8)

    def call():
        _outlines.trace(image, 3, False, True, None, 4, False, 0, 0)

    with pytest.raises(ValueError, match="elements: of 1, 2, 4 or 8 bytes, got 3"):
        call()
    assert growth(lambda: expect_error(call), MANY) < LEAK


def test_a_grid_of_xarray(call_counts):
    xarray = pytest.importorskip("xarray")
    grid = xarray.DataArray(IMAGE, {"y": np.arange(5.0), "x": np.arange(9.0)})
    call = polymask.rasterize_like
    assert growth(lambda: call([TRIANGLE], grid), SLOW_CALLS) < LEAK
    call_counts["functions"] += SLOW_CALLS


def test_larger_results_of_threads(call_counts):
    """Working memory of a thread, and pages that the kernel zeroed."""
    star = np.random.default_rng(0).uniform(0, 1200, (64, 2))
    stars = [star, star / 2]
    for call in (
        lambda: polymask.polygon_mask(star, (1200, 1200), threads=2),
        lambda: polymask.polygon_mask(star, (1200, 1200), threads=2, packed=True),
        lambda: polymask.label_mask(stars, (1200, 1200), threads=2),
        lambda: polymask.coverage(star, (300, 300)),
    ):
        assert growth(call, 500) < 100 * LEAK
        call_counts["functions"] += 500


def test_geometries_in_other_forms(call_counts):
    shapely = pytest.importorskip("shapely")
    polygon = shapely.Polygon(TRIANGLE)
    mapping = json.loads(shapely.to_geojson(polygon))
    for geometry in polygon, mapping, TRIANGLE.tolist():
        assert growth(lambda geometry=geometry: CALLS["label_mask"](geometry), FEWER) < LEAK
        call_counts["functions"] += FEWER


@rungs_where(lambda rung: rung.key not in KEPT_BY_DRIVER)
def test_rungs(rung, make_mask, call_counts):
    slow = rung.interpreted or rung.device or rung.jit or rung.threads() > 1
    calls = SLOW_CALLS if slow else MANY
    assert growth(lambda: make_mask(TRIANGLE, SHAPE), calls) < LEAK
    call_counts["rungs"] += calls


@rungs_where(lambda rung: rung.key in KEPT_BY_DRIVER)
def test_rungs_whose_driver_keeps_memory(rung, make_mask):
    """Neither a device array nor a Python object leaks."""
    mask_bytes = LARGE[0] * LARGE[1]  # of the rung's arrays only two axes are smaller
    assert growth(lambda: make_mask(LARGE_TRIANGLE, LARGE), LARGER) < mask_bytes / 2
    gc.collect()
    before = sys.getallocatedblocks()
    assert before > 0, "only Python's own allocator counts blocks"
    for _ in range(LARGER):
        make_mask(LARGE_TRIANGLE, LARGE)
    gc.collect()
    assert sys.getallocatedblocks() - before < LARGER / 2  # one object per mask would be LARGER


def test_rungs_that_refuse(rung, make_mask, call_counts):
    assert growth(lambda: expect_error(make_mask, BAD, SHAPE), FEWER) < LEAK
    call_counts["refused"] += FEWER
