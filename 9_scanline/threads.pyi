from typing import SupportsIndex

import numpy as np
from numpy.typing import ArrayLike, NDArray

from polymask.hints import Flag, Pair

def make_mask(
    vertices: ArrayLike,
    shape: Pair,
    border_value: Flag = True,
    *,
    threads: SupportsIndex | None = None,
) -> NDArray[np.uint8]: ...
def threads_used(threads: SupportsIndex | None = None, **options: object) -> int: ...
