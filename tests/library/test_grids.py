"""Grids of xarray objects with a single row or column: their steps, from a GeoTransform."""

import numpy as np
import pytest
from cases import folded

import polymask

xarray = pytest.importorskip("xarray")

WRITTEN = "100.0 30.0 0.0 400.0 0.0 -20.0"  # GDAL's order, from the corner of the first cell
TRIANGLE = [(110, 310), (380, 330), (190, 395)]
BOTH = {"all_touched": True}, {}


def grid(name="spatial_ref", **attributes):
    """Return a grid of 5 x 10 cells, as rioxarray reads it."""
    x, y = 115 + 30 * np.arange(10.0), 390 - 20 * np.arange(5.0)
    coordinates = {"y": y, "x": x, name: ((), 0, {"GeoTransform": WRITTEN} | attributes)}
    return xarray.DataArray(np.zeros((5, 10)), coordinates, ("y", "x"))


def burn(like, **options):
    return polymask.rasterize_like([TRIANGLE], like, **options).values


@folded("options", BOTH)
@folded("name", ["spatial_ref", "crs", "lambert"])
def test_single_rows_and_columns_are_those_of_the_whole(name, options):
    like = grid(name)
    like.encoding["grid_mapping"] = name
    whole = burn(like, **options)
    assert 10 < whole.sum() < 40
    for row in range(5):
        for part in (like[row : row + 1], like[row : row + 1].sortby("x", ascending=False)):
            expected = whole[row : row + 1]
            expected = expected if part.x[0] < part.x[1] else expected[:, ::-1]
            np.testing.assert_array_equal(burn(part, **options), expected)
    for column in range(10):
        part = np.s_[:, column : column + 1]
        np.testing.assert_array_equal(burn(like[part], **options), whole[part])
    np.testing.assert_array_equal(burn(like[2:3, 4:5], **options), whole[2:3, 4:5])
    like = like.assign_coords({name: 0})
    np.testing.assert_array_equal(burn(like, **options), whole)  # not needed then


@folded(
    ("change", "message"),
    [
        (lambda like: like.coarsen(y=2, boundary="trim").mean()[:1], "coordinate y does not agree"),
        (lambda like: like.coarsen(x=3, boundary="trim").mean()[:1], "coordinate x does not agree"),
        (lambda like: like[:1].assign_coords(y=[391.0]), "coordinate y does not agree"),
        (lambda like: like[:1].assign_coords(y=[np.nan]), "coordinate y is not evenly spaced"),
        (lambda like: like[:0], "coordinate y must contain numbers, got shape"),
        (lambda like: like[:1].drop_vars("spatial_ref"), "y has a single value.*write_transform"),
        (lambda _: grid(GeoTransform="1 30 0 4 0")[:1], "must be the text of six numbers"),
        (lambda _: grid(GeoTransform="1 30 0 4 0 a")[:1], "must be the text of six numbers"),
        (lambda _: grid(GeoTransform="1 30 0 4 0 0")[:1], "must be the text of six numbers"),
        (lambda _: grid(GeoTransform=[1, 30, 0, 4, 0, 5])[:1], "must be the text of six numbers"),
        (lambda _: grid(GeoTransform="100 30 1 400 2 -20")[:1], "rotates the grid"),
    ],
)
def test_bad_transforms(change, message):
    with pytest.raises(ValueError, match=message):
        burn(change(grid()))
