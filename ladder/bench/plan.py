"""The plan of a run: the rows, the polygon on its image, and the time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from ladder import registry
from ladder.bench.measurement import Measurement
from ladder.registry import workload
from polymask import contract


@dataclass
class Plan:
    """A plan for the driver; without vertices, it has the default polygon.

    A bad polygon or shape raises an error from `polymask.contract`.
    """

    keys: Sequence[str] | None = None  # of the rungs; None for the whole registry
    vertices: np.ndarray | None = None  # (N, 2), columns x and y in pixels
    shape: tuple[int, int] = workload.SHAPE
    seed: int | None = None  # of the generated vertices, or
    polygon: str | None = None  # their file, for the record
    options: dict[str, dict] = field(default_factory=dict)  # key to keywords of its `make_mask`
    others: Callable[[], Sequence[Measurement]] = tuple  # returns the rows besides the rungs'
    patience: float | None = None  # seconds: rows with longer calls are skipped
    seconds: float = 30.0  # for the rounds of fast rows; slow rows need more time
    quick: bool = False  # take one sample of a slow row

    def __post_init__(self):
        """Make the default polygon if there are no vertices, and check the polygon."""
        if self.vertices is None:
            self.seed = workload.SEED if self.seed is None else self.seed
            self.vertices = workload.polygon(shape=contract.check_shape(self.shape), seed=self.seed)
        self.vertices, self.shape, _ = contract.check(self.vertices, self.shape)

    def rows(self):
        """Return the `Measurement` of each row; raise a KeyError for an unknown key."""
        keys = self.keys
        rungs = registry.RUNGS if keys is None else [registry.get(key) for key in keys]
        rows = [Measurement.of_rung(rung, self.options.get(rung.key, {})) for rung in rungs]
        return [*rows, *self.others()]
