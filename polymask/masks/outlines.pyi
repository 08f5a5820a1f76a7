from typing import Any

import numpy as np
from numpy.typing import NDArray

class Outlines(list[list[NDArray[np.float64]]]):
    @property
    def __geo_interface__(self) -> dict[str, Any]: ...
