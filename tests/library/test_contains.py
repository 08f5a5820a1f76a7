"""`contains`: points inside, by the rule that makes the masks."""

import numpy as np
import pytest
from polygons import HOLE, OUTER, SHAPE, TRIANGLE, by_rings, mask_of

import polymask


@pytest.mark.parametrize("count", [1, 2, 1000])
def test_contains_is_the_rule_at_any_point(count):
    r = np.random.default_rng(count)
    vertices = r.uniform(0, 20, (9, 2))
    points = r.uniform(-3, 23, (count, 2))
    points[0] = vertices[4]
    for border_value, threads in (True, None), (False, 3):
        found = polymask.contains(vertices, points, border_value=border_value, threads=threads)
        assert found.dtype == bool
        for (x, y), inside in zip(points.tolist(), found, strict=True):
            assert by_rings([vertices], (1, 1), border_value, x, y)[0, 0] == inside


def test_contains_agrees_with_the_mask():
    y, x = np.mgrid[:14, :21]
    points = np.column_stack([x.ravel(), y.ravel()])
    inside = polymask.contains([OUTER, HOLE], points)
    np.testing.assert_array_equal(inside.reshape(SHAPE), mask_of([OUTER, HOLE]))


def test_contains_of_no_points():
    assert polymask.contains(TRIANGLE, np.empty((0, 2))).shape == (0,)


def test_contains_in_rows_and_columns():
    points = np.array([(2, 5), (5, 2), (4, 4), (2, 2.5)])
    np.testing.assert_array_equal(
        polymask.contains(TRIANGLE[:, ::-1], points[:, ::-1], order="rc"),
        polymask.contains(TRIANGLE, points),
    )
    for point in points[:, None]:
        np.testing.assert_array_equal(
            polymask.contains(TRIANGLE[:, ::-1], point[:, ::-1], order="rc"),
            polymask.contains(TRIANGLE, point),
        )
