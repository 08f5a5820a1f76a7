"""Label images of polygons in partitions, as in dask-geopandas, without gathering them.

The call computes each partition once, for its number of polygons and its box. Afterwards a block
depends only on the partitions near it, and the partitions stay on the workers.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import dask
import dask.array as da
import numpy as np
from dask.base import tokenize
from dask.delayed import delayed
from dask.highlevelgraph import HighLevelGraph
from numpy.typing import NDArray

from polymask.dask.block_index import Boxes, boxes_of_features
from polymask.dask.blocks import bounds_of, window
from polymask.forms.ragged import Ragged, join, take
from polymask.masks.view import View


class Partition(NamedTuple):
    """The polygons of a partition, and their boxes."""

    arrays: Ragged
    boxes: Boxes


@dataclass(frozen=True, eq=False)
class Partitions:
    """How to paint polygons of several partitions.

    Attributes
    ----------
    starts : list of int
        The number of polygons before each partition, and of all of them.
    labels : ndarray of integers, or None
        One label per polygon; if None, they are 1, 2, 3, ...
    background : ndarray, shape (1, 1)
        The value outside all polygons.
    paint : callable
        Returns the image of ``(arrays, labels, shape, offset)``.
    offset : tuple of int
        (row, column) of the first sample.
    """

    starts: list[int]
    labels: NDArray[Any] | None
    background: NDArray[Any]
    paint: Callable[..., NDArray[Any]]
    offset: tuple[int, int]

    def draw(self, rows: slice, cols: slice, near: dict[int, Partition]) -> NDArray[Any]:
        """Return a block of the image, from the partitions near it, by their numbers."""
        shape, offset = window(rows, cols, self.offset)
        sets, labels = [], []
        for number, (arrays, boxes) in near.items():
            features = boxes.near(shape, offset)
            if len(features):
                sets.append(take(arrays, features))
                features += self.starts[number]
                labels.append(features + 1 if self.labels is None else self.labels[features])
        if not sets:
            return np.broadcast_to(self.background, shape)
        return self.paint(join(sets), np.concatenate(labels), shape, offset)


def is_partitioned(polygons: Any) -> bool:
    """Return whether polygons are a lazy collection of partitions."""
    return hasattr(polygons, "to_delayed") and hasattr(polygons, "npartitions")


def refuse_partitions(polygons: Any) -> None:
    """Refuse a lazy collection of partitions."""
    if is_partitioned(polygons):
        raise TypeError(
            f"only label_mask reads the partitions of a {type(polygons).__name__}: pass its "
            ".compute(), or the .compute() of a part of it"
        )


def read_partitions(polygons: Any, view: View) -> tuple[list[Any], list[int], Boxes]:
    """Return the lazy partitions, the number of polygons before each, and their boxes.

    All partitions are computed, but not kept. An error names the partition.
    """
    token = tokenize(polygons, view)
    geometries = getattr(polygons, "geometry", polygons)
    partitions = [
        delayed(_read)(part, number, view, dask_key_name=f"polymask-partition-{token}-{number}")
        for number, part in enumerate(geometries.to_delayed())
    ]
    counts, lows, highs = zip(*dask.compute(*map(delayed(_outline), partitions)), strict=True)
    return partitions, [0, *np.cumsum(counts).tolist()], Boxes(np.array(lows), np.array(highs))


def lazy_labels(
    partitions: list[Any], boxes: Boxes, scene: Partitions, chunks: tuple[tuple[int, ...], ...]
) -> da.Array:
    """Return the lazy image; each block has a task with its own partitions."""
    near = defaultdict(list)
    for number, (rows, cols) in enumerate(boxes.spans(bounds_of(chunks, scene.offset)).tolist()):
        for row in range(*rows):
            for col in range(*cols):
                near[row, col].append(number)
    token = tokenize([partition.key for partition in partitions], scene, chunks)
    node = delayed(scene, name=f"polymask-labels-{token}", traverse=False)
    name = f"polymask-label_mask-{token}"
    rows, cols = (np.cumsum([0, *sizes]).tolist() for sizes in chunks)
    graph = {}
    for row, col in np.ndindex(len(chunks[0]), len(chunks[1])):
        block = slice(rows[row], rows[row + 1]), slice(cols[col], cols[col + 1])
        numbers = near.get((row, col), [])
        keys = [partitions[number].key for number in numbers]
        graph[name, row, col] = (_draw, node.key, *block, numbers, keys)
    graph = HighLevelGraph.from_collections(name, graph, dependencies=[node, *partitions])
    meta = np.empty((0, 0), scene.background.dtype)
    return da.Array(graph, name, chunks, meta=meta)


def _read(part, number, view):
    try:
        arrays = view.ragged(part)
    except (TypeError, ValueError) as error:
        kind = TypeError if isinstance(error, TypeError) else ValueError
        raise kind(f"partition {number}: {error}") from None
    return Partition(arrays, boxes_of_features(arrays))


def _outline(partition):
    arrays, (low, high) = partition
    return arrays.features, low.min(axis=0, initial=np.inf), high.max(axis=0, initial=-np.inf)


def _draw(scene, rows, cols, numbers, partitions):
    return scene.draw(rows, cols, dict(zip(numbers, partitions, strict=True)))
