"""Prices of the rungs' operations on this machine, measured in the same run as the rungs.

`ladder.cost.limits` multiplies them by counts of work. A price is the minimum time of an
operation, without waiting, so that the product is a lower limit. It is therefore the minimum of its
samples, not the median. Samples are short, so that some are not interrupted by other programs.
"""

import functools
import time
import timeit
from collections import defaultdict

import numpy as np

from ladder import devices
from ladder.cost.memset import FreshMemset, WarmMemset
from ladder.registry import workload

SAMPLE_S = 0.0002  # the minimum duration of a sample
SAMPLES = 12  # in each call to `Prices.sample`
MIN_REPETITIONS = 4096
CACHED = (256, 1024)  # bytes that fit into the cache, but are enough for memset to reach its speed
STATEMENTS = 64  # repetitions of a line of Python, so that the time of the loop is negligible


def nothing(x, y, vertices, border_value):
    """Do nothing, so that only the call takes time."""


def python_lines():
    """Map operations of the interpreter to (a line of Python, its variables)."""
    vertices = workload.polygon()
    return {
        "operation_s": ("a < b", {"a": 1.5, "b": 2.5}),
        "call_s": ("f(x, x, v, True)", {"f": nothing, "x": 7, "v": vertices}),
        "builtin_call_s": ("min(a, b)", {"a": 1.5, "b": 2.5}),
        "item_s": ("v[i][0]", {"v": vertices, "i": 3}),
        "array_call_s": ("a + b", {"a": np.ones(1), "b": np.ones(1)}),
    }


def actions():
    """Map prices to (a function that repeats an operation, its minimum number of repetitions).

    The result is empty if the extension modules are not built.
    """
    try:
        from ladder.cost import _prices
    except ImportError:
        return {}
    vertices, lanes = workload.polygon(), _prices.LANES
    compiled = {
        "multiply_s": lambda count: _prices.multiply(count, 1),
        "multiply_vector_s": lambda count: _prices.multiply(count, lanes),
        "divide_s": lambda count: _prices.divide(count, 1),
        "divide_vector_s": lambda count: _prices.divide(count, lanes),
        "object_operation_s": lambda count: _prices.subtract_objects(count, 1.5, 2.5),
        "compiled_call_s": lambda count: _prices.call(count, vertices, True),
        "buffer_s": lambda count: _prices.buffer(count, vertices),
    }
    repeats = {name: (action, MIN_REPETITIONS) for name, action in compiled.items()}
    repeats["team_s"] = _prices.team, 1  # takes milliseconds if other programs use a core
    fill, tiny = WarmMemset(CACHED), FreshMemset((1, 1))
    repeats["byte_s"] = lambda count: repeat(fill, count // fill.mask.size), fill.mask.size
    repeats["fill_call_s"] = lambda count: repeat(tiny, count), STATEMENTS
    for name, (line, variables) in python_lines().items():
        # local variables are the fastest to access
        setup = "\n".join(f"{variable} = variables[{variable!r}]" for variable in variables)
        lines = "\n".join([line] * STATEMENTS)
        lines_timer = timeit.Timer(lines, setup, globals={"variables": variables})
        repeats[name] = lambda n, timer=lines_timer: timer.timeit(n // STATEMENTS), STATEMENTS
    return repeats


def launches(rows):
    """Return the same map for the parts of a launch on the devices of available rows."""
    kinds = {row.rung.device for row in rows if row.rung and row.status == "ok"} - {None}
    parts = {}
    for name in sorted(kinds):
        parts |= devices.kind(name).launch()
    return {name: (functools.partial(repeat, part), 1) for name, part in parts.items()}


def repeat(function, count):
    """Call a function `count` times."""
    for _ in range(count):
        function()


class Prices:
    """Samples of all prices, measured before and after the rounds; the record has their minima.

    A launch has prices if a row has a device, which the first call of the row has initialized.
    """

    def __init__(self, rows=()):
        self.rows, self.samples = rows, defaultdict(list)

    @functools.cached_property
    def repetitions(self):
        """The action of each price and its repetitions per sample, by name."""
        parts = actions() | launches(self.rows)
        return {name: (part[0], repetitions_per_sample(*part)) for name, part in parts.items()}

    def sample(self):
        """Measure some samples of each price."""
        for name, (action, count) in self.repetitions.items():
            self.samples[name] += [seconds(action, count) / count for _ in range(SAMPLES)]

    def record(self):
        """Map names to the minimum seconds of one operation."""
        return {name: min(times) for name, times in self.samples.items()}


def repetitions_per_sample(action, minimum):
    """Return the number of repetitions that last as long as a sample."""
    count = minimum
    while min(seconds(action, count) for _ in range(3)) < SAMPLE_S:  # one sample may be disturbed
        count *= 4
    return count


def seconds(action, count):
    """Return the seconds that an action takes with `count` repetitions."""
    start = time.perf_counter()
    action(count)
    return time.perf_counter() - start
