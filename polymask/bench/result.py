"""What a run leaves: plain values, ready for JSON. Tables, plots and pages are made from it."""

import json
import re

import numpy as np

from polymask import rungs, saving
from polymask.bench import references, stats

SCHEMA = 1
NOISY = 1.2  # median so far above the minimum: something disturbed the row
SLOWED = 1.3  # a probe so far above the run's median probe: something held the core
OFTEN = 0.25  # so large a part of a row's samples with a slowed probe flags the row
DISTURBED = {"noisy", "slowed probe"}  # the flags for a machine that was not quiet
MEMSET = {"fresh": "memset_fresh", "out": "memset_warm"}  # what a row is held against


def yardstick_record(yardsticks, probes, prices=None):
    """Record memset of the mask, warm and fresh, the probe that watched the machine, and prices.

    Rows are held against memset's median. Its least is a price as the others are: at best.
    """
    record = {f"{row.key}_s": _median(row.samples) for row in yardsticks}
    record |= {f"{row.key}_min_s": min(row.samples, default=None) for row in yardsticks}
    slowed = np.asarray(probes) > SLOWED * np.median(probes) if probes else []
    return record | {
        "probe_s": _median(probes),
        "probes": len(probes),
        "probes_slowed": int(np.count_nonzero(slowed)),
        "prices": prices or {},
    }


def row_records(rows, yardsticks, probes, interrupted=False):
    """Record each row, with its ratios to the base, its `before`, the yardstick and api.fresh."""
    for row in rows:
        if interrupted and row.status == "ok" and not row.samples:
            row.skip("interrupted before it was measured")
    samples = {row.key: row.samples for row in [*rows, *yardsticks] if row.status == "ok"}
    return [_row_record(row, samples, probes) for row in rows]


def _row_record(row, samples, probes):
    ok = row.status == "ok"
    before = row.rung.before if row.rung else None
    speedup, speedup_ci95 = _ratio(samples, rungs.BASE, row.key, stats.ratio) or (None, None)
    if row.key == rungs.BASE and ok:
        speedup, speedup_ci95 = 1.0, None  # against itself, and not a matter of chance
    course_s = row.rung.course_seconds if row.rung else None
    return {
        "key": row.key,
        "kind": row.kind,
        "title": row.title,
        "package": row.peer.package if row.peer else None,
        "included": row.peer.included if row.peer else None,
        "changes": row.rung.changes if row.rung else None,
        "other_algorithm": row.rung.other_algorithm if row.rung else False,
        "before": before,
        "status": row.status,
        "reason": row.reason or None,
        "median_s": _median(row.samples) if ok else None,
        "min_s": min(row.samples) if ok else None,
        "ci95_s": stats.bootstrap_ci95(row.samples) if ok else None,
        "samples": len(row.samples) if ok else 0,
        "samples_s": list(row.samples) if ok else [],
        "first_call_s": row.first_call_s,
        "kernel_s": _median(row.kernel_samples) if ok else None,
        "speedup": speedup,
        "speedup_ci95": speedup_ci95,
        "speedup_before": _ratio(samples, before, row.key),
        "times_yardstick": _ratio(samples, row.key, MEMSET[row.mask]),
        "times_api": _ratio(samples, row.key, references.API_FRESH),
        "course_s": course_s,
        "course_speedup": rungs.get(rungs.BASE).course_seconds / course_s if course_s else None,
        "wrong_pixels": row.wrong_pixels,
        "differ_on_edges": row.differ_on_edges,
        "differ_off_edges": row.differ_off_edges,
        "differ_far": row.differ_far,
        "threads": row.threads,
        "cores_used": row.cpu_s / row.wall_s if ok and row.wall_s else None,
        "mask": row.mask,
        "options": {name: _plain(value) for name, value in row.options.items()},
        "flags": _flags(row, probes) if ok else [],
    }


def _ratio(samples, numerator, denominator, of=stats.median_ratio):
    """Ratio of two rows' samples, None where one side was not measured."""
    if not (samples.get(numerator) and samples.get(denominator)):
        return None
    return of(samples[numerator], samples[denominator])


def _flags(row, probes):
    found = []
    if len(row.samples) < stats.ENOUGH:
        found.append("few samples")
    if _median(row.samples) > NOISY * min(row.samples):
        found.append("noisy")
    if row.probes:
        slowed = np.asarray(row.probes) > SLOWED * np.median(probes)
        if slowed.mean() > OFTEN:
            found.append("slowed probe")
    if row.differ_off_edges:
        far = f" (with no edge within a pixel: {row.differ_far})" if row.differ_far else ""
        found.append(f"differs off the edges{far}")
    return found


def _median(samples):
    return stats.median(samples) if len(samples) else None


def _plain(value):
    return list(value) if isinstance(value, tuple) else value


def save(result, file):
    """Write a result as JSON."""
    text = json.dumps(result, indent=1, allow_nan=False)
    # lists of numbers on one line: a polygon's vertex, a row's samples
    text = re.sub(r"\[[-+.\de,\s]+\]", lambda found: " ".join(found[0].split()), text)
    saving.write(file, text + "\n")
