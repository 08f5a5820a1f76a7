"""Record the time of each operator of sycl.dpnp_array for one edge, in dpnp and in NumPy.

python 8_sycl/pictures/record_operators.py

The operators are timed while `of_arrays` of dpnp_array.py runs, with arrays that wait for
the device after each operator. Other programs may use the same cores, so the shortest of many times
is recorded, in operators.json.
"""

import datetime
import inspect
import json
import operator
import time
from types import SimpleNamespace
from unittest import mock

import numpy as np
from operators import DATA, SIZE

CALLS = 100
TRIANGLE = [(30, 50), (900, 200), (400, 990)]
SIGNS = {
    "eq": "==", "gt": ">", "le": "<=", "and": "&", "sub": "-", "mul": "*", "truediv": "/",
    "add": "+", "ior": "|=", "iand": "&=", "ixor": "^=",
}  # fmt: skip


class Timed:
    """An array that records each operator: line, sign, elements of the result, seconds."""

    def __init__(self, array, wait, records):
        self.array, self.wait, self.records = array, wait, records

    def __getitem__(self, key):
        """Return a view."""
        return Timed(self.array[key], self.wait, self.records)

    def __setitem__(self, key, value):
        """Write to elements, which is not timed."""
        self.array[getattr(key, "array", key)] = value

    def view(self, dtype):
        """Return the array itself, with another type."""
        return self.array.view(dtype)


def timed(name):
    """Return the method for an operator."""
    function = getattr(operator, f"__{name}__")

    def method(self, other):
        begin = time.perf_counter()
        result = function(self.array, getattr(other, "array", other))
        self.wait()
        seconds = time.perf_counter() - begin
        line = inspect.currentframe().f_back.f_lineno
        self.records.append((line, SIGNS[name], result.size, seconds))
        return Timed(result, self.wait, self.records)

    return method


for _name in SIGNS:
    setattr(Timed, f"__{_name}__", timed(_name))


def operators(library, wait, **place):
    """Return the lines, signs, elements and shortest seconds of the operators of the first edge."""
    from ladder.sycl import dpnp_array

    calls = []
    for _ in range(CALLS):
        calls.append([])

        def wrapped(function, records=calls[-1]):
            return lambda *shape, dtype, **_: Timed(
                function(*shape, dtype=dtype, **place), wait, records
            )

        names = {name: wrapped(getattr(library, name)) for name in ("zeros", "arange")}
        fake = SimpleNamespace(float64=library.float64, uint8=library.uint8, **names)
        with mock.patch.object(dpnp_array, "dpnp", fake):
            dpnp_array.of_arrays(TRIANGLE, SIZE, SIZE, True)
    edge = len(calls[0]) // len(TRIANGLE)
    return [
        (*records[0][:3], min(record[3] for record in records))
        for records in list(zip(*calls, strict=True))[:edge]
    ]


def measure():
    """Record the times in operators.json."""
    import dpnp

    from ladder.bench import machine
    from ladder.sycl import dpnp_array

    lines = inspect.getsource(dpnp_array).splitlines()
    queue = dpnp_array.queue()
    in_dpnp = operators(dpnp, queue.wait, sycl_queue=queue)
    in_numpy = operators(np, lambda: None)
    records = [
        [lines[line - 1].strip(), sign, elements, round(1e6 * first), round(1e6 * second)]
        for (line, sign, elements, first), (*_, second) in zip(in_dpnp, in_numpy, strict=True)
    ]
    data = {
        "processor": machine.cpu_model(),
        "dpnp": dpnp.__version__,
        "numpy": np.__version__,
        "date": datetime.datetime.now(datetime.timezone.utc).date().isoformat(),
        "line, operator, elements, microseconds in dpnp and in NumPy": records,
    }
    text = json.dumps(data).replace("[[", "\n[[").replace("], [", "],\n[")
    DATA.write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    measure()
