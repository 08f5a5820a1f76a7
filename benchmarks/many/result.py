"""The record of a run on many polygons: times, memory and differences of each contender."""

import math
from dataclasses import dataclass, field
from typing import Literal

from ladder.bench.result import Count, Machine, Positive


@dataclass(slots=True, kw_only=True)
class ManyScene:
    """A task on a scene; only the rows of the same task and scene are compared."""

    task: str
    wanted: str  # a description of the task's result
    scene: str
    title: str
    shape: tuple[Count, Count]
    polygons: Count
    vertices: Count
    sha256: str  # of the vertices


@dataclass(slots=True, kw_only=True)
class ManyRow:
    """A contender's measurements for a task on a scene; unknown fields are None."""

    task: str
    scene: str
    key: str
    kind: Literal["ours", "peer", "yardstick"]
    title: str
    package: str = ""
    included: str = ""
    threads: Count = 1
    status: Literal["ok", "skipped"]  # only "ok" rows have a time
    reason: str = ""
    samples_s: list[Positive] = field(default_factory=list)
    device_samples_s: list[Positive] = field(default_factory=list)  # by the clock of a device
    first_call_s: Positive | None = None
    median_s: Positive | None = None
    min_s: Positive | None = None
    result_bytes: Count | None = None
    beyond_bytes: Count | None = None  # the peak of memory without inputs and result
    peak_bytes: Count | None = None  # of the whole process
    differ: Count | None = None  # the elements that differ from polymask's first row;
    differ_off_edges: Count | None = None  # of pixels, those whose sample lies on no edge

    def __post_init__(self):
        """Refuse an "ok" row without a time."""
        if self.ok and not (self.median_s and self.min_s and self.samples_s):
            raise ValueError("its status is ok, but it has no time")

    @property
    def ok(self):
        """Whether the row ran and has a time."""
        return self.status == "ok"


@dataclass(slots=True, kw_only=True)
class Many:
    """A run of several tasks."""

    interrupted: bool = False
    machine: Machine
    seconds: float | None = None
    scenes: list[ManyScene]
    rows: list[ManyRow]

    def of(self, scene):
        """Return the rows of a `ManyScene`; libraries come last, the fastest first."""
        rows = [row for row in self.rows if (row.task, row.scene) == (scene.task, scene.scene)]
        peers = [row for row in rows if row.kind == "peer"]
        peers.sort(key=lambda row: row.median_s or math.inf)
        return [row for row in rows if row.kind != "peer"] + peers
