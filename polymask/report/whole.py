"""Checks that what a JSON file holds is a whole result, so that whoever draws it need not ask.

A result that was written by `polymask bench` passes; one that was mended by hand may not.
"""

import math

STATUS = ("ok", "skipped", "wrong")
ROW = {"key": str, "kind": str, "title": str, "samples": int, "samples_s": list, "flags": list}
ROW |= {"options": dict}
POSITIVE = ("median_s", "min_s", "first_call_s", "kernel_s", "speedup", "speedup_before")
POSITIVE += ("times_yardstick", "course_s", "course_speedup")
INTERVALS = ("ci95_s", "speedup_ci95")
OTHERS = ("changes", "other_algorithm", "before", "reason", "threads", "cores_used", "mask")
MACHINE = ("date", "cpu", "cores", "affinity", "ram_bytes", "virtual_machine", "kernel", "python")
MACHINE += ("numpy", "cython", "compiler", "flags", "openmp_runtimes", "commit", "dirty")


def check(result):
    """Raise a ValueError that says what a result lacks, or what is not what it has to be."""
    _has(result, ("rows", "machine", "workload", "yardstick", "interrupted"), "it")
    for name in ("machine", "workload", "yardstick"):
        _is(result[name], dict, name)
    _has(result["machine"], MACHINE, "its machine")
    _check_busy(result["machine"])
    _check_workload(result["workload"])
    _check_yardstick(result["yardstick"])
    _is(result["rows"], list, "rows")
    for number, row in enumerate(result["rows"]):
        _is(row, dict, f"row {number}")
        _check_row(row, f"row {number} ({row.get('key', 'without a key')})")


def _check_workload(workload):
    _has(workload, ("shape", "vertices", "polygon_xy"), "its workload")
    shape, vertices = workload["shape"], workload["polygon_xy"]
    if not (_listed(shape, 2) and all(type(n) is int and n >= 0 for n in shape)):
        raise ValueError(f"its shape has to be two integers, got {_short(shape)}")
    _is(vertices, list, "its polygon_xy")
    for number, vertex in enumerate(vertices):
        if not (_listed(vertex, 2) and all(map(_finite, vertex))):
            raise ValueError(f"vertex {number} has to be two numbers, got {_short(vertex)}")


def _check_busy(machine):
    busy = machine.get("busy_before")
    if busy is None:
        return
    _is(busy, dict, "its busy_before")
    _has(busy, ("busy", "cores_used", "cores_stolen"), "its busy_before")
    values = [busy["cores_used"], busy["cores_stolen"], machine.get("load_before")]
    if not all(value is None or _finite(value) for value in values):
        raise ValueError("its busy_before and load_before have to be numbers")
    if busy["busy"] and values[0] is None and values[2] is None:
        raise ValueError("its busy_before says that it was busy, and not by how much")


def _check_yardstick(yardstick):
    _has(yardstick, ("memset_warm_s", "memset_fresh_s"), "its yardstick")
    for name in ("memset_warm_s", "memset_fresh_s", "probe_s"):
        _positive(yardstick.get(name), f"its {name}")
    prices = yardstick.get("prices", {})
    _is(prices, dict, "its prices")
    for name, price in prices.items():
        if price is None:
            raise ValueError(f"its price {name} has to be a number above zero, got nothing")
        _positive(price, f"its price {name}")


def _check_row(row, name):
    _has(row, (*ROW, *POSITIVE, *INTERVALS, *OTHERS, "status"), name)
    for field, kind in ROW.items():
        _is(row[field], kind, f"{name}: {field}")
    if row["status"] not in STATUS:
        raise ValueError(f"{name}: status is one of {', '.join(STATUS)}, got {row['status']!r}")
    for field in POSITIVE:
        _positive(row[field], f"{name}: {field}")
    for sample in row["samples_s"]:
        _positive(sample, f"{name}: a sample")
    for field in INTERVALS:
        ends = row[field]
        if ends is not None and not (_listed(ends, 2) and all(map(_finite, ends))):
            raise ValueError(f"{name}: {field} has to be two numbers, got {_short(ends)}")
    if row["status"] == "ok" and not (row["median_s"] and row["min_s"] and row["samples_s"]):
        raise ValueError(f"{name}: it is ok, and has no time")


def _has(found, fields, name):
    missing = sorted(set(fields) - set(found))
    if missing:
        raise ValueError(f"{name} has no {', '.join(missing)}")


def _is(value, kind, name):
    if not isinstance(value, kind):
        words = {dict: "an object", list: "a list", str: "a text", int: "an integer"}[kind]
        raise ValueError(f"{name} has to be {words}, got {_short(value)}")


def _positive(value, name):
    if value is not None and not (_finite(value) and value > 0):
        raise ValueError(f"{name} has to be a number above zero, got {_short(value)}")


def _finite(value):
    return type(value) in (int, float) and math.isfinite(value)


def _listed(value, count):
    return isinstance(value, list) and len(value) == count


def _short(value):
    text = repr(value)
    return text if len(text) <= 40 else f"{text[:40]}..."
