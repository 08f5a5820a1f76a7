"""Lazy images written to GeoTIFF by blocks, with rasterio."""

from __future__ import annotations

import warnings

import dask
import dask.array as da
import numpy as np

from polymask.common import saving
from polymask.contract import Unavailable
from polymask.dask.blocks import worker_threads
from polymask.files.raster_windows import CACHE_MIB

SMALLEST = 256  # rows or columns of the last overview, at most


def write_tiff(image, file, tile, transform, progress):
    """Write a lazy image as a tiled GeoTIFF with overviews; return the number of nonzero pixels.

    Parameters
    ----------
    image : dask.array.Array, shape (rows, cols)
    file : Path
    tile : int
        The rows and columns of a tile, a multiple of 16. A tile in several blocks is compressed
        several times, and the file then has gaps.
    transform : georeference.Affine or None
        From pixels to the map.
    progress : callable
        Called after each block, by one thread at a time.
    """
    try:
        import rasterio
    except ModuleNotFoundError:
        reason = "writing a .tif by blocks needs rasterio"
        raise Unavailable(reason, "pip install rasterio") from None
    profile = {
        "driver": "GTiff",
        "height": image.shape[0],
        "width": image.shape[1],
        "count": 1,
        "dtype": image.dtype,
        "transform": transform and rasterio.Affine(*transform),
        "tiled": True,
        "blockxsize": tile,
        "blockysize": tile,
        "compress": "deflate",
        "bigtiff": "if_safer",
    }
    with (
        warnings.catch_warnings(),
        rasterio.Env(GDAL_CACHEMAX=CACHE_MIB),
        saving.replacing(file) as unfinished,
    ):
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        with rasterio.open(unfinished, "w", **profile) as opened:
            windows = Windows(opened, progress)
            with worker_threads() as pool, dask.config.set(scheduler="threads", pool=pool):
                da.store(image, windows, lock=True)
        with rasterio.open(unfinished, "r+") as opened:
            opened.build_overviews(_factors(image.shape), rasterio.enums.Resampling.nearest)
        saving.check_room(unfinished.parent, file)  # GDAL does not report a full disk at the end
    return windows.nonzeros


class Windows:
    """The band of an open file, to which blocks are assigned, one after the other."""

    def __init__(self, opened, progress):
        self.nonzeros, self._opened, self._progress = 0, opened, progress

    def __setitem__(self, region, values):
        window = tuple((axis.start, axis.stop) for axis in region)
        self._opened.write(np.ascontiguousarray(values), 1, window=window)
        self.nonzeros += int(np.count_nonzero(values))
        self._progress()


def _factors(shape):
    """Return the factors of the overviews: powers of two."""
    factors = [2]
    while max(shape) > SMALLEST * factors[-1]:
        factors.append(2 * factors[-1])
    return factors
