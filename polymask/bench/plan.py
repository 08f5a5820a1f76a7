"""What is measured: the ways to make the mask, the polygon on its image, and the time for it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from polymask import contract
from polymask.bench.measurement import Measurement
from polymask.ladder import registry, workload


@dataclass
class Plan:
    """A run of the driver; without vertices, on the default polygon.

    A bad polygon or shape is the error that `polymask.contract` raises.
    """

    keys: Sequence[str] | None = None  # of the rungs; all of the registry if None
    vertices: np.ndarray | None = None  # (N, 2), columns x and y in pixels
    shape: tuple[int, int] = workload.SHAPE
    seed: int | None = None  # that made the vertices, or
    polygon: str | None = None  # the file that they came from: for the record
    options: dict[str, dict] = field(default_factory=dict)  # key to keywords of its `make_mask`
    others: Callable[[], Sequence[Measurement]] = tuple  # makes the rows beside those of rungs
    patience: float | None = None  # rows of which a call takes more seconds are skipped
    seconds: float = 30.0  # for the rounds of the fast rows; slow rows come on top
    quick: bool = False  # one sample of a slow row is enough

    def __post_init__(self):
        """Make the default polygon, and check what is given."""
        if self.vertices is None:
            self.seed = workload.SEED if self.seed is None else self.seed
            self.vertices = workload.polygon(shape=contract.check_shape(self.shape), seed=self.seed)
        self.vertices, self.shape, _ = contract.check(self.vertices, self.shape)

    @property
    def files(self):
        """The files that it was read from: nothing may be written there."""
        return [Path(self.polygon)] if self.polygon else []

    def rows(self):
        """Return a `Measurement` of each rung, and the others; an unknown key is a KeyError."""
        every = self.keys is None
        rungs = registry.RUNGS if every else [registry.get(key) for key in self.keys]
        rows = [Measurement.of_rung(rung, self.options.get(rung.key, {})) for rung in rungs]
        return [*rows, *self.others()]
