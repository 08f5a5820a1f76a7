"""Results for tests: invented, or changed to look like those of another run."""

from dataclasses import fields

import numpy as np

from ladder.bench import machine
from ladder.bench.result import Result, Row, Workload, Yardstick

KEPT = ("key", "kind", "title", "package", "included", "changes", "other_algorithm", "before")
KEPT += ("course_s", "threads", "options", "mask")


def change(record, **values):
    """Set fields of a record; return the record."""
    for name, value in values.items():
        setattr(record, name, value)  # an unknown name raises
    return record


def without_time(row, status, reason):
    """Make a row a skipped or a wrong one, without its measurements; return it."""
    for field in fields(row):
        if field.name not in KEPT:
            empty = field.default_factory() if callable(field.default_factory) else field.default
            setattr(row, field.name, empty)
    return change(row, status=status, reason=reason)


def made_row(key, seconds=None, kind="rung", **others):
    """Return a row whose samples all have this time, or a skipped row without seconds."""
    if seconds is None:
        return Row(key=key, kind=kind, title=key, status="skipped", reason="left out", **others)
    times = {"median_s": seconds, "min_s": seconds, "samples_s": [seconds]} | others
    return Row(key=key, kind=kind, title=key, status="ok", **times)


def made_result(rows, vertices=((0, 0), (8, 0), (0, 6)), shape=(6, 8), **yardstick):
    """Return a result from this machine with these rows."""
    return Result(
        machine=machine.record(),
        workload=Workload.of(np.asarray(vertices, float), tuple(shape)),
        yardstick=Yardstick(**{"memset_warm_s": None, "memset_fresh_s": None} | yardstick),
        rows=list(rows),
    )
