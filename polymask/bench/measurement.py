"""A row of the table while it is measured; `polymask.bench.summary` makes the row of it."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from polymask import devices
from polymask.bench.result import Way
from polymask.contract import Unavailable
from polymask.ladder import registry
from polymask.ladder.rung import Rung


@dataclass(eq=False)
class Measurement(Way):
    """One way to make the mask, and what has been measured of it."""

    kind: str  # a row's, "yardstick" or "batch"
    title: str = ""
    status: str = "ok"
    call: Callable | None = None  # makes one mask
    make_band: Callable | None = None  # so many rows of it, to know in time how long a call lasts
    make_masks: Callable | None = None  # those of several polygons, of a shape
    rung: Rung | None = None
    repeats: int = 1  # calls within one sample, so many that it lasts some milliseconds
    slow: bool = False  # whether a call takes over a second
    first_cpu_s: float | None = None
    pace_s: float | None = None
    samples: list = field(default_factory=list)  # seconds per call
    kernel_samples: list = field(default_factory=list)  # of the kernel alone, by the device's clock
    batch_samples: list = field(default_factory=list)  # seconds per mask of a batch
    probes: list = field(default_factory=list)  # seconds of the probe before each sample
    events: dict = field(default_factory=dict)  # of a device's commands in the last call
    wall_s: float = 0.0
    cpu_s: float = 0.0

    @classmethod
    def of_rung(cls, rung):
        """Return the measurement of a rung, with what the registry says of it."""
        return cls(
            rung.key,
            "rung",
            rung.title,
            changes=rung.changes,
            other_algorithm=registry.other_algorithm(rung),
            before=rung.before,
            course_s=rung.course_seconds,
            rung=rung,
        )

    def skip(self, reason):
        """Give up on the row."""
        self.status, self.reason = "skipped", reason

    def check(self, expected, on=None, near=None):
        """Make the first mask, note its time, and hold it against the right one.

        `on` and `near` say which samples lie on an edge and near one; peers need them.
        """
        cpu, start = time.process_time(), time.perf_counter()
        try:
            mask = self.call()
        except Unavailable as unavailable:
            self.skip(str(unavailable))
            return
        except Exception as error:  # a row that raises is a wrong row, and the others go on
            self.status = "skipped" if self.kind == "peer" else "wrong"
            self.reason = f"raised {type(error).__name__}: {error}"
            return
        self.first_call_s = time.perf_counter() - start
        self.first_cpu_s = time.process_time() - cpu
        if self.kind == "peer":
            self.count_differing(mask, expected, on, near)
            return
        self.wrong_pixels = count_wrong(mask, expected)
        if self.wrong_pixels:
            self.status = "wrong"
            self.reason = f"{self.wrong_pixels} of {expected.size} pixels differ from the reference"

    def count_differing(self, mask, expected, on, near):
        """Count where a peer's mask differs from the right one, by how near an edge is."""
        if mask.shape != expected.shape:
            self.skip(f"made a mask of shape {mask.shape}, not {expected.shape}")
            return
        differs = (mask != 0) != (expected != 0)
        self.differ_on_edges = int(np.count_nonzero(differs & on))
        self.differ_off_edges = int(np.count_nonzero(differs)) - self.differ_on_edges
        self.differ_far = int(np.count_nonzero(differs & ~near))

    def time_band(self, rows):
        """Return how many seconds so many rows of the mask take."""
        start = time.perf_counter()
        self.make_band(rows)
        return time.perf_counter() - start

    def take_sample(self):
        """Time `repeats` calls, each into a fresh array, the previous one freed before.

        Returns seconds per call: by the clock, and of all threads together.
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
        """Note a sample."""
        self.samples.append(wall)
        self.pace_s = min(self.samples)
        self.wall_s += wall
        self.cpu_s += cpu
        if self.events:
            commands = devices.kind(self.rung.device).commands(self.events)
            if (kernel_s := devices.kernel_s(commands)) is not None:
                self.kernel_samples.append(kernel_s)


def count_wrong(mask, expected):
    """Count the differing pixels; a mask of another shape or type is wrong everywhere."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.uint8 or mask.shape != expected.shape:
        return max(expected.size, 1)
    return int(np.count_nonzero(mask != expected))
