"""The record of a run: the times, the memory and the differences of contenders on scenes."""

import contextlib
import math
import time
from dataclasses import dataclass, field
from typing import Literal

from ladder.bench import machine
from ladder.bench.result import Count, Machine, Positive, Row
from ladder.common import confidence
from ladder.common.busy import load_average
from ladder.registry import workload


@dataclass(slots=True, kw_only=True)
class SceneRecord:
    """A task on a scene; only the rows of the same task and scene are compared."""

    task: str
    wanted: str  # a description of the task's result
    scene: str
    title: str
    shape: tuple[Count, Count]
    polygons: Count
    vertices: Count
    sha256: str  # of the vertices

    @classmethod
    def of(cls, task, scene):
        """Return the record of a task on a scene."""
        polygons = scene.polygons()
        return cls(
            task=task.key,
            wanted=task.result,
            scene=scene.key,
            title=scene.title,
            shape=scene.shape,
            polygons=polygons.features,
            vertices=len(polygons.vertices),
            sha256=workload.sha256(polygons.vertices),
        )


@dataclass(slots=True, kw_only=True)
class SceneRow(Row):
    """The row of a contender for a task on a scene."""

    task: str
    scene: str
    kind: Literal["ours", "peer", "yardstick"]
    status: Literal["ok", "skipped"] = "skipped"
    threads: Count = 1
    device_samples_s: list[Positive] = field(default_factory=list)  # by the clock of a device
    result_bytes: Count | None = None
    beyond_bytes: Count | None = None  # the peak of memory without inputs and result
    differ: Count | None = None  # elements that differ from polymask's first row,
    differ_off_edges: Count | None = None  # and of pixels, those whose sample lies on no edge

    def fail(self, reason):
        """Skip the row for a reason; it has no time."""
        self.status, self.reason = "skipped", str(reason)
        self.samples_s, self.device_samples_s = [], []
        self.median_s = self.min_s = None

    def summarize(self):
        """Compute the figures from the samples."""
        if self.samples_s:
            self.median_s, self.min_s = confidence.median(self.samples_s), min(self.samples_s)
            self.status = "ok"


@dataclass(slots=True, kw_only=True)
class Run:
    """A run of several tasks."""

    interrupted: bool = False
    machine: Machine
    seconds: float | None = None
    scenes: list[SceneRecord] = field(default_factory=list)
    rows: list[SceneRow] = field(default_factory=list)

    def of(self, scene):
        """Return the rows of a `SceneRecord`; libraries come last, the fastest first."""
        rows = [row for row in self.rows if (row.task, row.scene) == (scene.task, scene.scene)]
        peers = [row for row in rows if row.kind == "peer"]
        peers.sort(key=lambda row: row.median_s or math.inf)
        return [row for row in rows if row.kind != "peer"] + peers

    @contextlib.contextmanager
    def measured(self):
        """Record duration, load and packages of the run; Ctrl-C ends it, and keeps its rows."""
        start = time.perf_counter()
        try:
            yield
        except KeyboardInterrupt:
            self.interrupted = True
        names = {row.package for row in self.rows if row.package}
        versions = {name: machine.package_version(name) for name in sorted(names)}
        self.machine.packages |= versions
        self.machine.load_after = load_average()
        self.seconds = time.perf_counter() - start
