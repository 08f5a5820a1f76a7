"""Every public function rejects a mistake with the same message, before it does anything."""

from pathlib import Path

import numpy as np
import pytest
from cases import folded
from functions import MANY, ONE, same
from polygons import SHAPE, TRIANGLE

import polymask
from polymask.common.error_text import quote

IMAGE = np.zeros(SHAPE)
# Functions with the shape of an image as an argument, not an image or points.
WITH_SHAPE = [name for name in ONE | MANY if name not in ("contains", "polygon_statistics")]


def reject(function, *args, match, error=ValueError, **options):
    with pytest.raises(error, match=match) as raised:
        function(*args, **options)
    text = str(raised.value)
    assert "\n" not in text
    assert len(text) < 200


SCALED = 1e100, 0, 0, 0, 1e100, 0
MASKED = np.ma.masked_array(TRIANGLE, mask=np.isin(TRIANGLE, TRIANGLE[1, 1]))
ENDLESS = [TRIANGLE.tolist()]
ENDLESS.append(ENDLESS)
POLYGONS = {
    "masked": (MASKED, ValueError, "part of vertices is masked"),
    "flat, one short": (TRIANGLE.ravel()[:5], ValueError, r"\(5,\); a flat .* even number"),
    "flat rings": ([TRIANGLE.ravel()] * 3, ValueError, r"\(3, 6\); COCO takes .* rings, but"),
    "two flat rings": (
        [TRIANGLE.ravel()] * 2,
        ValueError,
        r"\(2, 6\); convert \[xs, .*; COCO .*\]$",
    ),
    "x and y apart": (TRIANGLE.T, ValueError, r"\(2, 3\); convert \[xs, ys\] .* np.transpose$"),
    "flat rings of unlike length": ([range(6), range(8)], ValueError, "lengths; COCO takes"),
    "rings, one of them flat": ([TRIANGLE, TRIANGLE.ravel()], ValueError, r"\(6,\); COCO takes"),
    "a buffer of bytes": (bytearray(b"points"), TypeError, "a list of pairs, got bytearray"),
    "text": ("triangle", TypeError, "a list of pairs, got str; .*read_table"),
    "a path": (Path("a.json"), TypeError, "a list of pairs, got .*Path; .*read_table"),
    "a set": ({(1, 1), (5, 1), (1, 5)}, TypeError, "a list of pairs, got set"),
    "a ring that is None": ([TRIANGLE, None], TypeError, "a list of pairs, got NoneType"),
    "a number among polygons": ([[TRIANGLE.tolist()], 5], TypeError, "a list of pairs, got int"),
    "that number among": ([[TRIANGLE.tolist()], np.array(5.0)], TypeError, "pairs, got ndarray"),
    "an array of one number": ([np.array(5.0), [1, 2]], TypeError, r"numbers, got 5\.0 at 0"),
    "endless list": (ENDLESS, ValueError, r"\(N, 2\), got rows of different lengths"),
}


@folded("name", POLYGONS)
def test_bad_polygons(name):
    polygon, error, match = POLYGONS[name]
    for function in ONE.values():
        reject(function, polygon, SHAPE, error=error, match=match)
    for key, function in MANY.items():
        if key == "rasterize" and "number among" in name:
            continue  # such a list is a geometry and its value
        reject(function, [TRIANGLE, polygon], SHAPE, error=error, match=f"^polygon 1: .*{match}")


def test_none_is_an_empty_polygon_in_a_set_alone():
    for function in ONE.values():
        reject(function, None, SHAPE, error=TypeError, match=r"pairs.*NoneType")
    empty = {"type": "MultiPolygon", "coordinates": []}
    for function in MANY.values():
        for none, nothing in [([None, TRIANGLE], [empty, TRIANGLE]), ([None], [empty])]:
            same(function(none, SHAPE), function(nothing, SHAPE))
    pairs = [(None, 1), (TRIANGLE, 2)]
    same(polymask.rasterize(pairs, SHAPE), polymask.rasterize(pairs[1:], SHAPE))


SETS = {
    "a list of points": (TRIANGLE.tolist(), ValueError, r"a single polygon of shape \(3, 2\)"),
    "an array of points": (TRIANGLE, ValueError, r"a single polygon of shape \(3, 2\)"),
    "a contour": (TRIANGLE[:, np.newaxis], ValueError, r"a single polygon of shape \(3, 1, 2\)"),
    "a flat ring": (TRIANGLE.ravel().tolist(), ValueError, r"a single polygon of shape \(6,\)"),
    "a flat array": (TRIANGLE.ravel(), ValueError, r"a single polygon of shape \(6,\)"),
    "text": ("triangles", TypeError, "polygons must be a sequence, got str; .*read_table"),
    "a path": (Path("a.json"), TypeError, "a sequence, got .*Path; .*read_table"),
    "a set": ({1, 2}, TypeError, "polygons must be a sequence, got set"),
    "None": (None, TypeError, "polygons must be a sequence, got NoneType"),
    "a number": (5, TypeError, "polygons must be a sequence, got int"),
    "an array of None": (np.array(None), ValueError, r"\(N, k, 2\), got \(\)"),
} | {
    f"offsets {name}": ((TRIANGLE, offsets), ValueError, f"ring_offsets {reason}")
    for name, offsets, reason in (
        ("of floats", np.array([0.0, 3.0]), "must be a non-empty 1D array of integers.*float64"),
        ("that are masked", np.ma.masked_array([0, 3], mask=[False, True]), "is masked"),
        ("beyond 63 bits", np.uint64([0, 2**64 - 1]), "end at 18446744073709551615, beyond the 3"),
    )
}


@folded("name", SETS)
def test_bad_sets_of_polygons(name):
    polygons, error, match = SETS[name]
    for function in MANY.values():
        reject(function, polygons, SHAPE, error=error, match=match)


@pytest.mark.parametrize("pair", [{14, 21}, {14: 1, 21: 2}, b"ab", bytearray(b"ab")], ids=str)
def test_bad_pairs(pair):
    for name in WITH_SHAPE:
        function, polygon = (ONE | MANY)[name], [TRIANGLE] if name in MANY else TRIANGLE
        option = "out_shape" if name == "rasterize" else "shape"
        reject(function, polygon, pair, match=f"^{option} must be two integers .rows, cols., got ")
        if name != "rasterize":
            reject(function, polygon, SHAPE, offset=pair, match=r"offset.*integers")


def test_empty_arrays():
    for function in ONE.values():
        reject(function, [], SHAPE, match=r"vertices must have the shape \(N, 2\), got \(0,\)")
        match = r"vertices must have the shape \(N, 2\), got \(0, 5, 2\)"
        reject(function, np.empty((0, 5, 2)), SHAPE, match=match)
    for points in ([], (), np.empty(0), np.empty((0, 2))):
        assert polymask.contains(TRIANGLE, points).shape == (0,)


@folded("name", WITH_SHAPE)
def test_bad_shapes(name):
    function = (ONE | MANY)[name]
    polygon = [TRIANGLE] if name in MANY else TRIANGLE
    reject(function, SHAPE, polygon, match=r"swapped.*comes")
    reject(function, polygon, np.zeros((500, 400)), match=r"\(500.*400\).*shape")
    reject(function, polygon, (10**9, 10**12), match=r"exceeds.*space")


def test_images_too_large_for_any_memory():
    """With one byte per pixel some would fit. NumPy rejects even those without pixels."""
    calls = [
        (polymask.coverage, TRIANGLE, (2**31, 2**31), {}, "float32"),
        (polymask.coverage, TRIANGLE, (0, 2**62), {}, "float32"),
        (polymask.label_mask, [TRIANGLE], (2**31, 2**31), {"dtype": "i8"}, "int64"),
        (polymask.rasterize, [TRIANGLE], (2**31, 2**31), {"dtype": "f8"}, "float64"),
        (polymask.polygon_masks, [TRIANGLE] * 2, (0, 2**62), {}, "bool"),
        (polymask.polygon_masks, [TRIANGLE] * 2, (2**31, 2**31), {}, "bool"),
    ]
    for function, polygon, shape, options, dtype in calls:
        match = rf"an array of {dtype} and shape \(.*\) exceeds the address space"
        reject(function, polygon, shape, match=match, **options)
    with pytest.raises(MemoryError):
        polymask.polygon_mask(TRIANGLE, (1, 2**63 - 1), packed=True)


def test_rows_of_an_image_that_are_masked():
    rows = list(np.ma.masked_array(IMAGE, mask=IMAGE == 0))
    reject(polymask.polygon_statistics, [TRIANGLE], rows, match=r"part.*masked")


def test_an_image_in_the_polygons_place():
    reject(polymask.polygon_statistics, IMAGE, [TRIANGLE], match="arguments are swapped")


@folded("flag", ["no", "", None, [], np.array([True]), np.array([1, 0])])
@folded("name", ONE | MANY)
def test_bad_flags(name, flag):
    function = (ONE | MANY)[name]
    polygon = [TRIANGLE] if name in MANY else TRIANGLE
    names = {"border_value", "center", "watertight"}
    names -= {"border_value", "watertight"} if name == "coverage" else set()
    names -= {"center"} if name in ("contains", "rasterize") else set()
    for option in sorted(names):
        if flag is None and option == "border_value":
            continue  # a valid value
        expected = "True, False or None" if option == "border_value" else "True or False"
        match = f"{option} must be {expected}, got "
        reject(function, polygon, SHAPE, match=match, **{option: flag})


@folded("order", ["yx", None, np.array(["xy", "rc"]), 1])
@folded("name", [name for name in ONE | MANY if name != "rasterize"])
def test_bad_orders(name, order):
    function = (ONE | MANY)[name]
    polygon = [TRIANGLE] if name in MANY else TRIANGLE
    reject(function, polygon, SHAPE, order=order, match=r'order.*"xy".*"rc"')


def test_rows_of_numbers_are_no_set_of_polygons():
    """Such an array may be an image."""
    for name in MANY.keys() & WITH_SHAPE:
        match = r"\(5, 8\); convert flat rings with \.reshape\(len\(rings\), -1, 2\)"
        reject(MANY[name], np.zeros((5, 8)), SHAPE, match=match)
    reject(polymask.label_mask, np.zeros((5, 7)), SHAPE, match=r"\(N, k, 2\), got \(5, 7\)$")


def test_flat_points_are_rejected():
    match = r"points must have .*\(6,\); .* with numpy.reshape\(points, \(-1, 2\)\)"
    reject(polymask.contains, TRIANGLE, TRIANGLE.ravel(), match=match)


def test_contours_of_opencv():
    contour = TRIANGLE[:, np.newaxis].astype(np.int32)
    for name, function in ONE.items():
        for plain, form in (
            (TRIANGLE, contour),
            ([TRIANGLE, TRIANGLE + 2], [contour, contour + 2]),
            ([TRIANGLE, TRIANGLE + 2], (contour, contour + 2)),
        ):
            expected, result = (function(polygon, SHAPE) for polygon in (plain, form))
            np.testing.assert_array_equal(result, expected, err_msg=name)
    result = polymask.label_mask((contour, contour + 2), SHAPE)
    np.testing.assert_array_equal(result, polymask.label_mask([TRIANGLE, TRIANGLE + 2], SHAPE))


def test_bad_values_to_burn():
    burn = polymask.rasterize
    for default in (None, "7"):
        for shapes in ([TRIANGLE], TRIANGLE[None], [(TRIANGLE, 1), TRIANGLE]):
            options = {"error": TypeError, "match": f"default_value must .*, got {default!r}"}
            reject(burn, shapes, SHAPE, default_value=default, **options)
    reject(burn, [TRIANGLE] * 2, SHAPE, values=[[1], [2, 3]], match="one per geometry")
    reject(burn, [TRIANGLE], SHAPE, values=iter([1]), error=TypeError, match="one per geometry")
    reject(burn, [TRIANGLE], SHAPE, values={1}, match=r"values.*order")
    reject(burn, [TRIANGLE], SHAPE, fill=10**400, match=r"1329.*integer")
    masked = np.ma.masked_array([1], mask=[True])
    reject(burn, [TRIANGLE], SHAPE, values=masked, match=r"part.*masked")
    reject(burn, [TRIANGLE], SHAPE, dtype="colour", match=r"dtype.*'colour'")
    for fill in ((1, 2), np.array([0, 1]), [0], range(2)):
        reject(burn, [TRIANGLE], SHAPE, fill=fill, error=TypeError, match=r"fill.*real")
    reject(burn, [TRIANGLE], SHAPE, fill="a", error=TypeError, match="^fill must be .*, got 'a'$")
    wide = {"error": TypeError, "match": "^fill must be a real .* at most 64 bits, got 18446744"}
    reject(burn, [TRIANGLE], SHAPE, fill=2**64, dtype="f8", **wide)
    wide["match"] = "^values must be real numbers of at most 64 bits, got {} of geometry {}$"
    for value, quoted in ((2**64, "18446744073709551616"), (10**400, "an integer of 1329 bits")):
        text = wide | {"match": wide["match"].format(quoted, 1)}
        reject(burn, [TRIANGLE] * 2, SHAPE, values=[1, value], **text)
        text = wide | {"match": wide["match"].format(quoted, 0)}
        reject(burn, [TRIANGLE], SHAPE, default_value=value, **text)
    transform = 10**400, 0, 0, 0, 1, 0
    reject(burn, [TRIANGLE], SHAPE, transform=transform, match=r"transform.*numbers")


@pytest.mark.parametrize(
    "dtype", ["colour", ",", "(2,2", {"names": ["a"]}, {"a": ("u1", 99999999999999999999)}], ids=str
)
def test_bad_dtypes(dtype):
    calls = [
        (polymask.polygon_mask, TRIANGLE, "bool or uint8"),
        (polymask.polygon_masks, [TRIANGLE], "bool or uint8"),
        (polymask.label_mask, [TRIANGLE], "an integer type"),
        (polymask.rasterize, [TRIANGLE], "an integer, float or bool type"),
    ]
    for function, polygon, kinds in calls:
        reject(function, polygon, SHAPE, dtype=dtype, match=f"^dtype must be {kinds}, got ")


def test_bad_labels():
    masked = np.ma.masked_array([1], mask=[True])
    reject(polymask.label_mask, [TRIANGLE], SHAPE, labels=masked, match=r"part.*masked")
    for flags in [True], np.array([True]):
        reject(
            polymask.label_mask, [TRIANGLE], SHAPE, labels=flags, match="label True of polygon 0"
        )
    for labels in {7: 1}, {7}, frozenset([7]):
        reject(polymask.label_mask, [TRIANGLE], SHAPE, labels=labels, match="must be in order, as")
    reject(polymask.label_mask, [TRIANGLE], SHAPE, dtype="colour", match=r"dtype.*'colour'")
    reject(polymask.label_mask, [TRIANGLE], SHAPE, labels=[10**5000], match=r"16610.*bits")
    for function in polymask.mask_to_rings, polymask.labels_to_rings:
        reject(function, np.ma.masked_array([[1]], mask=True), match=r"part of (mask|labels) is")
        reject(function, np.ones((2, 2), int), connectivity=np.array([4, 8]), match="an integer")
        reject(function, np.ones((2, 2), int), center="no", match=r"center.*False")


def test_errstate_of_numpy_changes_nothing():
    tiny, far = np.longdouble("1e-4000"), TRIANGLE + np.longdouble("1e4000")
    small = (TRIANGLE + 1).astype(np.longdouble) + np.longdouble(2) ** -60
    small[0] = tiny
    image = np.full(SHAPE, 5e-324)
    image[0], narrow = 1e-310, np.ones(SHAPE, "f4")
    calls = [
        lambda: polymask.polygon_mask(small, SHAPE),
        lambda: polymask.pixel_counts([small, small], SHAPE),
        lambda: polymask.rasterize([TRIANGLE], SHAPE, values=[1e-300], dtype="f4"),
        lambda: polymask.rasterize([TRIANGLE * 1e-250], SHAPE, transform=SCALED),
        lambda: polymask.rasterize([TRIANGLE] * 2, SHAPE, values=[1e-6] * 2, dtype="f2"),
        lambda: polymask.rasterize(
            [TRIANGLE] * 2, SHAPE, values=[1e-7] * 2, dtype="f2", merge_alg="add"
        ),
        lambda: polymask.polygon_statistics([TRIANGLE], image),
        lambda: polymask.polygon_statistics([TRIANGLE], narrow, nodata=1e-300),
        lambda: polymask.mask_to_rings(np.ones((2, 2), bool), transform=SCALED, form="geojson"),
    ]
    for call in calls:
        expected = call()
        with np.errstate(all="raise"):
            np.testing.assert_equal(call(), expected)
    with np.errstate(all="raise"):
        reject(polymask.polygon_mask, far, SHAPE, match="not finite")
        reject(polymask.pixel_counts, [far] * 2, SHAPE, match="polygon 0: .*not finite")
        too_large = {"values": [1e300], "dtype": "f4", "match": "does not fit float32"}
        reject(polymask.rasterize, [TRIANGLE], SHAPE, **too_large)
        bad_transform = {"transform": (1e-300, 0, 0, 0, 1, 0), "match": "polygon 0: vertex"}
        reject(polymask.rasterize, [TRIANGLE * 1e150], SHAPE, **bad_transform)


def test_nodata_beyond_all_floats():
    """No pixel equals it, in an image of any type."""
    for dtype in (float, int):
        image = np.arange(SHAPE[0] * SHAPE[1], dtype=dtype).reshape(SHAPE)
        statistics = polymask.polygon_statistics([TRIANGLE], image, nodata=10**400)
        assert statistics.count[0] == polymask.pixel_counts([TRIANGLE], SHAPE)[0]
    reject(polymask.polygon_statistics, [TRIANGLE], [[1], [2, 3]], match=r"rows.*length")


@pytest.mark.parametrize("nodata", [np.False_, np.array(0), np.array(False)])
def test_nodata_of_numpy(nodata):
    image = np.zeros(SHAPE, bool)
    assert polymask.polygon_statistics([TRIANGLE], image, nodata=nodata).count[0] == 0


def test_arrays_that_are_not_one_number():
    image = np.zeros(SHAPE)
    for bad in np.zeros(1), np.array("a"), np.array(None):
        options = {"nodata": bad, "error": TypeError, "match": "nodata must be a real number"}
        reject(polymask.polygon_statistics, [TRIANGLE], image, **options)
    reject(polymask.polygon_statistics, [TRIANGLE], image, nodata=np.ma.masked, match="is masked")
    reject(polymask.rasterize, [TRIANGLE], SHAPE, fill=np.ma.masked, match="is masked")


class Closed:
    """An object like an image in a closed file."""

    def __array__(self, dtype=None, copy=None):
        raise ValueError("the file is\nclosed")


def test_errors_of_conversion_to_an_array_are_quoted():
    closed = r"Closed gives no array: the file is\\nclosed"
    reject(polymask.polygon_statistics, [TRIANGLE], Closed(), match=closed)
    reject(polymask.mask_to_rings, Closed(), match=closed)
    reject(polymask.contains, TRIANGLE, Closed(), match=closed)
    reject(polymask.rasterize, [TRIANGLE], SHAPE, values=Closed(), match=closed)


def test_nothing_large_is_shown(snapshot):
    assert quote(np.zeros((300, 400))) == snapshot
    assert quote([np.zeros(3)]) == snapshot
    assert quote(np.float32(2.5)) == quote(np.array(2.5)) == "2.5"
    assert quote(10**5000) == snapshot
    assert len(quote("x" * 10**6)) < 50
    assert len(quote(list(range(10**6)))) < 50
    assert quote("two\nlines") == "'two\\nlines'"
