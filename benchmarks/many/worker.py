"""A process in which one contender does one task on one scene: its time, and its memory.

Run as a program it is told on standard input what to do, a request of JSON a line, and answers each
by a line. A process of its own has a peak of its own, and no library's threads or caches beside it.
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
PEAK = "5"  # what sets the peak back to what is held now


class Worker:
    """What may be asked; each public method is a request."""

    def __init__(self, task, scene, key, quick):
        self.task = next(one for one in TASKS if one.key == task)
        scenes = self.task.quick if quick else self.task.scenes
        self.scene = next(one for one in scenes if one.key == scene)
        self.polygons = self.scene.polygons()
        contender = next(one for one in CONTENDERS if (one.task, one.key) == (task, key))
        self.call, self.result = contender.ready(self.polygons, self.scene.shape), None

    def first(self):
        """Call once; return seconds, the result's bytes, and how many bytes more were held."""
        gc.collect()
        before = peak_from_now()
        start = time.perf_counter()
        self.result = np.asarray(self.call())
        seconds = time.perf_counter() - start
        size = self.result.nbytes
        beyond = None if before is None else max(peak() - before - size, 0)
        return seconds, size, beyond

    def keep(self, folder):
        """Write the result, and the pixels that lie on edges: others are held against these.

        Only the first that is asked to does it.
        """
        if Path(folder, "right.npy").exists():
            return
        np.save(Path(folder, "right.npy"), self.result)
        if self.task.unit == "pixels":
            np.save(
                Path(folder, "edges.npy"), edge_distance.samples_on(self.polygons, self.scene.shape)
            )

    def differ(self, folder):
        """Return how many elements differ from the result that was kept, and how many off edges."""
        if not Path(folder, "right.npy").exists():  # none of ours works
            return None, None
        right = np.load(Path(folder, "right.npy"), mmap_mode="r")
        if right.shape != self.result.shape:
            raise ValueError(f"made an array of shape {self.result.shape}, not {right.shape}")
        unlike = differing(self.result, right, self.task.near)
        if self.task.unit != "pixels":
            return len(unlike), None
        on = np.load(Path(folder, "edges.npy"))
        return len(unlike), int(np.count_nonzero(~np.isin(unlike, on)))

    def sample(self, repeats):
        """Call so often; return the seconds of one call."""
        self.result = None
        gc.disable()
        try:
            start = time.perf_counter()
            for _ in range(repeats):
                found = None  # as in use: its memory is free before the next is asked for
                found = self.call()
            seconds = time.perf_counter() - start
        finally:
            gc.enable()
        del found
        return seconds / repeats


def differing(found, right, near):
    """Return the flat indices of elements that differ, looking at a few rows at a time."""
    unlike, first, rows = [], 0, max(1, (1 << 24) // max(1, right[:1].size))
    while first < len(right):
        one, other = found[first : first + rows], right[first : first + rows]
        apart = abs(one - other) > near if near else one != other
        unlike.append(np.flatnonzero(apart) + first * right[:1].size)
        first += rows
    return np.concatenate(unlike) if unlike else np.empty(0, np.int64)


def peak_from_now():
    """Return the bytes held now, from which on `peak` counts; None where nobody can tell."""
    try:
        CLEAR.write_text(PEAK, encoding="ascii")
    except OSError:  # not Linux, or not allowed: the peak is that of the process's whole life
        return peak()
    return held("VmRSS")


def peak():
    """Return the most bytes held, since `peak_from_now` where that could set it back."""
    known = held("VmHWM")
    if known is not None:
        return known
    try:
        import resource
    except ImportError:  # Windows
        return None
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024


def held(name):
    """Return a field of Linux's account of the process, in bytes; None elsewhere."""
    try:
        found = re.search(rf"^{name}:\s*(\d+) kB", STATUS.read_text(encoding="ascii"), re.M)
    except OSError:
        return None
    return int(found[1]) * 1024 if found else None


def main():
    """Answer requests until there are no more; the first one is to begin."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what a library prints is no answer
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
        except Exception as error:  # a library's, or ours: the row says so
            answer = {"raised": f"{type(error).__name__}: {error}"}
        print(json.dumps(answer), file=answers, flush=True)


if __name__ == "__main__":
    main()
