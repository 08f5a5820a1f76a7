from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

__version__: str
__all__: list[str]

class SupportsGeoInterface(Protocol):
    @property
    def __geo_interface__(self) -> Mapping[str, Any]: ...

Polygon: TypeAlias = ArrayLike | Sequence[ArrayLike] | Mapping[str, Any] | SupportsGeoInterface
Order: TypeAlias = Literal["xy", "rc"]

def polygon_mask(
    polygon: Polygon,
    shape: tuple[int, int],
    *,
    out: NDArray[np.bool_] | NDArray[np.uint8] | None = None,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: bool = True,
    center: bool = False,
    offset: tuple[int, int] = (0, 0),
    packed: bool = False,
    threads: int | None = None,
) -> NDArray[Any]: ...
def contains(
    polygon: Polygon,
    points: ArrayLike,
    *,
    order: Order = "xy",
    border_value: bool = True,
    threads: int | None = None,
) -> NDArray[np.bool_]: ...
def label_mask(
    polygons: Iterable[Polygon] | Mapping[str, Any] | SupportsGeoInterface,
    shape: tuple[int, int],
    *,
    labels: Iterable[int] | None = None,
    out: NDArray[np.integer[Any]] | None = None,
    dtype: DTypeLike | None = None,
    order: Order = "xy",
    border_value: bool = True,
    center: bool = False,
    offset: tuple[int, int] = (0, 0),
    threads: int | None = None,
    progress: Callable[[int], object] | None = None,
) -> NDArray[np.integer[Any]]: ...
