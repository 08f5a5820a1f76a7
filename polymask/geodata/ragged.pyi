from typing import Any, NamedTuple, SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polymask.geodata.geometry import Parts
from polymask.hints import Order, Polygons

class Ragged(NamedTuple):
    vertices: NDArray[np.float64]
    ring_offsets: NDArray[np.int64]
    polygon_offsets: NDArray[np.int64] | None = None
    feature_offsets: NDArray[np.int64] | None = None
    @property
    def features(self) -> int: ...
    def rings_of(self, feature: ArrayLike) -> tuple[Any, Any]: ...
    def parts(self, feature: SupportsIndex) -> Parts: ...
    def copy(self) -> Ragged: ...
    def some(self, first: int, last: int) -> Ragged: ...

def ragged(polygons: Polygons, order: Order = "xy") -> Ragged: ...
