from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

class Runs(NamedTuple):
    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]

class LabelRuns(NamedTuple):
    row: NDArray[np.integer[Any]]
    start: NDArray[np.integer[Any]]
    stop: NDArray[np.integer[Any]]
    label: NDArray[np.integer[Any]]
    offsets: NDArray[np.int64]
