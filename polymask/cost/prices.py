"""Prices: what one of each thing that the rungs do costs here, measured in the run that they time.

`polymask.cost.limits` multiplies them with counts of work. Each is the price at best, without
waiting for anything else, so that the product is a limit: whatever a rung waits for comes on top.
So the least of all samples counts, where rows have a median; and samples are short, so that some
end before anything else takes the core.
"""

import functools
import time
import timeit
from collections import defaultdict

import numpy as np

from polymask import devices
from polymask.cost.memset import FreshMemset, WarmMemset
from polymask.ladder import workload

SAMPLE_S = 0.0002  # a sample repeats until it lasts so long
SAMPLES = 12  # at each time that prices are asked for
FEWEST = 4096
CACHED = (256, 1024)  # bytes that stay near the core, and are enough for memset to reach its speed
STATEMENTS = 64  # of a line of Python, one after the other, so that the loop does not count


def nothing(x, y, vertices, border_value):
    """Do nothing: a call is all that is left."""


def python_lines():
    """Return name to a line of Python and what it needs, of what the interpreter does."""
    vertices = workload.polygon()
    return {
        "operation_s": ("a < b", {"a": 1.5, "b": 2.5}),
        "call_s": ("f(x, x, v, True)", {"f": nothing, "x": 7, "v": vertices}),
        "builtin_call_s": ("min(a, b)", {"a": 1.5, "b": 2.5}),
        "item_s": ("v[i][0]", {"v": vertices, "i": 3}),
        "array_call_s": ("a + b", {"a": np.ones(1), "b": np.ones(1)}),
    }


def actions():
    """Return name to (a function that does one thing so many times, the fewest times).

    There are none where the extension modules are not built.
    """
    try:
        from polymask.cost import _prices
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
    found = {name: (action, FEWEST) for name, action in compiled.items()}
    found["team_s"] = _prices.team, 1  # where others hold a core, milliseconds each
    fill, tiny = WarmMemset(CACHED), FreshMemset((1, 1))
    found["byte_s"] = lambda count: repeat(fill, count // fill.mask.size), fill.mask.size
    found["fill_call_s"] = lambda count: repeat(tiny, count), STATEMENTS
    for name, (line, needs) in python_lines().items():
        # as local variables, which is where the interpreter finds a name soonest
        setup = "\n".join(f"{variable} = needs[{variable!r}]" for variable in needs)
        repeated = timeit.Timer("\n".join([line] * STATEMENTS), setup, globals={"needs": needs})
        found[name] = lambda count, timer=repeated: timer.timeit(count // STATEMENTS), STATEMENTS
    return found


def launches(rows):
    """Return the same of what the devices of the rows that run here take for a launch."""
    kinds = {row.rung.device for row in rows if row.rung and row.status == "ok"} - {None}
    parts = {}
    for name in sorted(kinds):
        parts |= devices.kind(name).launch()
    return {name: (functools.partial(repeat, part), 1) for name, part in parts.items()}


def repeat(function, count):
    """Call a function so many times."""
    for _ in range(count):
        function()


class Prices:
    """Samples of all prices. Ask before and after the rounds: the record is the least of both.

    A launch has prices where one of the rows has a device, which its first call has made ready.
    """

    def __init__(self, rows=()):
        self.rows, self.samples = rows, defaultdict(list)

    @functools.cached_property
    def counted(self):
        """Name to (action, how often a sample does it)."""
        found = actions() | launches(self.rows)
        return {name: (action, enough(action, fewest)) for name, (action, fewest) in found.items()}

    def sample(self):
        """Take some samples of each."""
        for name, (action, count) in self.counted.items():
            self.samples[name] += [seconds(action, count) / count for _ in range(SAMPLES)]

    def record(self):
        """Return name to seconds for one, at best."""
        return {name: min(taken) for name, taken in self.samples.items()}


def enough(action, fewest):
    """Return how many times in a row last as long as a sample."""
    count = fewest
    while min(seconds(action, count) for _ in range(3)) < SAMPLE_S:  # one may be disturbed
        count *= 4
    return count


def seconds(action, count):
    """Time an action that is done so many times."""
    start = time.perf_counter()
    action(count)
    return time.perf_counter() - start
