from typing import Any

import numpy as np
from dpctl import SyclEvent, SyclQueue
from dpctl.memory import MemoryUSMShared
from dpctl.program import SyclKernel
from numpy.typing import ArrayLike, NDArray

from polymask.hints import Flag, Pair

def submit(
    queue: SyclQueue,
    kernel: SyclKernel,
    vertices: MemoryUSMShared,
    n: int,
    border: int,
    rows: int,
    cols: int,
    mask: MemoryUSMShared,
    left: int,
    top: int,
    width: int,
    height: int,
) -> SyclEvent: ...
def make_mask(
    vertices: ArrayLike,
    shape: Pair,
    border_value: Flag = True,
    *,
    events: dict[str, Any] | None = None,
) -> NDArray[np.uint8]: ...
