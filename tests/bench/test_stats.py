"""Medians, intervals and ratios."""

import numpy as np
import pytest

from ladder.common import confidence


def test_interval_ignores_one_disturbed_sample():
    assert confidence.bootstrap_ci95([1.0] * 8 + [50.0]) == (1.0, 1.0)


def test_interval_holds_the_median_and_widens_with_noise():
    rng = np.random.default_rng(1)
    calm = confidence.bootstrap_ci95(1 + 0.01 * rng.standard_normal(50))
    wild = confidence.bootstrap_ci95(1 + 0.3 * rng.standard_normal(50))
    assert calm[0] < 1 < calm[1]
    assert wild[1] - wild[0] > 5 * (calm[1] - calm[0])


def test_interval_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(2)
    hits = 0
    for _ in range(200):
        low, high = confidence.bootstrap_ci95(rng.standard_normal(25))
        hits += low <= 0 <= high
    assert 0.88 < hits / 200 <= 1.0


def test_no_interval_from_fewer_than_five_samples():
    assert confidence.bootstrap_ci95([1.0, 2.0, 3.0, 4.0]) is None
    assert confidence.bootstrap_ci95([1.0, 2.0, 3.0, 4.0, 5.0]) is not None


def test_ratio_is_the_median_of_all_ratios():
    median, interval = confidence.ratio([2.0, 4.0, 6.0], [1.0, 2.0])
    assert median == np.median([2, 4, 6, 1, 2, 3])
    assert interval is None


def test_ratio_has_an_interval_from_five_samples_on_both_sides():
    assert confidence.ratio([3.0] * 9, [1.0] * 4) == (3.0, None)
    assert confidence.ratio([3.0] * 4, [1.0] * 9) == (3.0, None)
    assert confidence.ratio([3.0] * 5, [1.0] * 5) == (3.0, (3.0, 3.0))


def test_interval_of_a_ratio_is_of_medians_between_two_middle_ones():
    assert confidence.ratio([1, 2, 3, 9, 10, 11], [1] * 6) == (6.0, (2.0, 10.5))


@pytest.mark.slow
def test_interval_of_a_ratio_covers_the_truth_about_as_often_as_it_says():
    rng = np.random.default_rng(5)
    hits = 0
    for _ in range(200):
        tops, bottoms = 3 + 0.1 * rng.standard_normal(25), 1 + 0.1 * rng.standard_normal(7)
        low, high = confidence.ratio(tops, bottoms)[1]
        hits += low <= 3 <= high
    assert 0.88 < hits / 200 <= 1.0


def test_same_samples_same_interval():
    samples = np.random.default_rng(3).random(20)
    assert confidence.ratio(samples, samples[:7]) == confidence.ratio(samples, samples[:7])
    assert confidence.bootstrap_ci95(samples) == confidence.bootstrap_ci95(samples)
