"""The functions of one polygon: what holds whatever the polygon, the image and the options."""

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
# Of what most others follow from.
THOROUGH = hypothesis.settings(max_examples=3 * hypothesis.settings().max_examples)
same = np.testing.assert_array_equal


@THOROUGH
@given(drawn=rings_on_image, options=sampling)
def test_the_rule(drawn, options):
    """All rings have one parity; `by_rings` knows nothing of watertight edges."""
    shape, rings = drawn
    options["watertight"] = False
    row, col = options["offset"]
    half = 0.5 if options["center"] else 0.0
    expected = polygons.by_rings(rings, shape, options["border_value"], col + half, row + half)
    same(polygons.mask_of(rings, shape, **options), expected)


@given(drawn=rings_on_image, options=sampling, packed=strategies.booleans, data=st.data())
def test_a_window_is_the_window_of_the_whole(drawn, options, packed, data):
    shape, rings = drawn
    window = data.draw(strategies.windows(shape))
    whole = polymask.polygon_mask(rings, shape, **options)[window]
    row, col = options.pop("offset")
    at = row + window[0].start, col + window[1].start
    part = polymask.polygon_mask(rings, whole.shape, packed=packed, offset=at, **options)
    expected = np.packbits(whole, axis=1, bitorder="little") if packed else whole
    same(part, expected)


@given(drawn=rings_on_image, options=sampling)
def test_a_multipolygon_is_an_or(drawn, options):
    shape, rings = drawn
    multi = polygons.geojson("MultiPolygon", [[polygons.closed(ring)] for ring in rings])
    masks = [polymask.polygon_mask(ring, shape, **options) for ring in rings]
    expected = np.bitwise_or.reduce(masks)
    same(polymask.polygon_mask(multi, shape, **options), expected)
    bits = np.packbits(expected, axis=1, bitorder="little")
    same(polymask.polygon_mask(multi, shape, packed=True, **options), bits)


@given(drawn=rings_on_image, options=sampling, dtype=st.sampled_from([bool, np.uint8]))
def test_out_columns_and_bits_change_nothing(drawn, options, dtype):
    shape, rings = drawn
    mask = polymask.polygon_mask(rings, shape, dtype=dtype, **options)
    assert mask.dtype == dtype
    out = np.full(shape, 1, dtype)
    polymask.polygon_mask(rings, shape, out=out, **options)
    same(out, mask)
    swapped = [ring[:, ::-1] for ring in rings]
    same(polymask.polygon_mask(swapped, shape, order="rc", **options), mask)
    bits = np.packbits(mask, axis=1, bitorder="little")
    same(polymask.polygon_mask(rings, shape, packed=True, **options), bits)


@given(drawn=rings_on_image, options=sampling)
def test_samples_as_points(drawn, options):
    shape, rings = drawn
    center, (row, col) = options.pop("center"), options.pop("offset")
    y, x = np.indices(shape).reshape(2, -1) + np.array([[row], [col]]) + (0.5 if center else 0)
    inside = polymask.contains(rings, np.column_stack([x, y]), **options)
    mask = polymask.polygon_mask(rings, shape, center=center, offset=(row, col), **options)
    same(inside.reshape(shape), mask)


@given(drawn=rings_on_image, options=sampling)
def test_runs_and_back(drawn, options):
    shape, rings = drawn
    mask = polymask.polygon_mask(rings, shape, **options)
    row, start, stop = polymask.polygon_runs(rings, shape, **options)
    same(polymask.runs_to_mask((row, start, stop), shape), mask)
    assert (start < stop).all()
    apart = (row[1:] > row[:-1]) | ((row[1:] == row[:-1]) & (start[1:] > stop[:-1]))
    assert apart.all()  # sorted; runs of a row neither meet nor touch


@given(drawn=strategies.images_and(strategies.meshes), center=strategies.booleans)
def test_watertight_tiles_leave_no_sample_out(drawn, center):
    shape, tiles = drawn
    options = {"center": center, "watertight": True, "border_value": None}
    times = sum(polygons.mask_of(tile, shape, **options).astype(int) for tile in tiles)
    same(times % 2, np.ones(shape, int))  # three times only amid tiles thinner than rounding


@given(drawn=strategies.images_and(strategies.meshes), center=strategies.booleans)
def test_fractions_of_tiles_sum_to_one(drawn, center):
    shape, tiles = drawn
    total = sum(polymask.coverage(tile, shape, center=center).astype(float) for tile in tiles)
    np.testing.assert_allclose(total, 1, rtol=0, atol=len(tiles) * 2.0**-24)


@given(
    drawn=moderate_rings,
    center=strategies.booleans,
    subpixels=st.sampled_from([None, 1, 3]),
    data=st.data(),
)
def test_fractions_of_a_window_are_those_of_the_whole(drawn, center, subpixels, data):
    shape, rings = drawn
    window = data.draw(strategies.windows(shape))
    options = {"center": center, "subpixels": subpixels}
    whole = polymask.coverage(rings, shape, **options)
    assert 0 <= whole.min() <= whole.max() <= 1
    at = window[0].start, window[1].start
    same(polymask.coverage(rings, whole[window].shape, offset=at, **options), whole[window])


@given(drawn=moderate_ring, center=strategies.booleans, offset=strategies.offsets)
def test_fractions_are_those_of_rational_arithmetic(drawn, center, offset):
    """Where a ring crosses itself, the mean winding's distance from the nearest even number."""
    shape, ring = drawn
    winding = np.abs(signed_areas(ring.tolist(), shape, offset, center)) % 2
    exact = np.minimum(winding, 2 - winding).astype(float)
    found = polymask.coverage(ring, shape, center=center, offset=offset)
    most = 2.0**-25 + len(ring) * 2.0**-30  # as it is rounded to float32, and as each edge errs
    np.testing.assert_allclose(found, exact, rtol=0, atol=most)


@given(drawn=moderate_rings, center=strategies.booleans, offset=strategies.offsets)
def test_what_is_covered_is_touched(drawn, center, offset):
    shape, rings = drawn
    options = {"center": center, "offset": offset}
    closed = polymask.polygon_mask(rings, shape, all_touched="closed", **options)
    opened = polymask.polygon_mask(rings, shape, all_touched="open", **options)
    assert not (opened & ~closed).any()
    covered = polymask.coverage(rings, shape, **options)
    assert not (covered[~opened] > 0).any()
    turned = [np.roll(ring[::-1], 1, axis=0) for ring in rings]
    same(polymask.polygon_mask(turned, shape, all_touched="open", **options), opened)


@given(drawn=rings_on_image, squares=st.sampled_from(["closed", "open"]), data=st.data())
def test_touched_of_a_window_is_that_of_the_whole(drawn, squares, data):
    shape, rings = drawn
    window = data.draw(strategies.windows(shape))
    whole = polymask.polygon_mask(rings, shape, all_touched=squares)
    at = window[0].start, window[1].start
    part = polymask.polygon_mask(rings, whole[window].shape, all_touched=squares, offset=at)
    same(part, whole[window])


@given(drawn=moderate_rings, offset=strategies.offsets, connectivity=st.sampled_from([4, 8]))
def test_outlines_give_the_mask_again(drawn, offset, connectivity):
    shape, rings = drawn
    mask = polymask.polygon_mask(rings, shape)
    outlines = polymask.mask_to_rings(mask, offset=offset, connectivity=connectivity)
    hypothesis.assume(outlines)
    same(polymask.polygon_mask(outlines, shape, center=True, offset=offset), mask)
