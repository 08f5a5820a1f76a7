"""polymask.dask.label_mask: polygons in the partitions of dask-geopandas."""

import numpy as np
import pytest

import polymask

dask = pytest.importorskip("dask")
lazy = pytest.importorskip("polymask.dask")
dask_geopandas = pytest.importorskip("dask_geopandas")
geopandas = pytest.importorskip("geopandas")
shapely = pytest.importorskip("shapely")
SHAPE = 90, 100


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def frame():
    """Rows of discs from top to bottom, so that partitions lie in different blocks."""
    points = np.random.default_rng(0).uniform(0, 100, (60, 2))
    points = points[points[:, 1].argsort()]
    return geopandas.GeoDataFrame(geometry=geopandas.GeoSeries.from_xy(*points.T).buffer(6))


def partitions_of(image, row, col):
    """Return the partitions that a block depends on."""
    keys = image.dask.cull({(image.name, row, col)}).keys()
    return {key for key in map(str, keys) if key.startswith("polymask-partition-")}


def test_labels_with_another_index_are_refused(frame):
    pandas = pytest.importorskip("pandas")
    parts = dask_geopandas.from_geopandas(frame, npartitions=5)
    labels = pandas.Series(range(60), index=frame.index)
    assert lazy.label_mask(parts, SHAPE, labels=labels).dtype == np.uint8
    with pytest.raises(ValueError, match="index of labels"):
        lazy.label_mask(parts, SHAPE, labels=labels[::-1])


@pytest.mark.parametrize("on_top", ["last", "first", "smallest"])
def test_labels_continue_over_partitions(frame, on_top):
    parts = dask_geopandas.from_geopandas(frame, npartitions=5)
    expected = polymask.label_mask(frame, SHAPE, on_top=on_top, offset=(3, 0))
    for polygons in (parts, parts.geometry):
        image = lazy.label_mask(polygons, SHAPE, chunks=(17, 31), on_top=on_top, offset=(3, 0))
        assert image.dtype == expected.dtype
        assert (image.compute() == expected).all()
    assert 1 <= len(partitions_of(image, 0, 0)) < 5


def test_labels_may_be_given(frame):
    parts = dask_geopandas.from_geopandas(frame, npartitions=3)
    labels = np.arange(60) * 1000
    image = lazy.label_mask(parts, SHAPE, labels=labels, chunks=40)
    assert (image.compute() == polymask.label_mask(frame, SHAPE, labels=labels)).all()
    with pytest.raises(ValueError, match="got 59 labels for 60 polygons"):
        lazy.label_mask(parts, SHAPE, labels=labels[1:])


def test_errors_name_the_partition_during_the_call(frame):
    frame.loc[45, "geometry"] = shapely.Point(1, 2)
    parts = dask_geopandas.from_geopandas(frame, npartitions=4)
    with pytest.raises(ValueError, match=r"^partition 3: polygon 0"):
        lazy.label_mask(parts, SHAPE)
    with pytest.raises(ValueError, match="on_top"):
        lazy.label_mask(parts, SHAPE, on_top="biggest")


def test_other_functions_refuse_partitions(frame):
    parts = dask_geopandas.from_geopandas(frame, npartitions=4)
    xarray = pytest.importorskip("xarray")
    grid = xarray.DataArray(np.zeros((3, 3)), {"y": [0, 1, 2], "x": [0, 1, 2]}, ("y", "x"))
    for name, target in (
        ("rasterize", SHAPE),
        ("rasterize_like", grid),
        ("polygon_statistics", dask.array.zeros(SHAPE)),
    ):
        for polygons in (parts, parts.geometry):
            with pytest.raises(TypeError, match=r"\.compute\(\)"):
                getattr(lazy, name)(polygons, target)
