import numpy as np
from numpy.typing import ArrayLike, NDArray

from polymask.common.errors import BadSetting as BadSetting
from polymask.common.errors import Unavailable as Unavailable
from polymask.hints import Flag, Pair

def check(
    vertices: ArrayLike, shape: Pair, border_value: Flag = True
) -> tuple[NDArray[np.float64], tuple[int, int], bool]: ...
