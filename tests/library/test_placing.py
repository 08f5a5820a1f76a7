"""Placing polygons on an image."""

import numpy as np
import pytest

from polymask import placing


def test_fit_fills_the_image_north_up_and_keeps_proportions():
    north_east_south_west = [[0, 2], [1, 0], [0, -2], [-1, 0]]
    fitted = placing.fit(north_east_south_west, (101, 301))
    north, east, south, west = fitted
    assert north[1] == pytest.approx(0.02 * 100)  # the smallest y is the top row
    assert south[1] == pytest.approx(0.98 * 100)
    assert east[0] - west[0] == pytest.approx((south[1] - north[1]) / 2)
    assert (north[0] + south[0]) / 2 == pytest.approx(150)


def test_fit_of_a_line_and_of_a_point():
    assert np.isfinite(placing.fit([[0, 1], [5, 1], [3, 1]], (10, 20))).all()
    with pytest.raises(ValueError, match="all coincide"):
        placing.fit([[1, 1]] * 3, (10, 20))
