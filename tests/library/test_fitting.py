"""Fitting polygons onto an image."""

import numpy as np
import pytest
from cases import folded

from polymask.maps import fitting


def test_fit_fills_the_image_north_up_and_keeps_proportions():
    north_east_south_west = [[0, 2], [1, 0], [0, -2], [-1, 0]]
    fitted = fitting.fit(north_east_south_west, (101, 301))
    north, east, south, west = fitted
    assert north[1] == pytest.approx(0.02 * 100)  # the smallest y is the top row
    assert south[1] == pytest.approx(0.98 * 100)
    assert east[0] - west[0] == pytest.approx((south[1] - north[1]) / 2)
    assert (north[0] + south[0]) / 2 == pytest.approx(150)


def test_fit_of_a_line_and_of_a_point():
    assert np.isfinite(fitting.fit([[0, 1], [5, 1], [3, 1]], (10, 20))).all()
    with pytest.raises(ValueError, match="all coincide"):
        fitting.fit([[1, 1]] * 3, (10, 20))


def test_fit_of_a_short_upright_line_fills_the_height():
    fitted = fitting.fit([(0, 0), (0, 0.1), (0, 0.05)], (101, 51))
    np.testing.assert_allclose(fitted, [(25, 98), (25, 2), (25, 50)])


@folded(
    ("bounds", "message"),
    [
        ((-np.inf, 0, 1, 1), "must be finite"),
        ((0, 0, np.inf, np.inf), "must be finite"),
        ((0, 0, np.nan, 1), "W < E"),
        ((-1e308, 0, 1e308, 1), "their differences must be finite"),
        ((0, 0, 1e-320, 1), "too close together"),
        ((1e300, 0, np.nextafter(1e300, np.inf), 1), None),
    ],
)
def test_extreme_bounds(bounds, message):
    if message is None:
        assert np.isfinite(fitting.bounds_from(bounds, (10, 20))).all()
        return
    with pytest.raises(ValueError, match=message):
        fitting.bounds_from(bounds, (10, 20))


def test_a_polygon_too_wide_to_fit():
    with pytest.raises(ValueError, match="exceeds float64"):
        fitting.fit([[-1e308, 0], [1e308, 0], [0, 1]], (10, 20))
