"""A row of the table during measurement; `ladder.bench.summary` makes the final row."""

import functools
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from ladder import devices, registry
from ladder.bench import estimate
from ladder.bench.result import Contender
from ladder.registry.rung import Rung
from polymask.contract import Unavailable


@dataclass(eq=False)
class Measurement(Contender):
    """A function that makes the mask, and its measurements so far.

    `check` checks its first mask; a subclass for other libraries has another check.
    """

    kind: str  # the kind of a row, "yardstick" or "batch"
    title: str = ""
    status: str = "ok"
    load: Callable | None = None  # imports the module and returns its `make_mask`
    keywords: dict = field(default_factory=dict)  # for that function
    has_band: bool = True  # whether to make a few rows to estimate a call
    call: Callable | None = None  # makes the mask
    make_masks: Callable | None = None  # makes the masks of several polygons, of the same shape
    leave_mask: Callable | None = None  # makes the mask and leaves it on the device
    time_band: Callable | None = None  # makes a number of rows of the mask, and returns the seconds
    rung: Rung | None = None
    repeats: int = 1  # calls per sample, so that a sample takes some milliseconds
    slow: bool = False  # whether a call takes over a second
    first_cpu_s: float | None = None
    pace_s: float | None = None
    samples: list = field(default_factory=list)  # seconds per call
    kernel_samples: list = field(default_factory=list)  # of the kernel alone, by the device's clock
    batch_samples: list = field(default_factory=list)  # seconds per mask of a batch
    left_samples: list = field(default_factory=list)  # seconds per call of `leave_mask`
    probes: list = field(default_factory=list)  # seconds of the probe before each sample
    events: dict = field(default_factory=dict)  # of a device's commands in the last call
    wall_s: float = 0.0
    cpu_s: float = 0.0

    @classmethod
    def of_rung(cls, rung, options=None):
        """Return the measurement of a rung, with the fields of its registry entry."""
        keywords = dict(options or {})
        return cls(
            rung.key,
            "rung",
            rung.title,
            changes=rung.changes,
            other_algorithm=registry.other_algorithm(rung),
            before=rung.before,
            course_s=rung.course_seconds,
            options={k: list(v) if isinstance(v, tuple) else v for k, v in keywords.items()},
            load=rung.load,
            keywords=keywords,
            rung=rung,
        )

    def prepare(self, vertices, shape):
        """Import the function that makes the mask and bind the polygon to it, or skip the row."""
        keywords = dict(self.keywords)
        try:
            make_mask = self.load()
            self.threads = self.rung.threads(**keywords) if self.rung else 1
        except Unavailable as unavailable:
            self.skip(str(unavailable))
            return
        if self.rung and self.rung.batch:
            self.make_masks = functools.partial(self.rung.load_batch(), **keywords)
        if self.rung and self.rung.leaves:
            leave_mask = self.rung.module().leave_mask
            self.leave_mask = functools.partial(leave_mask, vertices, shape, **keywords)
        if self.rung and self.rung.device:
            keywords["events"] = self.events
        self.call = functools.partial(make_mask, vertices, shape, **keywords)
        if self.has_band:
            arguments = make_mask, vertices, shape, keywords
            self.time_band = functools.partial(estimate.time_band, *arguments)

    def skip(self, reason):
        """Skip the row."""
        self.status, self.reason = "skipped", reason

    def make_first(self, expected):
        """Make the first mask, record its time, and check it."""
        cpu, start = time.process_time(), time.perf_counter()
        try:
            mask = self.call()
        except Unavailable as unavailable:
            self.skip(str(unavailable))
            return
        except Exception as error:  # the others continue
            self.fail(f"raised {type(error).__name__}: {error}")
            return
        self.first_call_s = time.perf_counter() - start
        self.first_cpu_s = time.process_time() - cpu
        self.check(mask, expected)

    def fail(self, reason):
        """Mark the row as wrong; an error counts as wrong, too."""
        self.status, self.reason = "wrong", reason

    def check(self, mask, expected):
        """Compare the first mask with the right one."""
        self.wrong_pixels = count_wrong(mask, expected)
        if self.wrong_pixels:
            self.fail(f"{self.wrong_pixels} of {expected.size} pixels differ from the reference")

    def take_sample(self):
        """Time `repeats` calls, each into a new array after the previous one is freed.

        Returns the seconds per call: wall-clock time, and the CPU time of all threads.
        """
        collecting = gc.isenabled()
        gc.disable()
        try:
            cpu, start = time.process_time(), time.perf_counter()
            mask = None
            for _ in range(self.repeats):
                mask = None
                mask = self.call()
            wall, cpu = time.perf_counter() - start, time.process_time() - cpu
        finally:
            if collecting:
                gc.enable()
        del mask
        return wall / self.repeats, cpu / self.repeats

    def keep(self, wall, cpu):
        """Record a sample."""
        self.samples.append(wall)
        self.pace_s = min(self.samples)
        self.wall_s += wall
        self.cpu_s += cpu
        if self.events:
            commands = devices.kind(self.rung.device).commands(self.events)
            if (kernel_s := devices.kernel_s(commands)) is not None:
                self.kernel_samples.append(kernel_s)


def count_wrong(mask, expected):
    """Count the wrong pixels; all pixels of a mask with another shape or type are wrong."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.uint8 or mask.shape != expected.shape:
        return max(expected.size, 1)
    return int(np.count_nonzero(mask != expected))


def probe():
    """Return the seconds of a fixed amount of serial work, timed between samples.

    They increase if another program uses the core.
    """
    start = time.perf_counter()
    total = 0
    for i in range(10_000):
        total += i * i
    return time.perf_counter() - start
