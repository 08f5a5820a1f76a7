"""Results for tests: made up, or changed as another run would have left them."""

from dataclasses import fields

import numpy as np

from polymask.bench import machine
from polymask.bench.result import Result, Row, Workload, Yardstick

KEPT = ("key", "kind", "title", "package", "included", "changes", "other_algorithm", "before")
KEPT += ("course_s", "threads", "options", "mask")


def change(record, **values):
    """Give fields of a record other values; return the record."""
    for name, value in values.items():
        setattr(record, name, value)  # a name that is no field raises
    return record


def without_time(row, status, reason):
    """Let a row have been skipped, or be wrong: it keeps nothing that was measured."""
    for field in fields(row):
        if field.name not in KEPT:
            empty = field.default_factory() if callable(field.default_factory) else field.default
            setattr(row, field.name, empty)
    return change(row, status=status, reason=reason)


def made_row(key, seconds=None, kind="rung", **others):
    """A row that took so long, always; without seconds, one that was skipped."""
    if seconds is None:
        return Row(key=key, kind=kind, title=key, status="skipped", reason="left out", **others)
    times = {"median_s": seconds, "min_s": seconds, "samples_s": [seconds]} | others
    return Row(key=key, kind=kind, title=key, status="ok", **times)


def made_result(rows, vertices=((0, 0), (8, 0), (0, 6)), shape=(6, 8), **yardstick):
    """A result of this machine with these rows."""
    return Result(
        machine=machine.record(),
        workload=Workload.of(np.asarray(vertices, float), tuple(shape)),
        yardstick=Yardstick(**{"memset_warm_s": None, "memset_fresh_s": None} | yardstick),
        rows=list(rows),
    )
