"""A process in which one contender performs one task on one scene: its time, and its memory.

The program reads requests from standard input, one JSON line each, and answers each with a line. A
separate process has its own peak of memory, and no threads or caches of other libraries.
"""

import gc
import json
import os
import re
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks import edge_distance
from benchmarks.many.contenders import CONTENDERS, TASKS
from polymask.contract import Unavailable

STATUS, CLEAR = Path("/proc/self/status"), Path("/proc/self/clear_refs")
PEAK = "5"  # resets the peak to the present use


class Worker:
    """The requests that the program answers, one for each public method."""

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
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(repeats):
                result = None  # as in practice, free the memory before the next call
                result = self.call()
            seconds = time.perf_counter() - start
        finally:
            gc.enable()
        del result
        return seconds / repeats


def find_differences(result, right, near):
    """Return the flat indices of differing elements; compare a few rows at a time."""
    indices, start, rows = [], 0, max(1, (1 << 24) // max(1, right[:1].size))
    while start < len(right):
        a, b = result[start : start + rows], right[start : start + rows]
        differs = abs(a - b) > near if near else a != b
        indices.append(np.flatnonzero(differs) + start * right[:1].size)
        start += rows
    return np.concatenate(indices) if indices else np.empty(0, np.int64)


def reset_peak():
    """Reset the process's peak of memory, and return its present bytes, or None if unknown."""
    try:
        CLEAR.write_text(PEAK, encoding="ascii")
    except OSError:  # not Linux, or not allowed: `peak` covers the whole process
        return peak()
    return status_bytes("VmRSS")


def peak():
    """Return the peak of memory in bytes, since `reset_peak` if that is possible, or None."""
    if (nbytes := status_bytes("VmHWM")) is not None:
        return nbytes
    try:
        import resource
    except ImportError:  # Windows
        return None
    maximum = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return maximum if sys.platform == "darwin" else maximum * 1024


def status_bytes(name):
    """Return a field of Linux's status of the process, in bytes; None on other systems."""
    try:
        match = re.search(rf"^{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    return int(match[1]) * 1024 if match else None


def main():
    """Answer requests until the end of the input; the first one is "begin"."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # keep the prints of libraries out of the answers
    worker = None
    for line in sys.stdin:
        name, *arguments = json.loads(line)
        try:
            if name == "begin":
                worker, value = Worker(*arguments), None
            else:
                value = getattr(worker, name)(*arguments)
            answer = {"value": value}
        except Unavailable as missing:
            answer = {"missing": str(missing)}
        except Exception as error:  # becomes the row's reason
            answer = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
