"""Types to annotate with: what the public functions take. Nothing here is needed to call them."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike


class SupportsGeoInterface(Protocol):
    """What has a `__geo_interface__`: shapely's geometries, a GeoSeries, and so on."""

    @property
    def __geo_interface__(self) -> Mapping[str, Any]:
        """A GeoJSON-like mapping."""


Polygon: TypeAlias = ArrayLike | Sequence[ArrayLike] | Mapping[str, Any] | SupportsGeoInterface
# Also WKB, a GeoSeries, and ragged arrays, which are tuples: see polymask.ragged.
Polygons: TypeAlias = (
    Iterable[Polygon | bytes | None] | Mapping[str, Any] | SupportsGeoInterface | tuple[Any, ...]
)
Pair: TypeAlias = Iterable[SupportsIndex]  # (rows, cols) or (row, column): two, of any kind
Flag: TypeAlias = bool | np.bool_
Number: TypeAlias = float | np.integer[Any] | np.floating[Any]
Order: TypeAlias = Literal["xy", "rc"]
Touched: TypeAlias = bool | np.bool_ | Literal["closed", "open"]
