"""The contenders: each returns a call that writes the label image of polygons to a Zarr array.

The array has the shape and the chunks of the image. A contender converts the polygons to the usual
input of its library, and keeps the library's defaults: all cores, if it uses several.
"""

from functools import partial
from importlib import import_module
from itertools import product

import numpy as np

from benchmarks.harness.tasks import register_in
from benchmarks.many.contenders import extent, geometries

TASK = "large"
LOOP, LAZY = "polymask: loop", "polymask.dask"
MISSING = "missing"  # an attribute of the array: its codes count from 0, and this one is no polygon
CONTENDERS = []
contender = partial(register_in(CONTENDERS), task=TASK)


def windows(store):
    """Yield the rows and the columns of each chunk as slices."""
    yield from product(
        *(
            [slice(first, min(first + step, size)) for first in range(0, size, step)]
            for size, step in zip(store.shape, store.chunks, strict=True)
        )
    )


def northern(polygons):
    """Return shapely's geometries with y upwards, as libraries expect that draw from the north."""
    return geometries(polygons._replace(vertices=polygons.vertices * (1.0, -1.0)))


def northern_extent(shape):
    """Return the west, south, east and north limits of an image whose row r has y = -r."""
    west, _, east, south = extent(shape)
    return west, -south, east, 0.5


@contender(LOOP, title="a loop over windows of polymask.label_mask")
def loop(polygons, store):
    """Return the loop that a user would write without `polymask.dask`."""
    import polymask

    def call():
        for rows, cols in windows(store):
            shape = rows.stop - rows.start, cols.stop - cols.start
            store[rows, cols] = polymask.label_mask(
                polygons, shape, offset=(rows.start, cols.start), dtype=store.dtype
            )

    return call


@contender(LAZY, title="polymask.dask.label_mask")
def lazy(polygons, store):
    """Return a call to `polymask.dask.label_mask` with ragged arrays."""
    import dask.array

    import polymask.dask

    def call():
        labels = polymask.dask.label_mask(
            polygons, store.shape, chunks=store.chunks, dtype=store.dtype
        )
        dask.array.store(labels, store, lock=False)

    return call


@contender("xarray-spatial", title="xrspatial.rasterize, with chunks", package="xarray-spatial")
def xarray_spatial(polygons, store):
    """Return a call to xarray-spatial, which makes a lazy image from a GeoDataFrame."""
    import dask.array
    import geopandas
    from xrspatial.rasterize import rasterize

    labels = np.arange(1, polygons.features + 1)
    frame = geopandas.GeoDataFrame({"label": labels}, geometry=northern(polygons))
    height, width = store.shape

    def call():
        image = rasterize(
            frame,
            width=width,
            height=height,
            bounds=northern_extent(store.shape),
            column="label",
            fill=0,
            dtype=store.dtype,
            chunks=store.chunks,
            max_pixels=height * width,
        )
        dask.array.store(image.data, store, lock=False)

    return call


def rasterix(polygons, store, engine, modules):
    """Return a call to rasterix, which makes a lazy image of codes from a GeoDataFrame.

    The modules are those of the engine; if one is missing, it is known before the call.
    """
    import dask.array
    import geopandas
    import xarray
    from rasterix import assign_index
    from rasterix.rasterize import rasterize

    for name in modules:
        import_module(name)
    frame = geopandas.GeoDataFrame(geometry=northern(polygons))
    rows, cols = store.shape
    grid = xarray.DataArray(
        dask.array.zeros(store.shape, chunks=store.chunks, dtype=store.dtype),
        {"y": -np.arange(rows, dtype=float), "x": np.arange(cols, dtype=float)},
        dims=("y", "x"),
    )
    grid = assign_index(grid, x_dim="x", y_dim="y")
    store.attrs[MISSING] = polygons.features

    def call():
        image = rasterize(grid, frame, engine=engine)
        dask.array.store(image.data, store, lock=False)

    return call


for name, modules in (
    ("rusterize", ["rusterize"]),
    ("rasterio", ["rasterio"]),
    ("exactextract", ["exactextract", "sparse"]),
):
    register = contender(f"rasterix: {name}", title="rasterix.rasterize", package="rasterix")
    register(partial(rasterix, engine=name, modules=modules))


@contender("rasterio: loop", title="a loop over windows of rasterio", package="rasterio")
def rasterio_loop(polygons, store):
    """Return a loop over rasterio (GDAL), with the geometries that a tree finds near the window."""
    import shapely
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    shapes = geometries(polygons)

    def call():
        tree = shapely.STRtree(shapes)
        for rows, cols in windows(store):
            box = shapely.box(cols.start - 1, rows.start - 1, cols.stop, rows.stop)
            near = np.sort(tree.query(box))
            if len(near):  # it refuses an empty list; the array has zeros already
                store[rows, cols] = rasterize(
                    zip(shapes[near], (near + 1).tolist(), strict=True),
                    out_shape=(rows.stop - rows.start, cols.stop - cols.start),
                    transform=Affine.translation(cols.start - 0.5, rows.start - 0.5),
                    dtype=store.dtype,
                )

    return call


@contender("rasterio: whole", title="rasterio.features.rasterize", package="rasterio")
def rasterio_whole(polygons, store):
    """Return a call to rasterio (GDAL) that makes the whole image in memory, and then writes it."""
    from rasterio.features import rasterize
    from rasterio.transform import Affine

    shapes = geometries(polygons)

    def call():
        store[:] = rasterize(
            zip(shapes, range(1, len(shapes) + 1), strict=True),
            out_shape=store.shape,
            transform=Affine.translation(-0.5, -0.5),
            dtype=store.dtype,
        )

    return call
