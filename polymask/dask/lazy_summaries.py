"""Statistics of a lazy image by their names: each polygon is read whole, by one task."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from numpy.typing import NDArray

from polymask.dask.zone_graph import Zones, delayed_statistics
from polymask.forms.ragged import Ragged, take
from polymask.masks.sampling import NO_OFFSET
from polymask.masks.zonal_summaries import SumTooLarge


class NamedZones(Zones):
    """Polygons, and options with names of statistics."""

    are_whole = True

    def columns_of(self, image: da.Array) -> dict[str, Any]:
        """Return the lazy columns of an image; those with an array per polygon are `Delayed`."""
        node, token = delayed_statistics(self, image)
        size = (self.arrays.features,)
        of_none = self.without_values(take(self.arrays, np.empty(0, np.int64)))
        return {
            name: node[name]
            if isinstance(values, list)
            else da.from_delayed(node[name], size, values.dtype, name=f"polymask-{name}-{token}")
            for name, values in of_none.items()
        }

    def without_values(self, arrays: Ragged) -> dict[str, Any]:
        """Return the columns of some polygons for an image without pixels."""
        return self.summarize(arrays, np.empty((0, 0), self.dtype), NO_OFFSET)

    def read(
        self, zones: NDArray[np.int64], image: Any, first: tuple[int, int]
    ) -> tuple[NDArray[np.int64], dict[str, Any]]:
        """Return some polygons, and their columns from a window that begins at `first`."""
        polygons = take(self.arrays, zones)
        try:
            columns = self.summarize(polygons, image, first)
        except SumTooLarge as error:
            raise SumTooLarge(int(zones[error.number])) from None
        return zones, columns

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
