from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

class Statistics(NamedTuple):
    # `count` is a method of tuples as well.
    count: NDArray[np.int64]  # type: ignore[assignment]
    sum: NDArray[Any]
    mean: NDArray[np.float64]
    min: NDArray[np.float64]
    max: NDArray[np.float64]
