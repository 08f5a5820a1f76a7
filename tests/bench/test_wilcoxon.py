"""Estimates from pairs of processes: coverage of the intervals, and verdicts."""

import itertools

import numpy as np
import pytest
from cases import folded

from ladder.bench import wilcoxon

ROWS = 10
PAIRS = wilcoxon.enough_pairs(ROWS)


def noise(rng, spread=0.03, pairs=PAIRS):
    """Ratios of a build to itself, with noise per process and outliers in some pairs."""
    luck = rng.normal(0, spread, (2, pairs))
    disturbed = rng.standard_t(1.5, (2, pairs)) * spread / 2
    times = np.exp(luck + np.abs(disturbed))
    return times[0] / times[1]


def verdicts(rng, ratio=1.0, rows=ROWS, **options):
    estimates = (wilcoxon.estimate(ratio * noise(rng, **options), rows) for _ in range(rows))
    return [estimate.verdict for estimate in estimates]


@pytest.mark.parametrize(("rows", "pairs"), [(1, 8), (2, 9), (10, 11)])
def test_with_the_fewest_pairs_the_interval_is_their_range(rows, pairs):
    assert 2 / 2**pairs <= 0.01 / rows < 2 / 2 ** (pairs - 1)
    ratios = np.linspace(1.1, 1.2, pairs)
    estimate = wilcoxon.estimate(ratios, rows)
    assert (estimate.low, estimate.high) == pytest.approx((1.1, 1.2))
    assert wilcoxon.estimate(ratios[1:], rows) is None


@folded("rows", [1, 4, ROWS])
@folded("disturbed", [50.0, 1 / 50])
def test_with_enough_pairs_a_disturbed_one_does_not_move_the_interval(rows, disturbed):
    steady = list(np.linspace(1.09, 1.11, wilcoxon.enough_pairs(rows) - 1))
    estimate = wilcoxon.estimate([*steady, disturbed], rows)
    assert 1.09 <= estimate.low < estimate.ratio < estimate.high <= 1.11
    estimate = wilcoxon.estimate([*steady[1:], disturbed], rows)  # one pair less
    assert not 1.09 <= estimate.low < estimate.high <= 1.11


def test_the_interval_misses_the_truth_as_rarely_as_it_says():
    """Exact: of all possible signs of ten numbers, one in a hundred is missed."""
    sizes = np.random.default_rng(1).exponential(size=10)
    missed = 0
    for signs in itertools.product((-1, 1), repeat=10):
        estimate = wilcoxon.estimate(np.exp(sizes * signs), 1)
        missed += not estimate.low <= 1 <= estimate.high
    assert 0.005 < missed / 2**10 <= 0.01


@pytest.mark.parametrize("spread", [0.003, 0.03, 0.3])
def test_a_build_against_itself_has_no_verdict(spread):
    rng = np.random.default_rng(2)
    wrong = sum(set(verdicts(rng, spread=spread)) != {wilcoxon.SAME} for _ in range(400))
    assert wrong <= 400 * 0.02


@pytest.mark.parametrize(
    ("ratio", "verdict"),
    [(1.1, wilcoxon.SLOWER), (1 / 1.1, wilcoxon.FASTER), (1.01, wilcoxon.SAME)],
)
def test_a_difference_of_a_tenth_is_found_and_a_hundredth_is_none(ratio, verdict):
    rng = np.random.default_rng(3)
    results = [result for _ in range(60) for result in verdicts(rng, ratio, spread=0.01)]
    assert results.count(verdict) >= 0.98 * len(results)
    assert set(results) <= {verdict, wilcoxon.SAME}


@pytest.mark.parametrize(("low", "high", "unseen"), [(0.99, 1.04, 0.04), (0.8, 1.01, 0.25)])
def test_the_unseen_difference_is_the_far_end_of_the_interval(low, high, unseen):
    estimate = wilcoxon.Estimate(1.0, low, high)
    assert estimate.verdict == wilcoxon.SAME
    assert estimate.unseen == pytest.approx(unseen)


def test_both_directions_are_judged_alike():
    slower = wilcoxon.Estimate(1.1, 1.021, 1.2)
    faster = wilcoxon.Estimate(1 / 1.1, 1 / 1.2, 1 / 1.021)
    assert (slower.verdict, faster.verdict) == (wilcoxon.SLOWER, wilcoxon.FASTER)
    assert slower.unseen == pytest.approx(faster.unseen)
