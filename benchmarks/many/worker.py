"""A process in which one contender performs one task on one scene: its time, and its memory."""

import gc
import time
from pathlib import Path

import numpy as np

from benchmarks import edge_distance
from benchmarks.against.worker import seconds_per_call
from benchmarks.harness.process import peak, reset_peak
from benchmarks.harness.tasks import find_differences
from benchmarks.many.contenders import CONTENDERS, TASKS


class Worker:
    """The requests that the process answers, one for each public method."""

    def __init__(self, task, scene, key, quick):
        self.task = next(entry for entry in TASKS if entry.key == task)
        scenes = self.task.quick if quick else self.task.scenes
        self.scene = next(entry for entry in scenes if entry.key == scene)
        self.polygons = self.scene.polygons()
        contender = next(entry for entry in CONTENDERS if (entry.task, entry.key) == (task, key))
        self.call, self.result = contender.ready(self.polygons, self.scene.shape), None

    def first(self):
        """Call once; return seconds, the result's bytes, and the peak without inputs and result."""
        gc.collect()
        before = reset_peak()
        start = time.perf_counter()
        self.result = np.asarray(self.call())
        seconds = time.perf_counter() - start
        size = self.result.nbytes
        beyond = None if before is None else max(peak() - before - size, 0)
        return seconds, size, beyond

    def keep(self, folder):
        """Save the result and the pixels on edges, for comparison with other contenders.

        If a result is saved already, this one is not.
        """
        if Path(folder, "right.npy").exists():
            return
        np.save(Path(folder, "right.npy"), self.result)
        if self.task.unit == "pixels":
            np.save(
                Path(folder, "edges.npy"), edge_distance.samples_on(self.polygons, self.scene.shape)
            )

    def differ(self, folder):
        """Count the elements that differ from the saved result: all, and those off the edges."""
        if not Path(folder, "right.npy").exists():  # no contender of polymask works
            return None, None
        right = np.load(Path(folder, "right.npy"), mmap_mode="r")
        if right.shape != self.result.shape:
            raise ValueError(f"made an array of shape {self.result.shape}, not {right.shape}")
        indices = find_differences(self.result, right, self.task.near)
        if self.task.unit != "pixels":
            return len(indices), None
        on_edges = np.load(Path(folder, "edges.npy"))
        return len(indices), int(np.count_nonzero(~np.isin(indices, on_edges)))

    def sample(self, repeats):
        """Make several calls; return the seconds of one."""
        self.result = None
        return seconds_per_call(self.call, repeats)
