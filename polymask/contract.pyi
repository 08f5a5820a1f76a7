import numpy as np
from numpy.typing import ArrayLike, NDArray

from polymask.hints import Flag, Pair

class Unavailable(RuntimeError):
    reason: str
    what_to_do: str
    def __init__(self, reason: str, what_to_do: str = "") -> None: ...

class BadSetting(Unavailable): ...

def check(
    vertices: ArrayLike, shape: Pair, border_value: Flag = True
) -> tuple[NDArray[np.float64], tuple[int, int], bool]: ...
