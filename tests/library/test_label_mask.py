"""`label_mask`: images of labels."""

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, SHAPE, TRIANGLE, geojson, mask_of

import polymask


def test_later_labels_lie_on_top():
    labels = polymask.label_mask([OUTER, TRIANGLE], SHAPE, labels=[3, 300])
    expected = 3 * mask_of(OUTER).astype(np.uint16)
    expected[mask_of(TRIANGLE).astype(bool)] = 300
    assert labels.dtype == np.uint16
    np.testing.assert_array_equal(labels, expected)


def test_labels_count_from_one_and_choose_their_type():
    assert polymask.label_mask([OUTER], SHAPE).max() == 1
    assert polymask.label_mask([OUTER] * 300, (3, 3)).dtype == np.uint16
    assert polymask.label_mask([OUTER], (3, 3), labels=[-1]).dtype == np.int64
    assert polymask.label_mask([], (3, 3)).tolist() == [[0] * 3] * 3


def test_label_mask_options():
    polygons = [
        [OUTER, HOLE],
        geojson("MultiPolygon", [[TRIANGLE.tolist()], [(HOLE + 3).tolist()]]),
    ]
    out = np.full((10, 12), 77, np.int32)
    found = polymask.label_mask(
        polygons, (10, 12), labels=[5, 6], out=out, center=True, offset=(2, 3), border_value=False
    )
    assert found is out
    options = {"center": True, "offset": (2, 3), "border_value": False}
    expected = 5 * mask_of(polygons[0], (10, 12), **options).astype(np.int32)
    expected[mask_of(polygons[1], (10, 12), **options) == 1] = 6
    np.testing.assert_array_equal(out, expected)


def test_feature_collection_and_progress():
    seen = []
    labels = polymask.label_mask(COUNTRIES, (180, 360), offset=(-90, -180), progress=seen.append)
    assert seen == list(range(1, len(COUNTRIES["features"]) + 1))
    assert len(np.unique(labels)) > 100
    number = 1 + [f["properties"]["name"] for f in COUNTRIES["features"]].index("Brazil")
    assert labels[-10 + 90, -55 + 180] == number


@folded(
    ("options", "message"),
    [
        ({"labels": [1]}, "1 labels for 2 polygons"),
        ({"labels": [1, 2.5]}, "2.5 of polygon 1 is no integer"),
        ({"labels": [1, 300], "dtype": np.uint8}, "do not fit uint8"),
        ({"labels": [1, 300], "out": np.zeros(SHAPE, np.uint8)}, "do not fit uint8"),
        ({"dtype": float}, "integer type"),
        ({"dtype": np.int16, "out": np.zeros(SHAPE, np.uint8)}, "dtype int16"),
        ({"out": np.zeros((3, 3), np.uint8)}, "shape"),
        ({"labels": [1, 2**70]}, "fit no integer type"),
    ],
)
def test_bad_labels(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.label_mask([OUTER, TRIANGLE], SHAPE, **options)


def test_bad_polygon_of_many_is_named_and_nothing_written():
    out = np.full(SHAPE, 9, np.uint8)
    with pytest.raises(ValueError, match=r"polygon 1: .*3 vertices"):
        polymask.label_mask([OUTER, [(1, 1)]], SHAPE, out=out)
    assert (out == 9).all()


def painted(polygons, labels, shape, dtype, **options):
    """The plain definition: one mask after the other."""
    image = np.zeros(shape, dtype)
    for polygon, label in zip(polygons, labels, strict=True):
        image[mask_of(polygon, shape, **options).astype(bool)] = label
    return image


def many_polygons(count, shape, seed):
    rng = np.random.default_rng(seed)
    middles = rng.uniform(-5, np.add(shape[::-1], 5), (count, 1, 2))
    sizes = rng.uniform(1, 30, (count, 1, 1))
    whole = rng.integers(0, 2, (count, 1, 1))
    vertices = middles + sizes * rng.uniform(-1, 1, (count, 7, 2))
    return np.where(whole, np.round(vertices), vertices)


@folded("threads", [None, 1, 2, 7])
@folded("dtype", [np.uint8, np.int16, np.uint32, np.int64, ">i4"])
def test_many_are_painted_one_after_the_other(threads, dtype):
    shape = (90, 1300)
    polygons = many_polygons(120, shape, seed=1)
    labels = np.random.default_rng(2).integers(1, 127, len(polygons))
    options = {"center": True, "offset": (3, -4), "border_value": False}
    expected = painted(polygons, labels, shape, dtype, **options)
    found = polymask.label_mask(
        polygons, shape, labels=labels, dtype=dtype, threads=threads, **options
    )
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, expected)
    backwards = painted(polygons[::-1], labels[::-1], shape, dtype, **options)
    found[...] = 99
    polymask.label_mask(
        polygons, shape, labels=labels, out=found, on_top="first", threads=threads, **options
    )
    np.testing.assert_array_equal(found, backwards)


def test_the_smallest_lies_on_top_in_any_window():
    shape = (80, 100)
    polygons = [*many_polygons(40, shape, seed=3), [OUTER * 4, HOLE * 4], OUTER * 3, OUTER * 3]
    whole = polymask.label_mask(polygons, shape, on_top="smallest")

    def shoelace(ring):
        x, y = ring.T
        return abs(x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2

    areas = [
        shoelace(one[0]) - shoelace(one[1]) if isinstance(one, list) else shoelace(one)
        for one in polygons
    ]
    order = sorted(range(len(polygons)), key=lambda number: -areas[number])
    expected = painted([polygons[n] for n in order], [n + 1 for n in order], shape, np.uint8)
    np.testing.assert_array_equal(whole, expected)
    window = polymask.label_mask(polygons, (20, 30), on_top="smallest", offset=(31, 17))
    np.testing.assert_array_equal(window, whole[31:51, 17:47])


def test_sets_in_other_forms():
    rings = np.stack([TRIANGLE, TRIANGLE[::-1] + 2])
    expected = polymask.label_mask(list(rings), SHAPE)
    for form in rings, (rings.reshape(-1, 2), np.array([0, 3, 6])), (ring for ring in rings):
        np.testing.assert_array_equal(polymask.label_mask(form, SHAPE), expected)
    flipped = polymask.label_mask(rings[..., ::-1], SHAPE, order="rc")
    np.testing.assert_array_equal(flipped, expected)


def test_far_coordinates_and_windows():
    huge = np.array([(-1e150, 5), (3e153, 2), (3, 1e150)])
    far = TRIANGLE + 2.0**52
    np.testing.assert_array_equal(
        polymask.label_mask([huge, OUTER], SHAPE), painted([huge, OUTER], [1, 2], SHAPE, np.uint8)
    )
    window = {"offset": (2**52, 2**52)}
    np.testing.assert_array_equal(
        polymask.label_mask([far, OUTER], SHAPE, **window),
        painted([far, OUTER], [1, 2], SHAPE, np.uint8, **window),
    )
    for shape in (0, 4), (4, 0):
        seen = []
        found = polymask.label_mask([OUTER, HOLE], shape, progress=seen.append)
        assert found.shape == shape
        assert seen == [1, 2]


def test_large_labels():
    labels = polymask.label_mask([OUTER], SHAPE, labels=[2**64 - 1])
    assert labels.dtype == np.uint64
    assert labels.max() == 2**64 - 1
    with pytest.raises(ValueError, match=r"int16.*polygon.*1"):
        polymask.label_mask([OUTER, HOLE], SHAPE, labels=[1, 40000], dtype=np.int16)
    with pytest.raises(ValueError, match="on_top"):
        polymask.label_mask([OUTER], SHAPE, on_top="largest")


def test_progress_may_write_to_the_arrays():
    vertices, offsets = np.concatenate([OUTER, OUTER + (0, 1900)]), np.array([0, 4, 8])

    def write(_):
        vertices[...] = -5
        offsets[...] = 8

    expected = polymask.label_mask((vertices, offsets), (2000, 2000))
    found = polymask.label_mask((vertices, offsets), (2000, 2000), progress=write)
    np.testing.assert_array_equal(found, expected)


def test_what_progress_raises_ends_the_work():
    def stop(number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        polymask.label_mask([OUTER, HOLE], SHAPE, progress=stop)


def test_polygons_that_lie_in_the_output_are_read_before():
    ends = np.array([0, 3, 6, 9, 12])
    corners = [(0, 0), (3, 0), (0, 3), (1, 1), (3, 1), (1, 3), (2, 0), (3, 0), (2, 3)]
    vertices = np.array([*corners, (0, 2), (3, 2), (0, 3.5)])
    expected = polymask.label_mask((vertices, ends), (4, 6), dtype=np.int64)
    stack = polymask.polygon_masks((vertices, ends), (6, 8), dtype=np.uint8)
    out = vertices.copy()
    found = polymask.label_mask((out, ends), (4, 6), out=out.view(np.int64).reshape(4, 6))
    np.testing.assert_array_equal(found, expected)
    out = vertices.copy()
    found = polymask.polygon_masks((out, ends), (6, 8), out=out.view(np.uint8).reshape(4, 6, 8))
    np.testing.assert_array_equal(found, stack)


def test_what_cannot_be_called_for_progress_is_refused_before_the_work():
    out = np.full((8, 8), 7, np.uint8)
    with pytest.raises(TypeError, match=r"progress.*callable"):
        polymask.label_mask([[(1, 1), (6, 1), (3, 5)]], (8, 8), out=out, progress=5)
    assert (out == 7).all()
