"""Statistics of a lazy image within each of many polygons, each of which is read by one task.

A median needs all values of a polygon, and sums of floats depend on the order of additions.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import dask.array as da
import numpy as np

from polymask.common.twins import twin_of
from polymask.dask.blocks import refuse_partitions
from polymask.dask.zone_graph import Zones
from polymask.maps.georeference import AS_IT_IS
from polymask.masks import zonal, zonal_columns, zonal_images
from polymask.masks.sampling import check_samples
from polymask.masks.view import view_of
from polymask.masks.zonal import Statistics

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Literal, SupportsIndex

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

    Blocks without polygons are not computed. A polygon that lies in several blocks is computed from
    all blocks that its bounding box meets, in one task, whose memory must hold them: a median needs
    all values, and sums then have the same order of additions, and the same last bit.

    Parameters
    ----------
    image : dask.array.Array, shape (rows, cols), or what `dask.array.asarray` accepts
        Such as an xarray.DataArray. Integers, bool or floats of at most 64 bits. NaN and masked
        elements are missing values. With `statistics`, also a mapping of names to such images.
    threads
        As for `polymask.dask.polygon_mask`, for each task.

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
    view = view if weights is None else view.of_squares()
    check_samples(shape, view.sampling.offset, view.sampling.center)
    # A copy, because the caller's arrays may change before tasks run.
    arrays = view.ragged(polygons, on_invalid).copy()
    zonal.summarize(arrays, nothing, view.sampling, wanted)  # refuses options
    if view.turn != AS_IT_IS:
        images = {name: each[view.turn] for name, each in images.items()}
    of_zones = wanted or zonal_columns.request(Statistics._fields)
    columns = {}
    for name, each in images.items():
        zones = Zones(arrays, each.dtype, nodata, of_zones, view.sampling)
        for column, values in zones.columns_of(each).items():
            columns[column if name is None else f"{name}_{column}"] = values
    return Statistics(**columns) if wanted is None else columns
