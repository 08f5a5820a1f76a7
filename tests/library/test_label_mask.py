"""`label_mask`: images of labels."""

import numpy as np
import pytest
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


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"labels": [1]}, "1 labels for 2 polygons"),
        ({"labels": [1, 2.5]}, "integers"),
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
