"""COCO's run lengths, written and read; tests/properties compares both with pycocotools."""

import numpy as np
import pytest
from cases import folded

import polymask

RLE = {"size": [3, 5], "counts": [0, 5, 1, 1, 8]}
MASK = np.array([[1, 1, 1, 0, 0], [1, 1, 0, 0, 0], [1, 0, 0, 0, 0]], np.uint8)
FUNCTIONS = polymask.coco_to_mask, polymask.coco_to_rings


def text_of(counts):
    """Return COCO's text of counts, number by number, like its maskApi.c."""
    text = ""
    for i, number in enumerate(counts):
        x = number - counts[i - 2] if i > 2 else number
        more = True
        while more:
            c, x = x & 31, x >> 5
            more = x != -1 if c & 16 else x != 0
            text += chr(c + 48 + 32 * more)
    return text


def test_long_counts():
    """For an image whose counts need more groups of bits than 32-bit numbers have."""
    far = [(2.0**31 - 9, 2.0**30), (2.0**31 - 3, 2.0**30), (2.0**31 - 3, 2.0**30 + 5)]
    (plain,) = polymask.coco_rle([far], (2**31, 2**31), compressed=False)
    assert sum(plain["counts"]) == 2**62
    assert (
        sum(plain["counts"][1::2])
        == polymask.polygon_mask(far, (9, 20), offset=(2**30 - 1, 2**31 - 15)).sum()
    )
    (short,) = polymask.coco_rle([far], (2**31, 2**31))
    assert short["counts"] == text_of(plain["counts"])


@folded("counts", [RLE["counts"], np.array(RLE["counts"], np.uint32), "051L7", b"051L7"])
def test_all_forms_of_counts(counts):
    rle = {"size": (3, 5), "counts": counts}
    np.testing.assert_array_equal(polymask.coco_to_mask(rle, dtype="uint8"), MASK)
    rings = polymask.coco_to_rings(rle)
    np.testing.assert_array_equal(polymask.polygon_mask(rings, (3, 5), center=True), MASK)


def test_sequences():
    empty = {"size": [3, 5], "counts": [15]}
    masks = polymask.coco_to_mask((RLE, empty, RLE))
    assert masks.dtype == bool
    np.testing.assert_array_equal(masks, [MASK, 0 * MASK, MASK])
    small = {"size": [1, 2], "counts": "11"}
    labels = polymask.label_mask(polymask.coco_to_rings([RLE, empty, small]), (3, 5), center=True)
    np.testing.assert_array_equal(labels, [[1, 3, 1, 0, 0], *MASK[1:]])
    assert polymask.coco_to_rings([]) == []


def test_a_stack_in_a_view_of_rows():
    whole = np.full((2, 4, 9), 7, np.uint8)
    out = whole[:, 1:, 2:7]
    assert polymask.coco_to_mask([RLE, RLE], out=out) is out
    np.testing.assert_array_equal(out, [MASK, MASK])
    out[...] = 7
    assert (whole == 7).all()


def test_more_pixels_than_are_painted_between_two_checks_for_ctrl_c():
    cols = 2**26 + 9
    mask = polymask.coco_to_mask({"size": [1, cols], "counts": [2, cols - 5, 3]})
    assert mask[0, 2:-3].all()
    assert mask.sum() == cols - 5


BAD_COUNTS = [
    ([0, 5, 1, 1, 9], "more than 15"),
    ([0, 5, 1, 1], "add up to 7"),
    ([0, 5, -1, 3, 8], "count 2 is negative"),
    ([0, 2**64, 1], "63 bits|list of integers"),
    ([0.0, 15.0], "list of integers"),
    ([[15]], "list of integers"),
    ("051L", "add up to 7"),
    ("051l", "ends within a number"),
    ("0 1L7", "character 1 "),
    ("051é", "text"),
]


@folded(("counts", "message"), BAD_COUNTS)
@folded("function", FUNCTIONS)
def test_bad_counts(function, counts, message):
    rle = {"size": [3, 5], "counts": counts}
    with pytest.raises((TypeError, ValueError), match=message):
        function(rle)
    with pytest.raises((TypeError, ValueError), match=f"mask 1: .*({message})"):
        function([RLE, rle])


def test_other_bad_input_leaves_out_unchanged():
    out = np.full((2, 3, 5), 7, np.uint8)
    for rle in (
        [RLE, {"size": [3, 5], "counts": [16]}],
        [RLE, {"size": [5, 3], "counts": [15]}],
        [RLE, "051L7"],
        [RLE],
        RLE,
        [],
        "051L7",
        None,
        {"size": [3, 5]},
        {"size": [-3, 5], "counts": [15]},
    ):
        with pytest.raises((TypeError, ValueError)):
            polymask.coco_to_mask(rle, out=out)
    assert (out == 7).all()
