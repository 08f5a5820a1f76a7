"""`coco_rle`: run lengths that pycocotools decodes to the masks of `polygon_mask`."""

import json

import numpy as np
import pytest
from polygons import COUNTRIES, HOLE, OUTER, SHAPE, TRIANGLE, random_polygons

import polymask

EVERYWHERE = [(-9.0, -9.0), (99.0, -9.0), (99.0, 99.0), (-9.0, 99.0)]


def counts_of(mask):
    """COCO's counts, pixel by pixel."""
    counts, value, length = [], 0, 0
    for pixel in mask.T.ravel().tolist():
        if pixel != value:
            counts.append(length)
            value, length = pixel, 0
        length += 1
    return [*counts, length]


def text_of(counts):
    """COCO's text, number by number, as its maskApi.c writes it."""
    text = ""
    for place, number in enumerate(counts):
        x = number - counts[place - 2] if place > 2 else number
        more = True
        while more:
            c, x = x & 31, x >> 5
            more = x != -1 if c & 16 else x != 0
            text += chr(c + 48 + 32 * more)
    return text


def check(polygons, shape, **options):
    masks = polymask.polygon_masks(polygons, shape, dtype=np.uint8, **options)
    expected = [counts_of(mask) for mask in masks]
    plain = polymask.coco_rle(polygons, shape, compressed=False, **options)
    assert [one["counts"] for one in plain] == expected
    short = polymask.coco_rle(polygons, shape, **options)
    assert [one["counts"] for one in short] == [text_of(counts) for counts in expected]
    assert all(one["size"] == list(shape) for one in short + plain)
    return masks, short


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"center": True, "border_value": False},
        {"offset": (3, -2), "threads": 2},
        {"all_touched": True},
    ],
)
def test_counts_go_down_the_columns(options):
    polygons = [[OUTER, HOLE], TRIANGLE, TRIANGLE + 100, EVERYWHERE]
    check(polygons, SHAPE, **options)
    check(polygons, (4, 3), **options)


def test_shapes_that_a_polygon_fills_from_top_to_bottom():
    for wide in ([(-1, -9), (3.5, -9), (3.5, 99), (-1, 99)], [(2.5, -9), (99, -9), (99, 99)]):
        for shape in ((5, 9), (1, 9), (9, 1), (1, 1), (0, 4), (4, 0)):
            check([wide, EVERYWHERE], shape)


def test_hostile_polygons():
    for polygon, shape in random_polygons(90, seed=6):
        check([polygon], shape)


@pytest.mark.filterwarnings("ignore:.*:DeprecationWarning")  # its own, of NumPy's functions
def test_pycocotools_decodes_them():
    decoder = pytest.importorskip("pycocotools.mask")
    masks, short = check(COUNTRIES, (90, 180), offset=(-45, -90))
    np.testing.assert_array_equal(decoder.decode(short), np.moveaxis(masks, 0, -1))
    assert decoder.area(short).tolist() == masks.sum(axis=(1, 2)).tolist()
    encoded = decoder.encode(np.asfortranarray(np.moveaxis(masks, 0, -1)))
    assert [one["counts"].decode() for one in encoded] == [one["counts"] for one in short]
    assert json.loads(json.dumps(short)) == short


def test_long_counts():
    """Of an image whose counts take more groups of bits than 32-bit numbers have."""
    far = [(2.0**31 - 9, 2.0**30), (2.0**31 - 3, 2.0**30), (2.0**31 - 3, 2.0**30 + 5)]
    (plain,) = polymask.coco_rle([far], (2**31, 2**31), compressed=False)
    assert sum(plain["counts"]) == 2**62
    assert (
        sum(plain["counts"][1::2])
        == polymask.polygon_mask(far, (9, 20), offset=(2**30 - 1, 2**31 - 15)).sum()
    )
    (short,) = polymask.coco_rle([far], (2**31, 2**31))
    assert short["counts"] == text_of(plain["counts"])


@pytest.mark.parametrize("threads", [1, 2, 7])
def test_any_number_of_polygons_and_threads(threads):
    for count in (0, 1, 3, 300):
        check([TRIANGLE + number % 40 / 3 for number in range(count)], SHAPE, threads=threads)


def test_bad_input():
    with pytest.raises(ValueError, match="polygon 1: a polygon has 3 vertices"):
        polymask.coco_rle([TRIANGLE, TRIANGLE[:2]], SHAPE)
    with pytest.raises(ValueError, match="shape"):
        polymask.coco_rle([TRIANGLE], (3,))
