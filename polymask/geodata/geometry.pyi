from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from polymask.hints import Order, Polygon

class Rings(NamedTuple):
    vertices: NDArray[np.float64]
    starts: NDArray[np.int64] | None

class Parts(list[Rings]): ...

def parts(polygon: Polygon, order: Order = "xy") -> list[Rings]: ...
