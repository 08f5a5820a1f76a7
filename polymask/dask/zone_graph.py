"""The graph of statistics of polygons: which blocks a task reads, and for which polygons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import dask.array as da
import numpy as np
from dask.array.core import concatenate3
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph
from numpy.typing import NDArray

from polymask.dask.block_index import boxes_of_features
from polymask.dask.blocks import bounds_of
from polymask.forms.ragged import Ragged, take
from polymask.masks import zonal, zonal_images
from polymask.masks.sampling import NO_OFFSET, Sampling
from polymask.masks.zonal_columns import Request
from polymask.masks.zonal_summaries import SumTooLarge


@dataclass(frozen=True, eq=False)
class Zones:
    """Polygons, and the checked options of `polymask.polygon_statistics`."""

    arrays: Ragged
    dtype: np.dtype[Any]
    nodata: Any
    wanted: Request
    sampling: Sampling

    def columns_of(self, image: da.Array) -> dict[str, Any]:
        """Return the lazy columns of an image; those with an array per polygon are `Delayed`."""
        node, token = _delayed(self, image)
        size = (self.arrays.features,)
        of_none = self.without_values(take(self.arrays, np.empty(0, np.int64)))
        return {
            name: node[name]
            if isinstance(values, list)
            else da.from_delayed(node[name], size, values.dtype, name=f"polymask-{name}-{token}")
            for name, values in of_none.items()
        }

    def summarize(self, arrays: Ragged, image: Any, first: tuple[int, int]) -> dict[str, Any]:
        """Return the columns of polygons from a window of the image that begins at `first`."""
        _, bands = zonal_images.read_bands(image, self.nodata)
        offset = self.sampling.offset[0] + first[0], self.sampling.offset[1] + first[1]
        sampling = self.sampling._replace(offset=offset)
        return zonal.summarize(arrays, bands, sampling, self.wanted)

    def without_values(self, arrays: Ragged) -> dict[str, Any]:
        """Return the columns of polygons for an image without pixels."""
        return self.summarize(arrays, np.empty((0, 0), self.dtype), NO_OFFSET)

    def read(
        self, zones: NDArray[np.int64], image: Any, first: tuple[int, int]
    ) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Return some polygons, and their columns from a window that begins at `first`."""
        try:
            return zones, self.summarize(take(self.arrays, zones), image, first)
        except SumTooLarge as error:
            raise SumTooLarge(int(zones[error.number])) from None

    def combine(self, parts: list[tuple[NDArray[np.int64], dict[str, Any]]]) -> dict[str, Any]:
        """Return the columns of all polygons; each polygon is in one part at most."""
        columns = self.without_values(self.arrays)
        for zones, part in parts:
            for name, values in part.items():
                if isinstance(values, list):
                    for number, each in zip(zones.tolist(), values, strict=True):
                        columns[name][number] = each
                else:
                    columns[name][zones] = values  # it is no longer masked there
        for name, values in columns.items():
            if isinstance(values, np.ma.MaskedArray) and not values.mask.any():
                columns[name] = values.data
        return columns


def _delayed(zones, image):
    """Return the lazy result of ``zones.combine``, and a token for names that depend on it."""
    token = tokenize(zones, image.name)
    polygons, parts, result = (
        f"polymask-{name}-{token}" for name in ("polygons", "statistics_part", "polygon_statistics")
    )
    starts = bounds_of(image.chunks, NO_OFFSET)
    spans = boxes_of_features(zones.arrays).spans(bounds_of(image.chunks, zones.sampling.offset))
    graph = {polygons: zones}
    keys = []
    for ((top, bottom), (left, right)), items in _groups(spans):
        blocks = [[(image.name, i, j) for j in range(left, right)] for i in range(top, bottom)]
        first = int(starts[0][top]), int(starts[1][left])
        keys.append((parts, len(keys)))
        graph[keys[-1]] = (_read, polygons, items, blocks, first)
    graph[result] = (_combine, polygons, keys)
    graph = HighLevelGraph.from_collections(result, graph, dependencies=[image])
    return Delayed(result, graph), token


def _groups(spans):
    """Yield ranges of blocks, and the polygons to read there.

    `spans`, of shape (N, 2, 2), has the range of rows and columns of blocks near each polygon.
    """
    items = np.flatnonzero((spans[:, :, 0] < spans[:, :, 1]).all(axis=1))
    order = np.lexsort(spans[items].reshape(-1, 4).T)  # it keeps the order of polygons in a group
    items, spans = items[order], spans[items[order]]
    changes = (spans[1:] != spans[:-1]).any(axis=(1, 2))
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])[: len(items)]
    for start, group in zip(starts, np.split(items, starts[1:]), strict=False):
        yield spans[start].tolist(), group


def _read(zones, items, blocks, first):
    image = blocks[0][0] if len(blocks) == len(blocks[0]) == 1 else concatenate3(blocks)
    return zones.read(items, image, first)


def _combine(zones, parts):
    return zones.combine(parts)
