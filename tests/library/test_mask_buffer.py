"""`MaskBuffer` after errors, and its views; tests/properties compares its masks."""

import numpy as np
import pytest
from polygons import OUTER, SHAPE, TRIANGLE, geojson, mask_of

import polymask
from polymask.masks import polygon as masks

PARTS = geojson("MultiPolygon", [[TRIANGLE.tolist()], [(OUTER / 2).tolist()]])
FAR = geojson("MultiPolygon", [[OUTER.tolist()], [[(0, 0), (9, 0), (1e200, 9)]]])


def test_the_view_is_read_only_and_a_call_changes_it():
    buffer = polymask.MaskBuffer(SHAPE, dtype="uint8")
    first = buffer.draw(TRIANGLE)
    with pytest.raises(ValueError, match="read-only"):
        first[0, 0] = 1
    assert buffer.draw(OUTER) is first
    np.testing.assert_array_equal(first, mask_of(OUTER))
    assert polymask.MaskBuffer((0, 5)).draw(OUTER).shape == (0, 5)


@pytest.mark.parametrize(
    ("polygon", "options", "message"),
    [
        (np.array([(0, 0), (9, np.nan), (3, 3)]), {}, "vertex 1 is not finite"),
        (FAR, {}, "vertex 2 lies beyond"),
        (OUTER, {"transform": (1, 0, 0, 0, 2, 0)}, "a MaskBuffer needs a transform with rows"),
        (OUTER, {"out": None}, "no option 'out'"),
    ],
)
def test_bad_arguments_change_nothing(polygon, options, message):
    buffer = polymask.MaskBuffer(SHAPE)
    mask, window = buffer.draw(TRIANGLE), buffer.window
    with pytest.raises((TypeError, ValueError), match=message):
        buffer.draw(polygon, **options)
    np.testing.assert_array_equal(mask, mask_of(TRIANGLE))
    assert buffer.window == window


def test_a_call_that_fails_between_two_parts_leaves_nothing_for_the_next(monkeypatch):
    buffer, masks_of_parts = polymask.MaskBuffer(SHAPE), masks._masks_of_parts

    def draw_and_fail(*arguments):
        yield next(masks_of_parts(*arguments))
        raise MemoryError

    monkeypatch.setattr(masks, "_masks_of_parts", draw_and_fail)
    with pytest.raises(MemoryError):
        buffer.draw(PARTS)
    monkeypatch.undo()
    np.testing.assert_array_equal(buffer.draw(TRIANGLE + 3), mask_of(TRIANGLE + 3))
    with buffer._lock, pytest.raises(RuntimeError, match="use one for each thread"):
        buffer.draw(TRIANGLE)  # as if another thread were drawing
