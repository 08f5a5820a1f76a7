"""Types of the public functions' arguments, for annotations. Calls do not import this module."""

import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, TypedDict

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


class SupportsGeoInterface(Protocol):
    """An object with a `__geo_interface__`: a shapely geometry, a GeoSeries, and so on."""

    @property
    def __geo_interface__(self) -> Mapping[str, Any]:
        """A GeoJSON-like mapping."""


# Sequence[Any], because mypy infers a list of objects for a mixture of arrays and lists as rings.
Polygon: TypeAlias = ArrayLike | Sequence[Any] | Mapping[str, Any] | SupportsGeoInterface
# Also WKB, a GeoSeries, and ragged arrays, which are tuples: see polymask.ragged.
Polygons: TypeAlias = (
    Iterable[Polygon | bytes | None] | Mapping[str, Any] | SupportsGeoInterface | tuple[Any, ...]
)
Pair: TypeAlias = Iterable[SupportsIndex]  # (rows, cols) or (row, column), integers of any type
Number: TypeAlias = float | np.integer[Any] | np.floating[Any] | numbers.Real  # such as a Fraction
Scalar: TypeAlias = Number | np.bool_ | NDArray[Any]  # a 0-dimensional array counts as its number
Flag: TypeAlias = Number | np.bool_  # a bool, or a number, which is True unless it is 0
# Input of `rasterize`: polygons, or pairs of a polygon (or None, which is empty) and its value.
Shapes: TypeAlias = (
    Polygons | Iterable[Polygon | bytes | tuple[Polygon | bytes | None, Scalar] | list[Any] | None]
)
Rle: TypeAlias = Mapping[str, Any]  # a mask in COCO's run-length encoding, with size and counts
Order: TypeAlias = Literal["xy", "rc"]
Touched: TypeAlias = bool | np.bool_ | Literal["closed", "open"]
OnInvalid: TypeAlias = Literal["raise", "skip"]
OnTop: TypeAlias = Literal["last", "first", "smallest"]

DType: TypeAlias = DTypeLike | None


class PointOptions(TypedDict, total=False):
    """The options of `contains`, and of all functions that sample polygons."""

    order: Order
    border_value: Flag | None
    watertight: Flag
    threads: SupportsIndex | None
    transform: Any


class Options(PointOptions, total=False):
    """The options of all functions that sample polygons on an image."""

    center: Flag
    offset: Pair
    all_touched: Touched


class ManyOptions(Options, total=False):
    """The options of all functions that sample many polygons."""

    on_invalid: OnInvalid


class OutlineOptions(TypedDict, total=False):
    """The options of `mask_to_rings`, with the same exceptions."""

    connectivity: SupportsIndex
    center: Flag
    offset: Pair
    transform: Iterable[Number] | None
