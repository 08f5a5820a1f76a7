import numpy as np
from numpy.typing import ArrayLike, NDArray

from polymask.hints import Flag, Pair

class Polygon:
    def __new__(cls, vertices: ArrayLike) -> Polygon: ...

def make_mask(
    vertices: ArrayLike,
    shape: Pair,
    border_value: Flag = True,
) -> NDArray[np.uint8]: ...
