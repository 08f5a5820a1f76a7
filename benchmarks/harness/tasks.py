"""Tasks on scenes, the contenders that perform them, and the rounds in which they take turns.

A contender is a function that imports its library, converts a scene's polygons to the usual input
of that library (arrays, or shapely's geometries), and returns the call that is timed.
"""

import random
import time
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from benchmarks.harness.record import SceneRow
from polymask.contract import Unavailable

INSTALL = "pip install 'polymask[peers]'"
WARM_UP_CALLS = 3
FEWEST_ROUNDS, MOST_ROUNDS = 5, 200


@dataclass(frozen=True, kw_only=True)
class Scene:
    """An image, and the polygons on it."""

    key: str
    title: str
    shape: tuple[int, int]
    make: Callable  # takes the shape, returns a `Ragged`
    beside: bool = True  # whether other libraries are measured, too

    def polygons(self):
        """Return the polygons as ragged arrays."""
        return self.make(self.shape)


@dataclass(frozen=True, kw_only=True)
class Task:
    """A task and its scenes; the results of its contenders are comparable arrays."""

    key: str
    result: str  # a description
    unit: str = "pixels"  # or other elements of the result
    scenes: tuple
    quick: tuple = ()  # small scenes for tests
    near: float = 0  # elements that differ by at most this number are equal


@dataclass(frozen=True, kw_only=True)
class Contender:
    """A function that performs a task."""

    key: str
    kind: str  # "ours", "peer" or "yardstick"
    task: str
    title: str  # the function that is called
    package: str
    prepare: Callable  # takes a `Ragged` and a shape, returns the call that is timed
    included: str = ""
    threads: int = 1

    def ready(self, polygons, shape):
        """Return the call that is timed; raise `Unavailable` if the library is missing."""
        try:
            return self.prepare(polygons, shape)
        except ModuleNotFoundError as error:
            raise Unavailable(f"the module {error.name} is not installed", INSTALL) from None

    def row(self, scene):
        """Return the row before its measurement."""
        names = "key kind task title package included threads"
        return SceneRow(scene=scene.key, **{name: getattr(self, name) for name in names.split()})


def register_in(contenders):
    """Return a decorator of functions that prepare contenders, which appends these to a list."""

    def contender(key, task, title, package="", included="", **more):
        def register(prepare):
            kind = "peer" if package else "ours"
            fields = {"kind": kind, "package": package, "included": included}
            contenders.append(
                Contender(key=key, task=task, title=title, prepare=prepare, **fields | more)
            )
            return prepare

        return register

    return contender


def in_rounds(contenders, seconds, most=MOST_ROUNDS):
    """Yield contenders in rounds of shuffled order, for at least some seconds.

    One that is removed from the list takes part in no further round.
    """
    order, rounds, end = random.Random(0), 0, time.perf_counter() + seconds
    while contenders and rounds < most:
        if rounds >= FEWEST_ROUNDS and time.perf_counter() > end:
            break
        rounds += 1
        yield from order.sample(contenders, len(contenders))


def find_differences(result, right, near=0):
    """Return the flat indices of differing elements; compare a few rows at a time."""
    indices, start, rows = [], 0, max(1, (1 << 24) // max(1, right[:1].size))
    while start < len(right):
        a, b = result[start : start + rows], right[start : start + rows]
        differs = abs(a - b) > near if near else a != b
        indices.append(np.flatnonzero(differs) + start * right[:1].size)
        start += rows
    return np.concatenate(indices) if indices else np.empty(0, np.int64)
