"""Sets of polygons from Arrow: `__arrow_c_array__` and `__arrow_c_stream__`, from any library."""

import sys

import numpy as np
import pytest
from cases import folded
from polygons import COUNTRIES, HOLE, OUTER, TRIANGLE, closed, geojson

import polymask
from polymask.forms.geometry import parts
from polymask.forms.ragged import ragged

pa = pytest.importorskip("pyarrow")

NAME = "ARROW:extension:name"
POLYGONS = [
    geojson("Polygon", [closed(OUTER), closed(HOLE)]),
    geojson("Polygon", [closed(TRIANGLE)]),
    geojson("Polygon", []),
]
MULTI = [
    geojson("MultiPolygon", [[closed(OUTER), closed(HOLE)], [closed(TRIANGLE)]]),
    geojson("MultiPolygon", []),
    geojson("MultiPolygon", [[closed(TRIANGLE)]]),
]


class Array:
    """An array as a library other than pyarrow exports it."""

    def __init__(self, array, name=None):
        self.array, self.name = array, name

    def __arrow_c_array__(self, requested_schema=None):
        schema, array = self.array.__arrow_c_array__(requested_schema)
        if self.name:
            field = pa.field("", self.array.type, metadata={NAME: self.name})
            schema = field.__arrow_c_schema__()
        return schema, array


class Stream:
    def __init__(self, chunked):
        self.chunked = chunked

    def __arrow_c_stream__(self, requested_schema=None):
        return self.chunked.__arrow_c_stream__(requested_schema)


def points(interleaved, dimensions=2):
    if interleaved:
        return pa.list_(pa.field("xy", pa.float64(), nullable=False), dimensions)
    return pa.struct([(name, pa.float64()) for name in "xyzm"[:dimensions]])


def to_arrow(geometries, interleaved=True, dimensions=2, large=False):
    """Convert geometries, GeoJSON or None, to a nested array."""
    lists = pa.large_list if large else pa.list_
    kind = lists(lists(points(interleaved, dimensions)))
    if any(g and g["type"] == "MultiPolygon" for g in geometries):
        kind = lists(kind)

    def vertex(position):
        numbers = [*position, *range(7, 5 + dimensions)]
        return numbers if interleaved else dict(zip("xyzm", numbers, strict=False))

    def nested(coordinates):
        if isinstance(coordinates[0], (int, float)):
            return vertex(coordinates)
        return [nested(part) if len(part) else [] for part in coordinates]

    rows = [None if g is None else [nested(x) for x in g["coordinates"]] for g in geometries]
    return pa.array(rows, kind)


def assert_same(result, geometries):
    expected = [[] if g is None else parts(g) for g in geometries]
    assert result.features == len(expected)
    for i, polygons in enumerate(expected):
        actual = result.parts(i)
        assert len(actual) == len(polygons)
        for part, polygon in zip(actual, polygons, strict=True):
            np.testing.assert_array_equal(part.vertices, polygon.vertices)
            np.testing.assert_array_equal(part.starts, polygon.starts)


@folded("interleaved", [True, False])
@folded("dimensions", [2, 3, 4])
@folded("large", [False, True])
@folded("geometries", [POLYGONS, MULTI, [*MULTI, None], [None, *POLYGONS]])
def test_arrays_and_streams(geometries, interleaved, dimensions, large):
    array = to_arrow(geometries, interleaved, dimensions, large)
    kind = geometries[1]["type"].lower()
    for source in (
        array,
        Array(array),
        Array(array, f"geoarrow.{kind}"),
        Stream(pa.chunked_array([array])),
        pa.table({"id": np.arange(len(array)), "geometry": array}).cast(
            pa.schema(
                [
                    ("id", pa.int64()),
                    pa.field("geometry", array.type, metadata={NAME: f"geoarrow.{kind}"}),
                ]
            )
        ),
    ):
        assert_same(ragged(source), geometries)
    chunks = pa.chunked_array([array[:1], array[1:2], array[:0], array[2:]])
    assert_same(ragged(Stream(chunks)), geometries)
    assert_same(ragged(Array(array[1:])), geometries[1:])
    swapped = ragged(array, "rc")
    np.testing.assert_array_equal(swapped.vertices[:, ::-1], ragged(array).vertices)


def test_interleaved_coordinates_are_not_copied():
    array = to_arrow(POLYGONS)
    numbers = array.values.values.values.to_numpy()
    assert np.shares_memory(ragged(Array(array)).vertices, numbers)


def test_null_geometries_are_empty_whatever_their_values():
    array = to_arrow([POLYGONS[0], POLYGONS[1], POLYGONS[0]])
    mask = pa.array([False, True, False])
    masked = pa.ListArray.from_arrays(array.offsets, array.values, mask=mask)
    assert masked.offsets.to_pylist() == [0, 2, 3, 5]
    result = ragged(masked)
    assert_same(result, [POLYGONS[0], None, POLYGONS[0]])
    assert polymask.pixel_counts(masked, (20, 23))[1] == 0


def test_null_coordinates_are_rejected():
    interleaved = pa.list_(pa.float64(), 2)
    separate = pa.struct([("x", pa.float64()), ("y", pa.float64())])
    for kind, bad in ((interleaved, [5.0, None]), (separate, {"x": 5.0, "y": None})):
        points = [{"x": 0.0, "y": 0.0}] * 3 if kind is separate else [[0.0, 0.0]] * 3
        array = pa.array([[[*points, bad]]], pa.list_(pa.list_(kind)))
        with pytest.raises(ValueError, match=r"polygons.*null"):
            ragged(array)


@pytest.mark.parametrize("interleaved", [True, False])
def test_an_altitude_may_be_null(interleaved):
    kind = points(interleaved, 3)
    ring = [[0.0, 0.0, None], [9.0, 0.0, 1.0], [9.0, 9.0, None]]
    if interleaved:
        kind = pa.list_(pa.float64(), 3)
    else:
        ring = [dict(zip("xyz", point, strict=True)) for point in ring]
    result = ragged(pa.array([[ring]], pa.list_(pa.list_(kind))))
    assert result.vertices.tolist() == [[0, 0], [9, 0], [9, 9]]


@pytest.mark.parametrize("options", [{"interleaved": True}, {"interleaved": False}, None])
def test_arrays_of_geopandas(options):
    geopandas = pytest.importorskip("geopandas")
    shapely = pytest.importorskip("shapely")
    frame = geopandas.GeoDataFrame.from_features(COUNTRIES)
    frame.loc[3, "geometry"] = None
    expected = ragged(frame)
    encoding = {"geometry_encoding": "WKB"} if options is None else options
    encoding = {"geometry_encoding": "geoarrow", **encoding}
    for source in (frame.geometry.to_arrow(**encoding), frame.to_arrow(**encoding)):
        result = ragged(source)
        assert result.features == expected.features
        np.testing.assert_array_equal(result.vertices, expected.vertices)
        np.testing.assert_array_equal(result.ring_offsets, expected.ring_offsets)
    points = geopandas.GeoSeries([shapely.Point(1, 2)]).to_arrow(geometry_encoding="geoarrow")
    with pytest.raises(ValueError, match=r"multipolygon.*WKB.*geoarrow.point"):
        ragged(points)


def test_pandas_own_columns_stay_sequences():
    pandas = pytest.importorskip("pandas")
    series = pandas.Series([OUTER, TRIANGLE])
    np.testing.assert_array_equal(
        polymask.label_mask(series, (20, 23)), polymask.label_mask([OUTER, TRIANGLE], (20, 23))
    )


@folded(
    ("array", "message"),
    [
        (Array(to_arrow(POLYGONS), "geoarrow.multilinestring"), "got geoarrow.multilinestring"),
        (pa.array([1, 2]), "got the type int64"),
        (pa.array([[1.0, 2.0]]), "got the type list<"),
        (pa.array([[[1.0, 2.0]]]), "got the type list<"),
        (pa.array([[[{"x": 1.0, "z": 2.0}]]]), "got the type list<"),
        (pa.array([[[[1, 2]]]], pa.list_(pa.list_(pa.list_(pa.int32(), 2)))), "got the type list<"),
        (pa.array([[None]], to_arrow(POLYGONS).type), "a part of a geometry is null"),
        (pa.array([[[None] * 3]], to_arrow(POLYGONS).type), "a part of a geometry is null"),
        (pa.array([[[[1.0, 2.0]] * 2]], to_arrow(POLYGONS).type), "polygon 0: .* at least 3"),
        (pa.array([[[[1.0, np.nan]] * 3]], to_arrow(POLYGONS).type), "vertex 0 is not finite"),
        (pa.table({"a": [1], "b": [2]}), r"must have one column of geometries, got \[\] of \['a'"),
    ],
)
def test_bad_arrays(array, message):
    with pytest.raises(ValueError, match=message):
        ragged(array)
    stream = array if isinstance(array, (Array, pa.Table)) else Stream(pa.chunked_array([array]))
    with pytest.raises(ValueError, match=message):
        ragged(stream)


def test_pyarrow_is_needed(monkeypatch):
    array = Array(to_arrow(POLYGONS))
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match=r"polygons.*pyarrow"):
        ragged(array)
