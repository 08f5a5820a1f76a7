"""Statistics of a lazy image within each of many polygons, from partial results of its blocks.

Sums of integers are combined exactly, so that a block is the only thing a task reads. Sums of
floats depend on their order: the values of a polygon in several blocks are read by one task.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

import dask.array as da
import numpy as np

from polymask.common.twins import twin_of
from polymask.dask.lazy_partitions import refuse_partitions
from polymask.dask.lazy_summaries import NamedZones
from polymask.dask.zone_graph import Zones, delayed_statistics
from polymask.forms.ragged import take
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import zonal, zonal_columns, zonal_images
from polymask.masks.sampling import check_samples
from polymask.masks.view import view_of
from polymask.masks.zonal import Statistics
from polymask.masks.zonal_columns import mean_of_pixels, or_missing
from polymask.masks.zonal_summaries import halve, refuse_wrapped, with_nodata

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, SupportsIndex

    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import OnInvalid, Options, Polygons, Scalar


@twin_of(zonal.polygon_statistics)
def polygon_statistics(
    polygons: Polygons,
    image: Any,
    *,
    statistics: Sequence[str] | None = None,
    weights: Literal["coverage"] | None = None,
    nodata: Scalar | None = None,
    threads: SupportsIndex | None = 1,
    on_invalid: OnInvalid = "raise",
    **options: Unpack[Options],
) -> Statistics | dict[str, Any]:
    """Return statistics of a lazy image in each polygon: by default count, sum, mean, min and max.

    Blocks without polygons are not computed. If the image has floats, or with `statistics`, a
    polygon that lies in several blocks is computed from all blocks that its bounding box meets, in
    one task, whose memory must hold them: a median needs all values, and sums then have the same
    order of additions, and the same last bit.

    Parameters
    ----------
    image : dask.array.Array, shape (rows, cols), or what `dask.array.asarray` accepts
        Such as an xarray.DataArray. Integers, bool or floats of at most 64 bits. NaN and masked
        elements are missing values. With `statistics`, also a mapping of names to such images.
    threads : int, optional
        As for `polymask.polygon_statistics`, for each task. By default 1, because Dask runs tasks
        in parallel.

    Returns
    -------
    Statistics
        A named tuple of lazy arrays, each of shape (N,) in one block. ``dask.compute(*statistics)``
        reads the image once for all of them.
    dict of str to dask.array.Array or Delayed
        If `statistics` is given: ``dask.compute(columns)`` computes all. "unique", "unique_counts"
        and "frac" are lists of N arrays.

    Raises
    ------
    TypeError, ValueError
        If a polygon (the message names it), the image or an option is invalid: during the call. If
        a sum of integers does not fit 64 bits: when it is computed.

    Examples
    --------
    >>> import dask, dask.array, polymask.dask
    >>> image = dask.array.arange(24, chunks=24).reshape(4, 6).rechunk(3)
    >>> square = [(1.5, 0.5), (3.5, 0.5), (3.5, 2.5), (1.5, 2.5)]
    >>> count, total, *_ = dask.compute(*polymask.dask.polygon_statistics([square], image))
    >>> count, total
    (array([4]), array([46]))
    >>> columns = polymask.dask.polygon_statistics([square], image, statistics=["median"])
    >>> dask.compute(columns)
    ({'median': array([11.5])},)
    """
    refuse_partitions(polygons)
    named = image if isinstance(image, Mapping) else {None: image}
    images = {name: da.asarray(each) for name, each in named.items()}
    wanted = zonal.check_request(statistics, weights, image)
    empty = {name: np.empty((0,) * each.ndim, each.dtype) for name, each in images.items()}
    _, nothing = zonal_images.read_bands(empty, nodata)  # checks their types
    if any(np.isnan(each.shape).any() for each in images.values()):
        raise ValueError("image has chunks of unknown sizes: call its compute_chunk_sizes() first")
    shape, *others = {each.shape for each in images.values()}
    if others:
        raise ValueError(f"images must have the same shape, got {[shape, *others]}")
    view = view_of(polygons, shape, threads=threads, **options)
    check_samples(shape, view.sampling.offset, view.sampling.center)
    # A copy, because the caller's arrays may change before tasks run.
    arrays = view.ragged(polygons, on_invalid).copy()
    of_none = zonal.summarize(arrays, nothing, view.sampling, wanted)  # refuses options
    if view.turn != AS_IT_IS:
        images = {name: each[view.turn] for name, each in images.items()}
    if wanted is None:
        zones = DefaultZones(arrays, images[None].dtype, nodata, wanted, view.sampling)
        return _lazy_statistics(zones, images[None], [column.dtype for column in of_none])
    columns = {}
    for name, each in images.items():
        zones = NamedZones(arrays, each.dtype, nodata, wanted, view.sampling)
        for column, values in zones.columns_of(each).items():
            columns[column if name is None else f"{name}_{column}"] = values
    return columns


def _lazy_statistics(zones, image, dtypes):
    node, token = delayed_statistics(zones, image)
    size = (zones.arrays.features,)
    return Statistics(
        *(
            da.from_delayed(node[number], size, dtype, name=f"polymask-statistics-{number}-{token}")
            for number, dtype in enumerate(dtypes)
        )
    )


class Part(NamedTuple):
    """Statistics of some polygons in some blocks; sums are ``upper * 2**32 + lower``, or floats."""

    zones: NDArray[np.int64]
    count: NDArray[np.int64]
    upper: NDArray[Any]
    lower: NDArray[Any]
    low: NDArray[Any]
    high: NDArray[Any]


class DefaultZones(Zones):
    """Polygons, and options for the five default statistics."""

    @property
    def are_whole(self) -> bool:
        """Whether a task reads all blocks of a polygon, as the order of additions matters."""
        return self.dtype.kind == "f"

    def read(self, zones: NDArray[np.int64], image: Any, first: tuple[int, int]) -> Part:
        """Return the statistics of some polygons in a window that begins at `first`."""
        polygons = take(self.arrays, zones)
        if self.are_whole or self.dtype.itemsize < 8:
            count, total, _, low, high = self.summarize(polygons, image, first)
            halves = (
                (total, total)
                if self.are_whole
                else (halve(total, upper=True), halve(total, upper=False))
            )
            return Part(zones, count, *halves, np.ma.getdata(low), np.ma.getdata(high))
        values = _without_nodata(image, self.nodata)
        upper, lower = (  # a sum of their values may exceed 64 bits although the total does not
            self.summarize(polygons, half, first, nodata=None).sum
            for half in (halve(values, upper=True), halve(values, upper=False))
        )
        names = ["count", "min", "max"]
        wanted = zonal_columns.request(names)
        columns = self.summarize(polygons, values, first, nodata=None, wanted=wanted)
        count, low, high = (np.ma.getdata(columns[name]) for name in names)
        return Part(zones, count, upper, lower, low, high)

    def combine(self, parts: list[Part]) -> Statistics:
        """Return the statistics of all polygons."""
        nothing = np.empty((0, 0), self.dtype)
        parts = [self.read(np.empty(0, np.int64), nothing, (0, 0)), *parts]
        zones, *_ = fields = [np.concatenate(columns) for columns in zip(*parts, strict=True)]
        _, counts, uppers, lowers, lows, highs = fields
        size = self.arrays.features
        count = np.zeros(size, np.int64)
        limits = np.iinfo(lows.dtype) if lows.dtype.kind != "f" else None
        ends = (limits.max, limits.min) if limits else (np.inf, -np.inf)
        low, high = (np.full(size, end, lows.dtype) for end in ends)
        np.add.at(count, zones, counts)
        has_values = counts > 0
        np.minimum.at(low, zones[has_values], lows[has_values])
        np.maximum.at(high, zones[has_values], highs[has_values])
        pixels = {"count": count, "sum": self._totals(zones, uppers, lowers)}
        pixels |= {"min": low, "max": high}
        low, high = (or_missing(values, count) for values in (low, high))
        return Statistics(count, pixels["sum"], mean_of_pixels(pixels), low, high)

    def _totals(self, zones, uppers, lowers):
        size = self.arrays.features
        if self.are_whole:  # each polygon is in one part
            total = np.zeros(size)
            total[zones] = uppers
            return total
        upper, lower = np.zeros(size, np.int64), np.zeros(size, np.int64)
        np.add.at(upper, zones, uppers.astype(np.int64))
        np.add.at(lower, zones, lowers.astype(np.int64))
        upper += lower >> 32
        limits = (-(2**31), 2**31) if self.dtype.kind == "i" else (0, 2**32)
        outside = (upper < limits[0]) | (upper >= limits[1])
        dtype = np.int64 if self.dtype.kind == "i" else np.uint64
        halves = upper.astype(dtype), halve(lower, upper=False).astype(dtype)
        total = (halves[0] << dtype(32)) + halves[1]
        if outside.any():
            refuse_wrapped(upper, halves[1], total)
        return total


def _without_nodata(image, nodata):
    """Return an image in which pixels that equal `nodata` are masked."""
    number = zonal_images.as_value(nodata, image.dtype)
    if number is None:
        return image
    values = np.ma.getdata(image)
    return np.ma.masked_array(values, with_nodata(values, np.ma.getmaskarray(image), number) != 0)
