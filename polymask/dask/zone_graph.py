"""The graph of statistics of polygons: which blocks a task reads, and for which polygons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from dask.array.core import concatenate3
from dask.base import tokenize
from dask.delayed import Delayed
from dask.highlevelgraph import HighLevelGraph

from polymask.dask.block_index import boxes_of_features
from polymask.dask.blocks import bounds_of
from polymask.forms.ragged import Ragged
from polymask.forms.ranges import expand
from polymask.masks import zonal, zonal_images
from polymask.masks.sampling import NO_OFFSET, Sampling
from polymask.masks.zonal_columns import Request


@dataclass(frozen=True, eq=False)
class Zones:
    """Polygons, and the options of `polymask.polygon_statistics`.

    A subclass has `are_whole`, whether a task reads all blocks of a polygon; `read`, which returns
    the statistics of some polygons in a window; and `combine`, which returns those of all.
    """

    arrays: Ragged
    dtype: np.dtype[Any]
    nodata: Any
    wanted: Request | None
    sampling: Sampling

    @property
    def offset(self) -> tuple[int, int]:
        """The position of the image in a larger one."""
        return self.sampling.offset

    def summarize(
        self, polygons: Ragged, image: Any, first: tuple[int, int], **changes: Any
    ) -> Any:
        """Return the statistics of polygons in a window of the image that begins at `first`."""
        options = {"nodata": self.nodata, "wanted": self.wanted, **changes}
        _, bands = zonal_images.read_bands(image, options["nodata"])
        offset = self.offset[0] + first[0], self.offset[1] + first[1]
        sampling = self.sampling._replace(offset=offset)
        return zonal.summarize(polygons, bands, sampling, options["wanted"])


def delayed_statistics(zones, image):
    """Return the lazy result of ``zones.combine``, and a token for names that depend on it.

    Parameters
    ----------
    zones : Zones
    image : dask.array.Array, shape (rows, cols)
    """
    token = tokenize(zones, image.name)
    polygons, parts, result = (
        f"polymask-{name}-{token}" for name in ("polygons", "statistics_part", "polygon_statistics")
    )
    bounds = bounds_of(image.chunks, zones.offset)
    starts = bounds_of(image.chunks, NO_OFFSET)
    spans = boxes_of_features(zones.arrays).spans(bounds)
    graph = {polygons: zones}
    keys = []
    for ((top, bottom), (left, right)), items in _groups(spans, zones.are_whole):
        blocks = [[(image.name, i, j) for j in range(left, right)] for i in range(top, bottom)]
        first = int(starts[0][top]), int(starts[1][left])
        keys.append((parts, len(keys)))
        graph[keys[-1]] = (_read, polygons, items, blocks, first)
    graph[result] = (_combine, polygons, keys)
    graph = HighLevelGraph.from_collections(result, graph, dependencies=[image])
    return Delayed(result, graph), token


def _groups(spans, are_whole):
    """Yield ranges of blocks, and the polygons to read there.

    Parameters
    ----------
    spans : ndarray, shape (N, 2, 2)
        The range of rows and columns of blocks near each polygon.
    are_whole : bool
        Whether a polygon belongs to one range of blocks, instead of to each block near it.
    """
    items = np.flatnonzero((spans[:, :, 0] < spans[:, :, 1]).all(axis=1))
    spans = spans[items]
    if not are_whole:
        for axis in (0, 1):
            each, blocks = expand(spans[:, axis])
            items, spans = items[each], spans[each]
            spans[:, axis] = np.stack([blocks, blocks + 1], axis=1)
    order = np.lexsort(spans.reshape(-1, 4).T)  # it keeps the order of polygons in a group
    items, spans = items[order], spans[order]
    changes = (spans[1:] != spans[:-1]).any(axis=(1, 2))
    starts = np.concatenate([[0], np.flatnonzero(changes) + 1])[: len(items)]
    for start, group in zip(starts, np.split(items, starts[1:]), strict=False):
        yield spans[start].tolist(), group


def _read(zones, items, blocks, first):
    image = blocks[0][0] if len(blocks) == len(blocks[0]) == 1 else concatenate3(blocks)
    return zones.read(items, image, first)


def _combine(zones, parts):
    return zones.combine(parts)
