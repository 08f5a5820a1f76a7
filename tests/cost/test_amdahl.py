"""The fit of Amdahl's law to sweeps over threads, and whether it is only an estimate."""

import numpy as np
import pytest
from mended import made_result, made_row

from ladder.bench.result import Sweep
from ladder.cost import amdahl


def samples(seconds_of, counts, noise=0.0, number=30, seed=5):
    """Return samples of a rung whose medians are `seconds_of(threads)`."""
    rng = np.random.default_rng(seed)
    return {p: (seconds_of(p) * (1 + noise * rng.standard_normal(number))).tolist() for p in counts}


def test_the_terms_of_the_law():
    fit = amdahl.fit(samples(lambda p: 0.002 + 0.018 / p, (1, 2, 4, 8)))
    assert fit.serial_s == pytest.approx(0.002, rel=1e-9)
    assert fit.parallel_s == pytest.approx(0.018, rel=1e-9)
    assert fit.share == pytest.approx(0.1)
    assert fit.deviation < 1e-9
    assert fit.at(3) == pytest.approx(0.008)
    assert not fit.exact
    assert not fit.superlinear


def test_noise_gives_an_interval_around_the_truth():
    hits = 0
    for seed in range(20):
        durations = samples(lambda p: 0.1 + 0.9 / p, (1, 2, 3, 4, 8), noise=0.02, seed=seed)
        low, high = amdahl.fit(durations).share_ci95
        assert 0 < high - low < 0.05
        hits += low < 0.1 < high
    assert hits >= 16  # 19 are expected on average


def test_two_counts_are_an_estimate_and_cannot_contradict_the_law():
    fit = amdahl.fit(samples(lambda p: {1: 1.0, 2: 0.7}[p], (1, 2)))
    assert fit.exact
    assert fit.share == pytest.approx(0.4)  # 2 x 0.7 - 1
    assert fit.deviation < 1e-9


def test_superlinear_speedup_is_flagged_and_no_term_is_negative():
    fit = amdahl.fit(samples(lambda p: 1 / p**1.5, (1, 2, 4)))
    assert fit.superlinear
    assert fit.serial_s == 0
    assert fit.share == 0


def test_a_slowdown_with_threads_is_all_serial():
    fit = amdahl.fit(samples(lambda p: 1 + 0.2 * p, (1, 2, 4)))
    assert fit.parallel_s == 0
    assert fit.share == 1
    assert not fit.superlinear


def test_one_count_is_not_enough():
    assert amdahl.fit({1: [1.0, 1.0]}) is None
    assert amdahl.fit({}) is None


def test_a_sweep_gives_a_fit_for_each_rung_that_ran():
    durations = samples(lambda p: 0.5 + 0.5 / p, (1, 2, 4))
    results = [
        made_result(
            [
                made_row("good", 1.0, samples_s=durations[p]),
                made_row("bad"),
                made_row("numba", 1.0, "reference", samples_s=durations[p]),
            ]
        )
        for p in (1, 2, 4)
    ]
    fits = amdahl.of_sweep(Sweep(over="threads", values=[1, 2, 4], results=results))
    assert list(fits) == ["good"]
    assert fits["good"].share == pytest.approx(0.5)
