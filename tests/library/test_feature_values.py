"""Values and labels of features: exact, or an error that names the first bad one."""

import datetime
import decimal

import numpy as np
import pytest
from cases import folded

import polymask
from polymask.common import error_text

SQUARE = [(0, 0), (3, 0), (3, 3), (0, 3)]
OTHERS = [SQUARE, np.add(SQUARE, 4), np.add(SQUARE, 8)]
SHAPE = (12, 14)
LARGE = 2**53 + 1  # the first integer that float64 cannot represent
BAD = {
    "text": "7",
    "bytes": b"7",
    "complex": 1j,
    "date": datetime.date(2020, 1, 2),
    "decimal": decimal.Decimal(7),
    "datetime64": np.datetime64("2020-01-02"),
}


def burn_pairs(values):
    return polymask.rasterize(list(zip(OTHERS, values, strict=True)), SHAPE)


def burn_values(values):
    return polymask.rasterize(OTHERS, SHAPE, values=values)


def label_image(values):
    return polymask.label_mask(OTHERS, SHAPE, labels=values)


def runs(values):
    return polymask.label_runs(OTHERS, SHAPE, labels=values)


def columns(values):
    """Yield the values as columns of pandas and pyarrow."""
    pandas = pytest.importorskip("pandas")
    pyarrow = pytest.importorskip("pyarrow")
    array = pandas.array(values, dtype="Int64")
    yield from (array, pandas.Series(array), pandas.Index(array))
    yield pandas.Series(values, dtype=pandas.ArrowDtype(pyarrow.int64()))
    yield from (pyarrow.array(values), pyarrow.chunked_array([values]))


@folded("function", [burn_pairs, burn_values, label_image, runs])
@folded("bad", BAD.values())
def test_the_bad_value_is_named_not_the_first(function, bad):
    with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 2") as raised:
        function([1, 2, bad])
    assert error_text.quote(bad) in str(raised.value)
    array = np.array([1, 2, bad], object)
    with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 2"):
        function(array)


@pytest.mark.parametrize("function", [burn_pairs, burn_values, label_image, runs])
def test_a_missing_value_is_called_missing(function):
    pandas = pytest.importorskip("pandas")
    for missing in (None, pandas.NA, pandas.NaT):
        with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 1 is missing"):
            function([1, missing, 7])


def test_a_label_that_is_missing_is_named_not_the_floats_beside_it():
    with pytest.raises(ValueError, match="label of polygon 1 is missing, got nan"):
        label_image(np.array([1, np.nan, 3]))
    with pytest.raises(ValueError, match=r"label 1\.0 of polygon 0 is not an integer"):
        label_image(np.array([1.0, 2.0, 3.0]))


def test_a_column_with_another_index_is_refused():
    """Its order would be taken for that of the polygons."""
    geopandas, pandas = pytest.importorskip("geopandas"), pytest.importorskip("pandas")
    shapely = pytest.importorskip("shapely")
    shapes = geopandas.GeoSeries(map(shapely.Polygon, OTHERS), index=[5, 3, 4])
    values = pandas.Series([1, 2, 3], index=[3, 4, 5])
    aligned, in_order = values[[5, 3, 4]], values.to_numpy()
    for function, name in (polymask.rasterize, "values"), (polymask.label_mask, "labels"):
        with pytest.raises(ValueError, match=f"index of {name}"):
            function(shapes, SHAPE, **{name: values})
        assert function(shapes, SHAPE, **{name: aligned})[1, 1] == 3
        for in_any_order in (shapes, in_order), (OTHERS, values):
            assert function(in_any_order[0], SHAPE, **{name: in_any_order[1]})[1, 1] == 1
    with pytest.raises(ValueError, match="index of labels"):
        polymask.label_runs(shapes, SHAPE, labels=values)


@pytest.mark.parametrize(
    ("value", "dtype"), [(2**24 + 1, "f4"), (2**53 + 1, "f8"), (2**64 - 1, "f8"), (2049, "f2")]
)
def test_floats_hold_integers_exactly_or_reject_them(value, dtype):
    with pytest.raises(ValueError, match=f"value {value} of geometry 1 does not fit float"):
        polymask.rasterize(OTHERS[:2], SHAPE, values=[1, value], dtype=dtype)
    for exact in (value - 1 if value < 2**63 else 2**63, -(2**63) if value > 2**50 else -3):
        assert polymask.rasterize([(SQUARE, exact)], SHAPE, dtype=dtype)[1, 1] == exact


@pytest.mark.parametrize("function", [burn_values, label_image, runs])
def test_columns_of_integers_are_exact_or_rejected(function):
    for column in columns([LARGE, 2, 3]):
        result = function(column)
        image = result.label if function is runs else result
        assert set(np.unique(image).tolist()) - {0} == {2, 3, LARGE}
    for column in columns([LARGE, None, 3]):
        with pytest.raises((TypeError, ValueError), match=r"of (geometry|polygon) 1 is missing"):
            function(column)
