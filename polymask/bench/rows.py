"""A row of the table while it is measured."""

import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from polymask.contract import Unavailable
from polymask.rungs import Rung


@dataclass(eq=False)
class Row:
    """One way to make the mask, and what has been measured of it.

    Attributes
    ----------
    key : str
        The rung's key, or the name of a reference line or yardstick.
    kind : str
        "rung", "reference" or "yardstick".
    call : callable or None
        Makes one mask.
    status, reason : str
        "ok", "skipped" or "wrong", and why.
    repeats : int
        Calls within one sample, so many that it lasts some milliseconds.
    slow : bool
        Whether a call takes over a second.
    samples, kernel_samples : list of float
        Seconds per call; of the kernel alone, by the device's clock.
    probes : list of float
        Seconds of the probe before each sample.
    timings : dict
        What a device rung said of its last call.
    """

    key: str
    kind: str
    call: Callable | None = None
    rung: Rung | None = None
    options: dict = field(default_factory=dict)
    status: str = "ok"
    reason: str = ""
    threads: int | None = None
    repeats: int = 1
    slow: bool = False
    first_call_s: float | None = None
    first_cpu_s: float | None = None
    wrong_pixels: int | None = None
    pace_s: float | None = None
    samples: list = field(default_factory=list)
    kernel_samples: list = field(default_factory=list)
    probes: list = field(default_factory=list)
    timings: dict = field(default_factory=dict)
    wall_s: float = 0.0
    cpu_s: float = 0.0

    def skip(self, reason):
        """Give up on the row."""
        self.status, self.reason = "skipped", reason

    def check(self, expected):
        """Make the first mask, note its time, and hold it against the right one."""
        cpu, start = time.process_time(), time.perf_counter()
        try:
            mask = self.call()
        except Unavailable as unavailable:
            self.skip(str(unavailable))
            return
        except Exception as error:  # a row that raises is a wrong row, and the others go on
            self.status, self.reason = "wrong", f"raised {type(error).__name__}: {error}"
            return
        self.first_call_s = time.perf_counter() - start
        self.first_cpu_s = time.process_time() - cpu
        self.wrong_pixels = count_wrong(mask, expected)
        if self.wrong_pixels:
            self.status = "wrong"
            self.reason = f"{self.wrong_pixels} of {expected.size} pixels differ from the reference"

    def take_sample(self):
        """Time `repeats` calls, each into a fresh array, the previous one freed before."""
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
        self.keep(wall, cpu)

    def keep_first_call(self):
        """Count the first call as a sample: it took so long that first use is no part of it."""
        self.slow = True
        self.keep(self.first_call_s, self.first_cpu_s)

    def keep(self, wall, cpu):
        """Note a sample of `repeats` calls."""
        self.samples.append(wall / self.repeats)
        self.pace_s = min(self.samples)
        self.wall_s += wall
        self.cpu_s += cpu
        if "kernel_s" in self.timings:
            self.kernel_samples.append(self.timings["kernel_s"])

    def forget_samples(self):
        """Drop the samples of warming up."""
        self.samples.clear()
        self.kernel_samples.clear()
        self.wall_s = self.cpu_s = 0.0


def count_wrong(mask, expected):
    """Count the differing pixels; a mask of another shape or type is wrong everywhere."""
    if not isinstance(mask, np.ndarray) or mask.dtype != np.uint8 or mask.shape != expected.shape:
        return max(expected.size, 1)
    return int(np.count_nonzero(mask != expected))
