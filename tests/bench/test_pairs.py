"""Estimates from pairs of processes: coverage of the intervals, and verdicts."""

import itertools

import numpy as np
import pytest

pytest.importorskip("scipy")
from benchmarks.against import pairs


@pytest.mark.parametrize(("rows", "fewest"), [(1, 8), (2, 9), (10, 11)])
def test_with_the_fewest_pairs_the_interval_is_their_range(rows, fewest):
    assert 2 / 2**fewest <= 0.01 / rows < 2 / 2 ** (fewest - 1)
    ratios = np.linspace(1.1, 1.2, fewest)
    estimate = pairs.estimate(ratios, rows)
    assert (estimate.low, estimate.high) == pytest.approx((1.1, 1.2))
    assert pairs.estimate(ratios[1:], rows) is None
    assert pairs.estimate([], rows) is None


@pytest.mark.parametrize("rows", [1, 10])
@pytest.mark.parametrize("disturbed", [50.0, 1 / 50])
def test_with_enough_pairs_a_disturbed_one_does_not_move_the_interval(rows, disturbed):
    steady = list(np.linspace(1.09, 1.11, pairs.enough_pairs(rows) - 1))
    estimate = pairs.estimate([*steady, disturbed], rows)
    assert 1.09 <= estimate.low < estimate.ratio < estimate.high <= 1.11
    estimate = pairs.estimate([*steady[1:], disturbed], rows)  # one pair less
    assert not 1.09 <= estimate.low < estimate.high <= 1.11


def test_the_interval_misses_the_truth_as_rarely_as_it_says():
    """Exact: of all possible signs of eight numbers, one in a hundred is missed."""
    sizes = np.random.default_rng(1).exponential(size=8)
    missed = 0
    for signs in itertools.product((-1, 1), repeat=8):
        estimate = pairs.estimate(np.exp(sizes * signs), 1)
        missed += not estimate.low <= 1 <= estimate.high
    assert 0.005 < missed / 2**8 <= 0.01


@pytest.mark.parametrize(
    ("low", "high", "verdict", "unseen"),
    [
        (1.021, 1.2, pairs.SLOWER, 0.2),
        (1 / 1.2, 1 / 1.021, pairs.FASTER, 0.2),
        (0.99, 1.04, pairs.SAME, 0.04),
        (0.8, 1.01, pairs.SAME, 0.25),
    ],
)
def test_a_verdict_needs_the_whole_interval(low, high, verdict, unseen):
    estimate = pairs.Estimate(1.0, low, high)
    assert estimate.verdict == verdict
    assert estimate.unseen == pytest.approx(unseen)
