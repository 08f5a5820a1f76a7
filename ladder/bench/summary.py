"""Summaries of samples: rows and yardstick of a result, with medians, ratios and flags."""

import dataclasses

import numpy as np

from ladder import registry
from ladder.bench.batch import POLYGONS
from ladder.bench.result import API_FRESH, Batch, Contender, Row, Yardstick
from ladder.common import confidence
from ladder.cost.memset import YARDSTICK

NOISY = 1.2  # median / minimum: above it, the row was disturbed
SLOWED = 1.3  # probe / median probe: above it, another program used the core
DIFFERS = "differs off the edges"  # the flag of a library, followed by details
OFTEN = 0.25  # a row with a larger part of slowed probes is flagged


def yardstick(fills, probes, prices=None):
    """Return the `Yardstick` for measurements of memset, all probes, and the prices."""
    samples = {fill.key: fill.samples for fill in fills}
    warm, fresh = (samples.get(YARDSTICK[mask], []) for mask in ("out", "fresh"))
    slowed = np.asarray(probes) > SLOWED * np.median(probes) if probes else []
    return Yardstick(
        memset_warm_s=_median(warm),
        memset_fresh_s=_median(fresh),
        memset_warm_min_s=min(warm, default=None),
        memset_fresh_min_s=min(fresh, default=None),
        probe_s=_median(probes),
        probes=len(probes),
        probes_slowed=int(np.count_nonzero(slowed)),
        prices=prices or {},
    )


def rows(measured, fills, probes, interrupted=False):
    """Return the `Row` of each `Measurement`, with its ratios to other rows and to memset."""
    for row in measured:
        if interrupted and row.status == "ok" and not row.samples:
            row.skip("interrupted before it was measured")
    samples = {row.key: row.samples for row in [*measured, *fills] if row.status == "ok"}
    result_rows = []
    for row in measured:
        fields = {field.name: getattr(row, field.name) for field in dataclasses.fields(Contender)}
        times = _times(row, samples, probes) if row.status == "ok" else {}
        result_rows.append(Row(**fields, **times))
    return result_rows


def _times(row, samples, probes):
    """Return the fields that follow from a row's samples."""
    speedup, interval = _ratio(samples, registry.BASE, row.key, confidence.ratio) or (None, None)
    if row.key == registry.BASE:
        speedup, interval = 1.0, None  # over itself, without noise
    return {
        "samples_s": list(row.samples),
        "median_s": _median(row.samples),
        "min_s": min(row.samples),
        "ci95_s": confidence.bootstrap_ci95(row.samples),
        "kernel_s": _median(row.kernel_samples),
        "left_samples_s": list(row.left_samples),
        "speedup": speedup,
        "speedup_ci95": interval,
        "speedup_before": _ratio(samples, row.before, row.key),
        "times_yardstick": _ratio(samples, row.key, YARDSTICK[row.mask]),
        "times_api": _ratio(samples, row.key, API_FRESH),
        "cores_used": row.cpu_s / row.wall_s if row.wall_s else None,
        "batch": _batch(row.batch_samples),
        "flags": _flags(row, probes),
    }


def _batch(samples):
    if not samples:
        return None
    return Batch(
        polygons=POLYGONS,
        samples_s=list(samples),
        mask_s=_median(samples),
        ci95_s=confidence.bootstrap_ci95(samples),
    )


def _ratio(samples, numerator, denominator, divide=confidence.median_ratio):
    """Return the ratio of two rows' samples, or None if a row was not measured."""
    if not (samples.get(numerator) and samples.get(denominator)):
        return None
    return divide(samples[numerator], samples[denominator])


def _flags(row, probes):
    flags = []
    if len(row.samples) < confidence.ENOUGH:
        flags.append("few samples")
    if _median(row.samples) > NOISY * min(row.samples):
        flags.append("noisy")
    if row.probes:
        slowed = np.asarray(row.probes) > SLOWED * np.median(probes)
        if slowed.mean() > OFTEN:
            flags.append("slowed probe")
    if row.differ_off_edges:
        far = f" (with no edge within a pixel: {row.differ_far})" if row.differ_far else ""
        flags.append(DIFFERS + far)
    return flags


def _median(samples):
    return confidence.median(samples) if len(samples) else None
