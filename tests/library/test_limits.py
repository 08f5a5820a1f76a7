"""Limits of coordinates and sizes of images: beyond them an error, never a crash."""

import sys

import numpy as np
import pytest
from cases import folded
from fresh_python import run
from polygons import SHAPE, TRIANGLE, geojson

import polymask
from ladder.registry import reference

HUGE = 2**60
ONE = {
    "polygon_mask": lambda shape: polymask.polygon_mask(TRIANGLE, shape),
    "parts": lambda shape: polymask.polygon_mask(
        geojson("MultiPolygon", [[TRIANGLE.tolist()]] * 2), shape
    ),
    "all_touched": lambda shape: polymask.polygon_mask(TRIANGLE, shape, all_touched=True),
    "coverage": lambda shape: polymask.coverage(TRIANGLE, shape),
    "subpixels": lambda shape: polymask.coverage(TRIANGLE, shape, 4),
    "label_mask": lambda shape: polymask.label_mask([TRIANGLE], shape),
    "polygon_masks": lambda shape: polymask.polygon_masks([TRIANGLE], shape)[0],
    "rasterize": lambda shape: polymask.rasterize([TRIANGLE], shape),
}


@folded("shape", [(0, HUGE), (HUGE, 0)])
@folded("name", ONE)
def test_empty_images_with_a_huge_side_are_made_at_once(name, shape):
    assert ONE[name](shape).shape == shape


@pytest.mark.parametrize("shape", [(0, HUGE), (HUGE, 0)])
def test_counts_in_empty_images(shape):
    assert polymask.pixel_counts([TRIANGLE], shape).tolist() == [0]
    assert np.isnan(polymask.pixel_centroids([TRIANGLE], shape)).all()
    assert polymask.label_runs([TRIANGLE], shape).offsets.tolist() == [0, 0]
    assert [mask.size for _, mask in polymask.polygon_crops([TRIANGLE], shape)] == [0]
    rle = polymask.coco_rle([TRIANGLE], shape)
    assert rle[0]["size"] == list(shape)
    packed = polymask.polygon_mask(TRIANGLE, shape, packed=True)
    assert packed.shape == (shape[0], -(-shape[1] // 8))


@folded("shape", [(2**30, 2**30), (3, 2**58), (2**58, 3)])
@folded("name", ONE)
def test_images_beyond_memory(name, shape):
    with pytest.raises(MemoryError):
        ONE[name](shape)


def test_counts_need_no_sums_of_rows_and_columns():
    """A window in which sums of rows or columns could exceed 63 bits."""
    shape = 10, 2**30
    band = [(-0.5, 0.5), (2.0**31, 0.5), (2.0**31, 4.5), (-0.5, 4.5)]
    for threads in (1, 2):
        counts = polymask.pixel_counts([band, TRIANGLE], shape, threads=threads)
        assert counts.tolist() == [4 * 2**30, reference.mask(TRIANGLE, (10, 20)).sum()]
    with pytest.raises(ValueError, match="could exceed 63 bits"):
        polymask.pixel_centroids([band], shape)


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("sign", [-1, 1])
def test_fractions_of_far_vertices_are_rejected(axis, sign):
    polygon = TRIANGLE.copy()
    polygon[2, axis] = sign * 2.0**50
    assert polymask.coverage(polygon, SHAPE).shape == SHAPE
    polygon[2, axis] = sign * np.nextafter(2.0**50, np.inf)
    multi = geojson("MultiPolygon", [[TRIANGLE.tolist()], [polygon.tolist()]])
    for form in (polygon, [TRIANGLE[:, ::-1], polygon], multi):
        with pytest.raises(ValueError, match=r"\d.*2\*\*50.*fraction"):
            polymask.coverage(form, SHAPE)
    assert polymask.coverage(polygon, SHAPE, 2).shape == SHAPE  # the rule has no limit


def test_offsets_of_squares_have_a_limit():
    for far in (2**50 - SHAPE[0], -(2**50)):
        triangle = TRIANGLE + far
        options = {"offset": (far, far), "center": True}
        near = polymask.coverage(TRIANGLE, SHAPE[:1] * 2, center=True)
        result = polymask.coverage(triangle, SHAPE[:1] * 2, **options)
        np.testing.assert_allclose(result, near, rtol=0, atol=0.06)
        touched = polymask.polygon_mask(triangle, SHAPE[:1] * 2, all_touched=True, **options)
        expected = polymask.polygon_mask(TRIANGLE, SHAPE[:1] * 2, all_touched=True, center=True)
        np.testing.assert_array_equal(touched, expected)
    for offset in ((2**50 - SHAPE[0] + 1, 0), (0, -(2**50) - 1)):
        with pytest.raises(ValueError, match=r"beyond 2\^50"):
            polymask.coverage(TRIANGLE, SHAPE, offset=offset)
        with pytest.raises(ValueError, match=r"beyond 2\^50"):
            polymask.polygon_mask(TRIANGLE, SHAPE, offset=offset, all_touched=True)
        with pytest.raises(ValueError, match=r"beyond 2\^50"):
            polymask.label_runs([TRIANGLE], SHAPE, offset=offset, all_touched=True)


@folded("name", ["label_mask", "label_runs", "pixel_counts", "polygon_mask"])
@folded(("center", "limit"), [(False, 2**53), (True, 2**52)])
def test_windows_with_inexact_samples_are_rejected(name, center, limit):
    """Neighbours would have the same coordinates: an edge there would move by a pixel."""
    make = getattr(polymask, name)
    polygon = TRIANGLE if name.startswith("polygon") else [TRIANGLE]
    for shape in (1, 8), (8, 1):
        last = limit - shape[0], limit - shape[1]
        make(polygon, shape, center=center, offset=last)
        make(polygon, shape, center=center, offset=(-limit, -limit))
        bad_offsets = (last[0] + 1, 0), (0, last[1] + 1), (-limit - 1, 0), (0, -limit - 1)
        for offset in bad_offsets:
            with pytest.raises(ValueError, match=r"is beyond 2\*\*5[23]\b.* would not be exact"):
                make(polygon, shape, center=center, offset=offset)
    make(polygon, (0, 8), center=center, offset=(limit, limit))


def test_counts_of_too_many_columns_are_rejected():
    with pytest.raises(ValueError, match=r"\(1.*18014398509481984\).*beyond"):
        polymask.pixel_counts([TRIANGLE], (1, 2**54))


def test_areas_that_overflow_have_no_order():
    large = np.array([(-(2.0**500), 1), (2.0**500, 1), (3, 2.0**500)])
    for polygons in ([TRIANGLE, large], [large, TRIANGLE]):
        small = polymask.pixel_counts([TRIANGLE], SHAPE)[0]
        image = polymask.label_mask(polygons, SHAPE, on_top="smallest")
        assert (image == 1 + (polygons[1] is TRIANGLE)).sum() == small
        with pytest.raises(ValueError, match=r"\d.*2\*\*500.*areas"):
            polymask.label_mask([*polygons, large * 2], SHAPE, on_top="smallest")


def test_small_polygons_in_a_window_beyond_memory():
    """A crop, its runs and counts take memory for the polygon's pixels, not the image's."""
    shape = 2**20, 2**40
    far = TRIANGLE + (2.0**39, 2.0**19)
    near = polymask.polygon_mask(TRIANGLE, SHAPE)
    ((window, mask),) = polymask.polygon_crops([far], shape)
    assert (window[0].start, window[1].start) == (2**19 + 2, 2**39 + 1)
    assert mask.sum() == near.sum()
    assert polymask.pixel_counts([far], shape).tolist() == [near.sum()]
    assert sum(polymask.label_runs([far], shape).stop) > 0


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="limits memory as Linux counts it")
def test_an_engine_without_memory_raises_a_memory_error():
    """The engine's function that does not throw reports it as a status."""
    program = """
import resource
import numpy as np
import polymask
vertices = np.random.default_rng(1).uniform(0, 1000, (2_000_000, 2))
calls = [
    lambda: polymask.polygon_mask(vertices, (1000, 1000), out=out, threads=1),
    lambda: polymask.polygon_mask(vertices, (1000, 8000), out=out, packed=True, threads=1),
]
out = np.zeros((1000, 1000), np.uint8)
polymask.polygon_mask(vertices[:9], out.shape, out=out, threads=1)
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
copied = vertices.nbytes + (8 << 20)  # by Python; the engine's edges take far more than 8 MiB
hard = resource.getrlimit(resource.RLIMIT_AS)[1]
resource.setrlimit(resource.RLIMIT_AS, (used + copied, hard))
for call in calls:
    try:
        call()
    except MemoryError as error:
        print(error)
"""
    result = run("-c", program)
    assert result.stdout == 2 * "no memory for the engine's bit buffers and edges\n", result.stderr
