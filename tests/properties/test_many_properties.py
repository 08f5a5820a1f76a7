"""The functions of many polygons: each polygon's pixels are those of its own mask."""

import json
from fractions import Fraction

import numpy as np
import polygons
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

import polymask

sets_on_image = strategies.images_and(strategies.sets_of_polygons)
hostile_sets = strategies.images_and(
    lambda shape: strategies.sets_of_polygons(shape, strategies.hostile)
)
lattice_sets = strategies.images_and(
    lambda shape: strategies.sets_of_polygons(shape, strategies.eighths)
)
tiled_image = strategies.images_and(strategies.fans)
sampling = strategies.sampling(squares=(False, "closed", "open"))
threads = st.sampled_from([1, 2])
same = np.testing.assert_array_equal


def masks_of(rings, shape, options):
    masks = [polygons.mask_of(ring, shape, **options) for ring in rings]
    return np.array(masks, np.uint8).reshape(len(masks), *shape)


@given(
    example=hostile_sets,
    options=sampling,
    threads=threads,
    on_top=st.sampled_from(["last", "first"]),
    data=st.data(),
)
def test_labels_are_painted_one_by_one(example, options, threads, on_top, data):
    shape, rings = example
    labels = data.draw(st.lists(st.integers(1, 99), min_size=len(rings), max_size=len(rings)))
    expected = np.zeros(shape, np.int64)
    painted = list(zip(masks_of(rings, shape, options), labels, strict=True))
    for mask, label in painted if on_top == "last" else painted[::-1]:
        expected[mask > 0] = label
    image = polymask.label_mask(
        rings, shape, labels=labels, on_top=on_top, threads=threads, **options
    )
    same(image, expected)


@given(example=sets_on_image, options=sampling)
def test_the_smallest_is_on_top(example, options):
    shape, rings = example
    x, y = (np.array([ring[:, axis] for ring in rings], object) for axis in (0, 1))
    areas = [
        abs(float((a * np.roll(b, -1) - b * np.roll(a, -1)).sum())) / 2
        for a, b in zip(x, y, strict=True)
    ]
    gaps = np.diff(sorted(areas))
    if (gaps < 1e-6).any():  # equal up to rounding: either may be on top
        return
    expected = np.zeros(shape, np.int64)
    masks = masks_of(rings, shape, options)
    for i in sorted(range(len(rings)), key=lambda i: -areas[i]):
        expected[masks[i] > 0] = i + 1
    same(polymask.label_mask(rings, shape, on_top="smallest", **options), expected)


@given(example=hostile_sets, options=sampling, threads=threads, data=st.data())
def test_runs_are_those_of_each(example, options, threads, data):
    shape, rings = example
    label_lists = st.lists(st.integers(-1, 2**40), min_size=len(rings), max_size=len(rings))
    labels = data.draw(label_lists)
    runs = polymask.label_runs(rings, shape, labels=labels, threads=threads, **options)
    for number, mask in enumerate(masks_of(rings, shape, options)):
        rows = slice(*runs.offsets[number : number + 2])
        assert (runs.label[rows] == labels[number]).all()
        same(polygons.mask_of_runs([column[rows] for column in runs[:3]], shape), mask)


@given(example=hostile_sets, options=sampling, threads=threads)
def test_counts_and_centroids(example, options, threads):
    shape, rings = example
    masks = masks_of(rings, shape, options)
    counts = polymask.pixel_counts(rings, shape, threads=threads, **options)
    same(counts, masks.sum(axis=(1, 2)))
    centroids = polymask.pixel_centroids(rings, shape, threads=threads, **options)
    half = Fraction(1, 2) if options["center"] else 0
    row, col = options["offset"]
    for mask, count, centroid in zip(masks, counts, centroids, strict=True):
        if count == 0:
            assert np.isnan(centroid).all()
            continue
        rows, cols = np.nonzero(mask)
        sums = Fraction(int(cols.sum())), Fraction(int(rows.sum()))
        mean = [sum_ / int(count) + at + half for sum_, at in zip(sums, (col, row), strict=True)]
        assert centroid.tolist() == [float(number) for number in mean]  # each rounded once


@given(
    example=hostile_sets,
    options=sampling,
    threads=threads,
    dtype=st.sampled_from(["u1", "i2", "i8", "f4", "f8"]),
    nodata=st.sampled_from([None, 3, 250]),
    data=st.data(),
)
def test_statistics(example, options, threads, dtype, nodata, data):
    shape, rings = example
    seed = data.draw(st.integers(0, 2**32))
    image = np.random.default_rng(seed).integers(0, 7, shape).astype(dtype)
    stats = polymask.polygon_statistics(rings, image, nodata=nodata, threads=threads, **options)
    for number, mask in enumerate(masks_of(rings, shape, options)):
        values = image[(mask > 0) & (True if nodata is None else image != nodata)]
        assert stats.count[number] == values.size
        assert stats.sum[number] == values.sum()
        if values.size:
            assert stats.mean[number] == float(values.sum()) / values.size
            assert (stats.min[number], stats.max[number]) == (values.min(), values.max())
        else:
            assert np.isnan(stats.mean[number])
            for extreme in stats.min[number], stats.max[number]:  # integers have no NaN
                assert extreme is np.ma.masked if dtype[0] in "ui" else np.isnan(extreme)


@given(example=tiled_image, border_value=strategies.border_values, threads=threads, data=st.data())
def test_tiles_at_halves_have_every_sample_once(example, border_value, threads, data):
    shape, tiles = example
    options = {"border_value": border_value, "threads": threads}
    # at centres samples are vertices; if edges decide on them, each is in one tile, too
    options["center"] = border_value is None and data.draw(strategies.booleans)
    once = np.ones(shape, int)
    same(sum(polymask.polygon_mask(tile, shape, **options).astype(int) for tile in tiles), once)
    same(polymask.polygon_masks(tiles, shape, **options).sum(axis=0), once)
    labels = polymask.label_mask(tiles, shape, **options)
    assert labels.all()
    same(polymask.label_mask(tiles, shape, on_top="first", **options), labels)
    of_each = np.bincount(labels.ravel(), minlength=len(tiles) + 1)[1:]
    same(polymask.pixel_counts(tiles, shape, **options), of_each)


@given(example=hostile_sets, options=sampling)
def test_stacks_and_crops(example, options):
    shape, rings = example
    masks = masks_of(rings, shape, options)
    same(polymask.polygon_masks(rings, shape, **options), masks)
    for mask, (window, crop) in zip(
        masks, polymask.polygon_crops(rings, shape, **options), strict=True
    ):
        whole = np.zeros(shape, bool)
        whole[window] = crop
        same(whole, mask)
        if crop.size:  # the smallest window
            assert crop[[0, -1]].any(axis=1).all()
            assert crop[:, [0, -1]].any(axis=0).all()


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")  # pycocotools' own
@given(example=hostile_sets, options=sampling)
def test_coco_run_lengths(example, options):
    coco = pytest.importorskip("pycocotools.mask")
    shape, rings = example
    masks = masks_of(rings, shape, options)
    short = polymask.coco_rle(rings, shape, **options)
    assert json.loads(json.dumps(short)) == short
    for mask, rle in zip(masks, short, strict=True):
        same(coco.decode(rle), mask)
        assert coco.encode(np.asfortranarray(mask))["counts"] == rle["counts"].encode()
    counts = polymask.coco_rle(rings, shape, compressed=False, **options)
    for mask, rle in zip(masks, counts, strict=True):
        assert rle["size"] == list(shape)
        assert sum(rle["counts"]) == mask.size
        values = np.arange(len(rle["counts"])) % 2
        same(np.repeat(values, rle["counts"]).reshape(shape[::-1]).T, mask)
    if len(masks):
        same(polymask.coco_to_mask(short), masks)
        same(polymask.coco_to_mask(counts), masks)
    regions = [polymask.mask_to_rings(mask) for mask in masks]
    assert str(polymask.coco_to_rings(counts)) == str(regions)


@given(example=sets_on_image, options=sampling, data=st.data())
def test_a_window_of_labels_is_the_window_of_the_whole(example, options, data):
    shape, rings = example
    window = data.draw(strategies.windows(shape))
    whole = polymask.label_mask(rings, shape, **options)[window]
    row, col = options.pop("offset")
    offset = row + window[0].start, col + window[1].start
    same(polymask.label_mask(rings, whole.shape, offset=offset, **options), whole)


# Powers of two: for vertices on a lattice, the way to the map and back is exact.
TRANSFORMS = {
    "none": (1, 0, 0, 0, 1, 0),
    "north up": (0.5, 0, -64, 0, -4, 32),
    "a quarter turned": (0, 2, 16, 0.25, 0, -8),
    "sheared": (1, 1, 0, 0, 2, 0),
}


@pytest.mark.parametrize("name", TRANSFORMS)
@given(
    example=lattice_sets,
    threads=threads,
    border_value=strategies.border_values,
    squares=st.sampled_from([False, "closed", "open"]),
    out=strategies.booleans,
    data=st.data(),
)
def test_burnt_sums_are_added_one_by_one(name, example, threads, border_value, squares, out, data):
    shape, rings = example
    values = data.draw(st.lists(st.integers(-9, 99), min_size=len(rings), max_size=len(rings)))
    options = {"border_value": border_value, "all_touched": squares}
    expected = np.full(shape, 3, np.int64)
    for ring, value in zip(rings, values, strict=True):
        expected += value * polymask.polygon_mask(ring, shape, center=True, **options)
    a, b, c, d, e, f = TRANSFORMS[name]
    on_map = [ring @ np.array([(a, d), (b, e)]) + (c, f) for ring in rings]
    options |= {"values": values, "merge_alg": "add", "threads": threads}
    destination = {"out": np.full(shape, 3, np.int64)} if out else {"fill": 3, "dtype": "i8"}
    image = polymask.rasterize(on_map, shape, transform=TRANSFORMS[name], **destination, **options)
    same(image, expected)


@given(example=sets_on_image, on_top=st.sampled_from(["last", "smallest"]))
def test_outlines_of_labels_give_the_image_again(example, on_top):
    shape, rings = example
    image = polymask.label_mask(rings, shape, on_top=on_top, dtype=np.int64)
    regions = polymask.labels_to_rings(image)
    repainted = polymask.label_mask(
        list(regions.values()), shape, labels=list(regions), center=True, dtype=np.int64
    )
    same(repainted, image)
