"""`mask_to_rings` and `labels_to_rings`: outlines that give the image again."""

import itertools
import json
from collections import deque

import hypothesis
import numpy as np
import pytest
from cases import folded
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from polygons import read_only, unaligned

import polymask

SIDES = ((0, 1), (1, 0), (0, -1), (-1, 0))
CORNERS = (*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1))
SETTINGS = hypothesis.settings(deadline=None, derandomize=True, max_examples=60, database=None)

images = arrays.array_shapes(min_dims=2, max_dims=2, min_side=0, max_side=12)
masks = arrays.arrays(np.bool_, images)
label_images = arrays.arrays(np.int16, images, elements=st.integers(-2, 2))


def regions(image, neighbours, background=0):
    """Return the regions of an image by flood filling: a label and a mask each."""
    rows, cols = image.shape
    visited = np.zeros(image.shape, bool) if background is None else image == background
    result = []
    for start in np.ndindex(rows, cols):
        if visited[start]:
            continue
        region, queue = np.zeros(image.shape, bool), deque([start])
        visited[start] = region[start] = True
        while queue:
            r, c = queue.popleft()
            for dr, dc in neighbours:
                neighbour = r + dr, c + dc
                if 0 <= neighbour[0] < rows and 0 <= neighbour[1] < cols and not visited[neighbour]:
                    if image[neighbour] == image[start]:
                        visited[neighbour] = region[neighbour] = True
                        queue.append(neighbour)
        result.append((int(image[start]), region))
    return result


def area(ring):
    x, y = ring.T
    return (x @ np.roll(y, -1) - y @ np.roll(x, -1)) / 2


def check_ring(ring):
    """Vertical and horizontal sides alternate, and no vertex occurs twice."""
    steps = np.roll(ring, -1, axis=0) - ring
    assert ((steps != 0).sum(axis=1) == 1).all()
    assert (np.roll(steps != 0, 1, axis=0) != (steps != 0)).all()
    assert len(set(map(tuple, ring.tolist()))) == len(ring) >= 4


def check_polygon(rings, region, connectivity=4):
    """A polygon gives its region: the mask, the area and the holes."""
    np.testing.assert_array_equal(polymask.polygon_mask(rings, region.shape, center=True), region)
    areas = [area(ring) for ring in rings]
    assert sum(areas) == region.sum()
    assert areas[0] > 0
    if connectivity == 4:
        assert all(hole < 0 for hole in areas[1:])
    for ring in rings:
        check_ring(ring)


@SETTINGS
@hypothesis.given(label_images, st.sampled_from([4, 8]), st.sampled_from([0, 1, -2, None]))
def test_labels(image, connectivity, background):
    (vertices, rings, polygons, _), labels = polymask.labels_to_rings(
        image, connectivity=connectivity, background=background, form="ragged"
    )
    expected = regions(image, SIDES if connectivity == 4 else CORNERS, background)
    assert labels.dtype == image.dtype
    assert labels.tolist() == [label for label, _ in expected]
    assert (rings[0], polygons[0]) == (0, 0)
    assert (rings[-1], polygons[-1]) == (len(vertices), len(rings) - 1)
    for (first, last), (_, region) in zip(itertools.pairwise(polygons), expected, strict=True):
        polygon_rings = [vertices[rings[i] : rings[i + 1]] for i in range(first, last)]
        check_polygon(polygon_rings, region, connectivity)


VIEWS = {
    "transposed": lambda image: image.T,
    "Fortran": np.asfortranarray,
    "window": lambda image: np.pad(image, 5)[5:-5, 5:-5],
    "every other column": lambda image: np.repeat(image, 2, axis=1)[:, ::2],
    "every other row": lambda image: np.repeat(image, 2, axis=0)[::2],
    "upside down": lambda image: image[::-1],
    "mirrored": lambda image: image[:, ::-1],
    "one row": lambda image: image[3:4],
    "broadcast": lambda image: np.broadcast_to(image[2], (6, image.shape[1])),
    "read-only": lambda image: read_only(image.copy()),
    "other byte order": lambda image: image.astype(image.dtype.newbyteorder()),
    "unaligned": unaligned,
    "list": lambda image: image.tolist(),
}


@folded("view", VIEWS)
@folded("dtype", [bool, np.uint8, np.int32, np.uint64])
def test_views(view, dtype):
    image = np.random.default_rng(1).integers(0, 2, (70, 90)).astype(dtype)
    source = VIEWS[view](image)
    plain = np.ascontiguousarray(np.asarray(source).astype(dtype))
    expected = polymask.mask_to_rings(plain, form="ragged")
    for result in (
        polymask.mask_to_rings(source, form="ragged"),
        polymask.labels_to_rings(source, form="ragged")[0],
    ):
        for actual, array in zip(result[:3], expected[:3], strict=True):
            np.testing.assert_array_equal(actual, array)
    repainted = polymask.polygon_mask(polymask.mask_to_rings(source), plain.shape, center=True)
    np.testing.assert_array_equal(repainted, plain)


def test_any_byte_but_0_is_true():
    values = np.random.default_rng(4).choice(np.uint8([0, 0, 1, 2, 255]), (20, 30))
    image = values.view(bool)
    for view in (image, image[:, ::-1], image[5:, 3:20]):
        flags = view.view(np.uint8) != 0
        for background in (0, 1, None):
            result, expected = (
                polymask.labels_to_rings(source, background=background, form="geojson")
                for source in (view, flags)
            )
            assert result == expected
        result = polymask.mask_to_rings(view, form="geojson")
        assert result == polymask.mask_to_rings(flags, form="geojson")


@SETTINGS
@hypothesis.given(masks, st.booleans(), st.tuples(*[st.integers(-(2**50), 2**50)] * 2))
def test_center_and_offset_are_those_of_polygon_mask(mask, center, offset):
    rings = polymask.mask_to_rings(mask, center=center, offset=offset)
    repainted = polymask.polygon_mask(rings, mask.shape, center=center, offset=offset)
    np.testing.assert_array_equal(repainted, mask)


def test_empty_full_and_single():
    for shape in ((0, 0), (0, 5), (5, 0), (4, 5)):
        empty = np.zeros(shape, np.uint8)
        assert polymask.mask_to_rings(empty) == []
        assert polymask.labels_to_rings(empty) == {}
        assert not polymask.polygon_mask(polymask.mask_to_rings(empty), shape, center=True).any()
        vertices, rings, polygons, _ = polymask.mask_to_rings(empty, form="ragged")
        assert (vertices.shape, rings.tolist(), polygons.tolist()) == ((0, 2), [0], [0])
    ((ring,),) = polymask.mask_to_rings(np.ones((3, 200), bool))
    assert ring.tolist() == [[0, 0], [200, 0], [200, 3], [0, 3]]
    ((ring,),) = polymask.mask_to_rings(np.ones((1, 1), bool), center=False)
    assert ring.tolist() == [[-0.5, -0.5], [0.5, -0.5], [0.5, 0.5], [-0.5, 0.5]]


def test_polygons_with_holes_of_large_images_are_valid():
    shapely = pytest.importorskip("shapely")
    coarse = np.random.default_rng(4).random((60, 70)) < 0.6
    mask = coarse.repeat(3, axis=0).repeat(2, axis=1)
    for connectivity in (4, 8):
        polygons = shapely.geometry.shape(polymask.mask_to_rings(mask, connectivity=connectivity))
        assert polygons.is_valid
        assert polygons.area == mask.sum()


def test_geojson_of_masks():
    mask = np.zeros((6, 9), bool)
    mask[1:5, 1:5], mask[2, 2], mask[5, 7] = True, False, True
    feature = polymask.mask_to_rings(mask, form="geojson")
    assert json.loads(json.dumps(feature)) == feature
    outer = [[1, 1], [5, 1], [5, 5], [1, 5], [1, 1]]
    hole = [[2, 2], [2, 3], [3, 3], [3, 2], [2, 2]]
    single = [[7, 5], [8, 5], [8, 6], [7, 6], [7, 5]]
    assert feature["geometry"] == {"type": "MultiPolygon", "coordinates": [[outer, hole], [single]]}
    np.testing.assert_array_equal(polymask.polygon_mask(feature, mask.shape, center=True), mask)
    mask[5, 7] = False
    feature = polymask.mask_to_rings(mask, form="geojson")
    assert feature["geometry"] == {"type": "Polygon", "coordinates": [outer, hole]}


def test_geojson_of_labels():
    image = np.array([[7, 7, 0, 3], [0, 0, 0, 3], [7, 0, 3, 0]], np.uint8)
    collection = polymask.labels_to_rings(image, form="geojson")
    assert json.loads(json.dumps(collection)) == collection
    assert [f["properties"] for f in collection["features"]] == [{"label": 3}, {"label": 7}]
    kinds = [f["geometry"]["type"] for f in collection["features"]]
    assert kinds == ["MultiPolygon", "MultiPolygon"]
    repainted = polymask.label_mask(collection, image.shape, labels=[3, 7], center=True)
    np.testing.assert_array_equal(repainted, image)
    joined = polymask.labels_to_rings(image, form="geojson", connectivity=8)
    assert joined == collection  # a polygon of GeoJSON has one outer ring


@pytest.mark.parametrize("nine", [False, True])
def test_transform_brings_pixels_to_a_map_and_keeps_the_orientation(nine):
    mask = np.random.default_rng(6).random((8, 11)) < 0.6
    transform = (0.5, 0.0, 100.0, 0.0, -0.25, 40.0) + (0.0, 0.0, 1.0) * nine
    plain = polymask.mask_to_rings(mask)
    for mapped, rings in zip(polymask.mask_to_rings(mask, transform=transform), plain, strict=True):
        for on_map, ring in zip(mapped, rings, strict=True):
            expected = ring * [0.5, -0.25] + [100.0, 40.0]
            assert sorted(map(tuple, on_map)) == sorted(map(tuple, expected))
            assert area(on_map) == pytest.approx(area(ring) / 8)
    feature = polymask.mask_to_rings(mask, transform=transform, form="geojson")
    to_pixels = [
        [(np.array(ring) - [100.0, 40.0]) / [0.5, -0.25] for ring in rings]
        for rings in feature["geometry"]["coordinates"]
    ]
    np.testing.assert_array_equal(polymask.polygon_mask(to_pixels, mask.shape, center=True), mask)


RING_MASK = np.array([[1, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 0], [0, 0, 0, 1]], bool)


@pytest.mark.parametrize("scale", [1e-150, 1e19, 1e200, 2e307])
def test_transform_to_the_ends_of_float64(scale):
    """Without a warning, which would be an error in tests; holes remain holes."""
    scaled, plain = (
        polymask.mask_to_rings(RING_MASK, connectivity=8, transform=transform, form="geojson")
        for transform in ((scale, 0, 0, 0, scale, 0), None)
    )
    polygons = plain["geometry"]["coordinates"]
    assert [len(rings) for rings in polygons] == [2, 1]
    assert scaled["geometry"]["coordinates"] == [
        [(np.array(ring) * scale).tolist() for ring in rings] for rings in polygons
    ]


@pytest.mark.parametrize("transform", [(1e308, 0, 0, 0, 1, 0), (1e307, 9e307, 0, 0, 1, 9e307)])
def test_corners_beyond_float64_are_rejected(transform):
    for function in (polymask.mask_to_rings, polymask.labels_to_rings):
        with pytest.raises(ValueError, match=r"beyond.*float64"):
            function(RING_MASK, transform=transform)


@pytest.mark.parametrize(
    ("image", "error", "message"),
    [
        (np.zeros((2, 2)), TypeError, "bool or integers, got dtype float64"),
        ([["a"]], TypeError, "bool or integers"),
        (np.zeros(4, bool), ValueError, r"shape \(rows, cols\), got \(4,\)"),
        (np.zeros((2, 2, 3), np.uint8), ValueError, r"got \(2, 2, 3\)"),
        ([[1], [1, 2]], ValueError, "different lengths"),
    ],
)
def test_bad_images(image, error, message):
    with pytest.raises(error, match=f"mask .*{message}"):
        polymask.mask_to_rings(image)
    with pytest.raises(error, match=f"labels .*{message}"):
        polymask.labels_to_rings(image)


@folded(
    ("options", "message"),
    [
        ({"connectivity": 6}, "connectivity must be 4 or 8, got 6"),
        ({"form": "svg"}, "form must be "),
        ({"offset": (1, 2.5)}, "offset"),
        ({"offset": (2**60, 0)}, "2\\*\\*53"),
        ({"transform": (1, 2, 3)}, "six finite numbers"),
        ({"transform": "affine"}, "six numbers"),
        ({"transform": (1, 0, 0, 0, np.nan, 0)}, "finite"),
        ({"transform": (1, 2, 0, 2, 4, 0)}, "no area"),
        ({"transform": (1, 0, 0, 0, 1, 0, 0, 0, 2)}, "six finite"),
    ],
)
def test_bad_options(options, message):
    with pytest.raises(ValueError, match=message):
        polymask.mask_to_rings([[1]], **options)
    with pytest.raises(ValueError, match=message):
        polymask.labels_to_rings([[1]], **options)


def test_background_must_be_an_integer():
    with pytest.raises(ValueError, match=r"background must be an integer, got 1\.5"):
        polymask.labels_to_rings([[1]], background=1.5)


@pytest.mark.parametrize("dtype", ["u1", "u8", ">u8", "i8", bool])
def test_no_pixel_has_a_background_beyond_the_type(dtype):
    labels = np.ones((1, 2), dtype)
    if np.dtype(dtype).kind == "u":
        labels[:] = np.iinfo(dtype).max
    for background in (-1, 2**64, -(2**63)):
        assert list(polymask.labels_to_rings(labels, background=background)) == [labels[0, 0]]


def test_a_background_of_the_highest_bit_alone():
    labels = np.array([[2**63, 7]], np.uint64)
    assert list(polymask.labels_to_rings(labels, background=2**63)) == [7]


@pytest.mark.parametrize("far", [2**51 - 3, -(2**51)])
@pytest.mark.parametrize("center", [True, False])
def test_the_farthest_corners_are_exact_and_others_rejected(far, center):
    mask = np.array([[1, 1, 0], [1, 0, 1], [0, 1, 1]], bool)
    rings = polymask.mask_to_rings(mask, offset=(far, far), center=center)
    repainted = polymask.polygon_mask(rings, (3, 3), offset=(far, far), center=center)
    np.testing.assert_array_equal(repainted, mask)
    with pytest.raises(ValueError, match=r"2\*\*51.*exact"):
        polymask.mask_to_rings(mask, offset=(0, far + (1 if far > 0 else -1)))
