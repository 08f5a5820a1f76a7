"""The record of a run on many polygons: times, memory and differences of each contender."""

import math
from dataclasses import dataclass, field
from typing import Literal

from polymask.bench.result import Count, Machine, Positive


@dataclass(slots=True, kw_only=True)
class ManyScene:
    """What was asked for, and of what: its rows are held against each other, and no others."""

    task: str
    wanted: str  # what the task makes, in words
    scene: str
    title: str
    shape: tuple[Count, Count]
    polygons: Count
    vertices: Count
    sha256: str  # of the vertices


@dataclass(slots=True, kw_only=True)
class ManyRow:
    """A contender's task on a scene; None where nothing is known."""

    task: str
    scene: str
    key: str
    kind: Literal["ours", "peer"]
    title: str
    package: str = ""
    included: str = ""
    threads: Count = 1
    status: Literal["ok", "skipped"]  # a row that is "ok" has a time, no other one has
    reason: str = ""
    samples_s: list[Positive] = field(default_factory=list)
    first_call_s: Positive | None = None
    median_s: Positive | None = None
    min_s: Positive | None = None
    result_bytes: Count | None = None
    beyond_bytes: Count | None = None  # the most memory held besides inputs and result
    differ: Count | None = None  # from our first row's, samples or polygons;
    differ_off_edges: Count | None = None  # of samples, those that lie on no edge

    def __post_init__(self):
        """Refuse a row that ran and has no time."""
        if self.ok and not (self.median_s and self.min_s and self.samples_s):
            raise ValueError("it is ok, and has no time")

    @property
    def ok(self):
        """Whether it ran, and has a time."""
        return self.status == "ok"


@dataclass(slots=True, kw_only=True)
class Many:
    """One run of all tasks."""

    interrupted: bool = False
    machine: Machine
    seconds: float | None = None
    scenes: list[ManyScene]
    rows: list[ManyRow]

    def of(self, scene):
        """Return the rows of a `ManyScene`: ours, then those of libraries, the fastest first."""
        found = [row for row in self.rows if (row.task, row.scene) == (scene.task, scene.scene)]
        peers = [row for row in found if row.kind == "peer"]
        peers.sort(key=lambda row: row.median_s or math.inf)
        return [row for row in found if row.kind == "ours"] + peers
