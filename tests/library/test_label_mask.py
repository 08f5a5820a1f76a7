"""`label_mask`: images of labels."""

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, SHAPE, TRIANGLE

import polymask


def test_labels_count_from_one_and_choose_their_type():
    assert polymask.label_mask([OUTER], SHAPE).max() == 1
    assert polymask.label_mask([OUTER] * 300, (3, 3)).dtype == np.uint16
    assert polymask.label_mask([OUTER], (3, 3), labels=[-1]).dtype == np.int64
    assert polymask.label_mask([], (3, 3)).tolist() == [[0] * 3] * 3
    expected = polymask.label_mask([OUTER, TRIANGLE], SHAPE, labels=[3, 127])
    for dtype in (np.int8, np.uint16, np.uint32, np.int64, ">i4"):
        labels = polymask.label_mask([OUTER, TRIANGLE], SHAPE, labels=[3, 127], dtype=dtype)
        assert labels.dtype == dtype
        np.testing.assert_array_equal(labels, expected)


def test_feature_collection_and_progress():
    calls = []
    labels = polymask.label_mask(COUNTRIES, (180, 360), offset=(-90, -180), progress=calls.append)
    assert calls == list(range(1, len(COUNTRIES["features"]) + 1))
    assert len(np.unique(labels)) > 100
    number = 1 + [f["properties"]["name"] for f in COUNTRIES["features"]].index("Brazil")
    assert labels[-10 + 90, -55 + 180] == number


@folded(
    ("options", "message"),
    [
        ({"labels": [1]}, "1 labels for 2 polygons"),
        ({"labels": [1, 2.5]}, "2.5 of polygon 1 is not an integer"),
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


def test_progress_of_an_image_without_pixels():
    for shape in (0, 4), (4, 0):
        calls = []
        labels = polymask.label_mask([OUTER, HOLE], shape, progress=calls.append)
        assert labels.shape == shape
        assert calls == [1, 2]


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
    labels = polymask.label_mask((vertices, offsets), (2000, 2000), progress=write)
    np.testing.assert_array_equal(labels, expected)


def test_an_exception_in_progress_ends_the_work():
    def stop(number):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        polymask.label_mask([OUTER, HOLE], SHAPE, progress=stop)


def test_progress_that_is_not_callable_is_rejected_before_the_work():
    out = np.full((8, 8), 7, np.uint8)
    with pytest.raises(TypeError, match=r"progress.*callable"):
        polymask.label_mask([[(1, 1), (6, 1), (3, 5)]], (8, 8), out=out, progress=5)
    assert (out == 7).all()
