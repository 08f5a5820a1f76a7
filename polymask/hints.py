"""Types to annotate with: what the public functions take. Nothing here is needed to call them."""

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray


class SupportsGeoInterface(Protocol):
    """What has a `__geo_interface__`: shapely's geometries, a GeoSeries, and so on."""

    @property
    def __geo_interface__(self) -> Mapping[str, Any]:
        """A GeoJSON-like mapping."""


# A sequence of anything: of rings that are arrays beside lists mypy makes a list of objects.
Polygon: TypeAlias = ArrayLike | Sequence[Any] | Mapping[str, Any] | SupportsGeoInterface
# Also WKB, a GeoSeries, and ragged arrays, which are tuples: see polymask.ragged.
Polygons: TypeAlias = (
    Iterable[Polygon | bytes | None] | Mapping[str, Any] | SupportsGeoInterface | tuple[Any, ...]
)
Pair: TypeAlias = Iterable[SupportsIndex]  # (rows, cols) or (row, column): two, of any kind
Number: TypeAlias = float | np.integer[Any] | np.floating[Any] | numbers.Real  # a Fraction, say
Scalar: TypeAlias = Number | np.bool_ | NDArray[Any]  # an array without axes stands for its number
Flag: TypeAlias = Number | np.bool_  # a bool, or a number, which is True unless it is 0
# What `rasterize` burns: polygons, or pairs of one (or None, which is empty) and its value.
Shapes: TypeAlias = (
    Polygons | Iterable[Polygon | bytes | tuple[Polygon | bytes | None, Scalar] | list[Any] | None]
)
Order: TypeAlias = Literal["xy", "rc"]
Touched: TypeAlias = bool | np.bool_ | Literal["closed", "open"]
