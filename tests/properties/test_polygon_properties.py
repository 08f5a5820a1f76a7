"""The functions of one polygon: properties for any polygon, image and options."""

import hypothesis
import numpy as np
import polygons
import strategies
from exact_areas import signed_areas
from hypothesis import given
from hypothesis import strategies as st

import polymask

rings_on_image = strategies.images_and(strategies.polygons_of_rings)
moderate_rings = strategies.images_and(
    lambda shape: strategies.polygons_of_rings(shape, strategies.moderate)
)
moderate_ring = strategies.images_and(lambda shape: strategies.rings(shape, strategies.moderate))
sampling = strategies.sampling()
# For the property that most others follow from.
THOROUGH = hypothesis.settings(max_examples=3 * hypothesis.settings().max_examples)
same = np.testing.assert_array_equal


@THOROUGH
@given(example=rings_on_image, options=sampling)
def test_the_rule(example, options):
    """All rings share one parity; `by_rings` has no watertight edges."""
    shape, rings = example
    options["watertight"] = False
    row, col = options["offset"]
    half = 0.5 if options["center"] else 0.0
    expected = polygons.by_rings(rings, shape, options["border_value"], col + half, row + half)
    same(polygons.mask_of(rings, shape, **options), expected)


@given(example=rings_on_image, options=sampling, packed=strategies.booleans, data=st.data())
def test_a_window_is_the_window_of_the_whole(example, options, packed, data):
    shape, rings = example
    window = data.draw(strategies.windows(shape))
    whole = polymask.polygon_mask(rings, shape, **options)[window]
    row, col = options.pop("offset")
    offset = row + window[0].start, col + window[1].start
    part = polymask.polygon_mask(rings, whole.shape, packed=packed, offset=offset, **options)
    expected = np.packbits(whole, axis=1, bitorder="little") if packed else whole
    same(part, expected)


@given(example=rings_on_image, options=sampling)
def test_a_multipolygon_is_an_or(example, options):
    shape, rings = example
    multi = polygons.geojson("MultiPolygon", [[polygons.closed(ring)] for ring in rings])
    masks = [polymask.polygon_mask(ring, shape, **options) for ring in rings]
    expected = np.bitwise_or.reduce(masks)
    same(polymask.polygon_mask(multi, shape, **options), expected)
    bits = np.packbits(expected, axis=1, bitorder="little")
    same(polymask.polygon_mask(multi, shape, packed=True, **options), bits)


@given(example=rings_on_image, options=sampling, dtype=st.sampled_from([bool, np.uint8]))
def test_out_columns_and_bits_change_nothing(example, options, dtype):
    shape, rings = example
    mask = polymask.polygon_mask(rings, shape, dtype=dtype, **options)
    assert mask.dtype == dtype
    out = np.full(shape, 1, dtype)
    polymask.polygon_mask(rings, shape, out=out, **options)
    same(out, mask)
    swapped = [ring[:, ::-1] for ring in rings]
    same(polymask.polygon_mask(swapped, shape, order="rc", **options), mask)
    bits = np.packbits(mask, axis=1, bitorder="little")
    same(polymask.polygon_mask(rings, shape, packed=True, **options), bits)


@given(shape=strategies.shapes, dtype=st.sampled_from([bool, np.uint8, "packed"]), data=st.data())
def test_a_buffer_has_the_mask_of_the_last_polygon(shape, dtype, data):
    packed = dtype == "packed"
    form = {"packed": packed, "dtype": None if packed else dtype}
    buffer = polymask.MaskBuffer(shape, **form)
    for _ in range(data.draw(st.integers(2, 5))):
        rings = data.draw(strategies.polygons_of_rings(shape))
        parts = [] if data.draw(strategies.booleans) else rings
        multi = polygons.geojson("MultiPolygon", [[polygons.closed(ring)] for ring in parts])
        polygon = data.draw(st.sampled_from([rings, rings[0], multi]))
        options = data.draw(strategies.sampling((False, False, "open", "closed")))
        mask, expected = buffer.draw(polygon, **options), polymask.polygon_mask
        same(mask, expected(polygon, shape, **form, **options))
        assert mask.dtype == (np.uint8 if packed else dtype)
        outside = expected(polygon, shape, **options)
        outside[buffer.window] = False
        assert not outside.any()


@given(example=rings_on_image, options=sampling)
def test_samples_as_points(example, options):
    shape, rings = example
    center, (row, col) = options.pop("center"), options.pop("offset")
    y, x = np.indices(shape).reshape(2, -1) + np.array([[row], [col]]) + (0.5 if center else 0)
    inside = polymask.contains(rings, np.column_stack([x, y]), **options)
    mask = polymask.polygon_mask(rings, shape, center=center, offset=(row, col), **options)
    same(inside.reshape(shape), mask)


@given(example=rings_on_image, options=sampling)
def test_runs(example, options):
    shape, rings = example
    mask = polymask.polygon_mask(rings, shape, **options)
    row, start, stop = polymask.label_runs([rings], shape, **options)[:3]
    same(polygons.mask_of_runs((row, start, stop), shape), mask)
    assert (start < stop).all()
    separate = (row[1:] > row[:-1]) | ((row[1:] == row[:-1]) & (start[1:] > stop[:-1]))
    assert separate.all()  # sorted; runs of a row neither meet nor touch


@given(example=strategies.images_and(strategies.meshes), center=strategies.booleans)
def test_watertight_tiles_leave_no_sample_out(example, center):
    shape, tiles = example
    options = {"center": center, "watertight": True, "border_value": None}
    times = sum(polygons.mask_of(tile, shape, **options).astype(int) for tile in tiles)
    same(times % 2, np.ones(shape, int))  # three times only among tiles thinner than rounding


@given(example=strategies.images_and(strategies.meshes), center=strategies.booleans)
def test_fractions_of_tiles_sum_to_one(example, center):
    shape, tiles = example
    total = sum(polymask.coverage(tile, shape, center=center).astype(float) for tile in tiles)
    np.testing.assert_allclose(total, 1, rtol=0, atol=len(tiles) * 2.0**-24)


@given(
    example=moderate_rings,
    center=strategies.booleans,
    subpixels=st.sampled_from([None, 1, 3]),
    data=st.data(),
)
def test_fractions_of_a_window_are_those_of_the_whole(example, center, subpixels, data):
    shape, rings = example
    window = data.draw(strategies.windows(shape))
    options = {"center": center, "subpixels": subpixels}
    whole = polymask.coverage(rings, shape, **options)
    assert 0 <= whole.min() <= whole.max() <= 1
    offset = window[0].start, window[1].start
    same(polymask.coverage(rings, whole[window].shape, offset=offset, **options), whole[window])


@given(example=moderate_ring, center=strategies.booleans, offset=strategies.offsets)
def test_fractions_are_those_of_rational_arithmetic(example, center, offset):
    """Where a ring crosses itself: the distance of the mean winding from an even number."""
    shape, ring = example
    winding = np.abs(signed_areas(ring.tolist(), shape, offset, center)) % 2
    exact = np.minimum(winding, 2 - winding).astype(float)
    result = polymask.coverage(ring, shape, center=center, offset=offset)
    tolerance = 2.0**-25 + len(ring) * 2.0**-30  # rounding to float32, plus an error per edge
    np.testing.assert_allclose(result, exact, rtol=0, atol=tolerance)


@given(example=moderate_rings, center=strategies.booleans, offset=strategies.offsets)
def test_covered_pixels_are_touched(example, center, offset):
    shape, rings = example
    options = {"center": center, "offset": offset}
    closed = polymask.polygon_mask(rings, shape, all_touched="closed", **options)
    opened = polymask.polygon_mask(rings, shape, all_touched="open", **options)
    assert not (opened & ~closed).any()
    covered = polymask.coverage(rings, shape, **options)
    assert not (covered[~opened] > 0).any()
    turned = [np.roll(ring[::-1], 1, axis=0) for ring in rings]
    same(polymask.polygon_mask(turned, shape, all_touched="open", **options), opened)


@given(example=rings_on_image, squares=st.sampled_from(["closed", "open"]), data=st.data())
def test_touched_of_a_window_is_that_of_the_whole(example, squares, data):
    shape, rings = example
    window = data.draw(strategies.windows(shape))
    whole = polymask.polygon_mask(rings, shape, all_touched=squares)
    offset = window[0].start, window[1].start
    part = polymask.polygon_mask(rings, whole[window].shape, all_touched=squares, offset=offset)
    same(part, whole[window])


@given(example=moderate_rings, offset=strategies.offsets, connectivity=st.sampled_from([4, 8]))
def test_outlines_give_the_mask_again(example, offset, connectivity):
    shape, rings = example
    mask = polymask.polygon_mask(rings, shape)
    outlines = polymask.mask_to_rings(mask, offset=offset, connectivity=connectivity)
    hypothesis.assume(outlines)
    same(polymask.polygon_mask(outlines, shape, center=True, offset=offset), mask)
