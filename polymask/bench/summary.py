"""What samples come to: the rows and the yardstick of a result, with medians, ratios and flags."""

import dataclasses

import numpy as np

from polymask.bench.batch import POLYGONS
from polymask.bench.result import API_FRESH, Batch, Contender, Row, Yardstick
from polymask.common import confidence
from polymask.cost.memset import YARDSTICK
from polymask.ladder import registry

NOISY = 1.2  # median so far above the minimum: something disturbed the row
SLOWED = 1.3  # a probe so far above the run's median probe: something held the core
DIFFERS = "differs off the edges"  # the flag of a library, and where its pixels are
OFTEN = 0.25  # so large a part of a row's samples with a slowed probe flags the row


def yardstick(fills, probes, prices=None):
    """Return the `Yardstick` that measurements of memset, all probes and the prices make."""
    samples = {one.key: one.samples for one in fills}
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
    for one in measured:
        if interrupted and one.status == "ok" and not one.samples:
            one.skip("interrupted before it was measured")
    samples = {one.key: one.samples for one in [*measured, *fills] if one.status == "ok"}
    found = []
    for one in measured:
        known = {field.name: getattr(one, field.name) for field in dataclasses.fields(Contender)}
        times = _times(one, samples, probes) if one.status == "ok" else {}
        found.append(Row(**known, **times))
    return found


def _times(one, samples, probes):
    """Return what follows from the samples of a row that has some."""
    speedup, speedup_ci95 = _ratio(samples, registry.BASE, one.key, confidence.ratio) or (
        None,
        None,
    )
    if one.key == registry.BASE:
        speedup, speedup_ci95 = 1.0, None  # against itself, and not a matter of chance
    return {
        "samples_s": list(one.samples),
        "median_s": _median(one.samples),
        "min_s": min(one.samples),
        "ci95_s": confidence.bootstrap_ci95(one.samples),
        "kernel_s": _median(one.kernel_samples),
        "speedup": speedup,
        "speedup_ci95": speedup_ci95,
        "speedup_before": _ratio(samples, one.before, one.key),
        "times_yardstick": _ratio(samples, one.key, YARDSTICK[one.mask]),
        "times_api": _ratio(samples, one.key, API_FRESH),
        "cores_used": one.cpu_s / one.wall_s if one.wall_s else None,
        "batch": _batch(one.batch_samples),
        "flags": _flags(one, probes),
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


def _ratio(samples, numerator, denominator, of=confidence.median_ratio):
    """Ratio of two sets of samples, None where one side was not measured."""
    if not (samples.get(numerator) and samples.get(denominator)):
        return None
    return of(samples[numerator], samples[denominator])


def _flags(one, probes):
    found = []
    if len(one.samples) < confidence.ENOUGH:
        found.append("few samples")
    if _median(one.samples) > NOISY * min(one.samples):
        found.append("noisy")
    if one.probes:
        slowed = np.asarray(one.probes) > SLOWED * np.median(probes)
        if slowed.mean() > OFTEN:
            found.append("slowed probe")
    if one.differ_off_edges:
        far = f" (with no edge within a pixel: {one.differ_far})" if one.differ_far else ""
        found.append(DIFFERS + far)
    return found


def _median(samples):
    return confidence.median(samples) if len(samples) else None
