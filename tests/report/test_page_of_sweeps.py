"""The page of sweeps: their curves, and Amdahl's law."""

import copy

import pytest
from cases import says
from mended import without_time
from pages import Reader, load

from ladder.bench.result import Sweep, Yardstick
from ladder.report import results
from ladder.report.page import page

NOTHING = Yardstick(memset_warm_s=None, memset_fresh_s=None)


@pytest.fixture(scope="module")
def committed():
    return load()


def sweep_over_threads(committed, counts):
    """A sweep whose rung follows Amdahl's law with a serial share of a fifth."""
    runs = []
    for count in counts:
        run = copy.deepcopy(committed.result)
        row = run.row("openmp.prange")
        row.samples_s = [s * (0.2 + 0.8 / count) for s in row.samples_s]
        row.median_s *= 0.2 + 0.8 / count
        run.rows = [row]
        runs.append(run)
    return results.Named("t.json", Sweep(over="threads", values=list(counts), results=runs))


@pytest.mark.parametrize("counts", [(1,), (1, 2), (1, 2, 4, 8)])
def test_amdahls_law_is_fitted_estimated_or_omitted(committed, counts):
    text = page.page([sweep_over_threads(committed, counts)])
    words = Reader(text).text
    assert ("estimated from two counts" in words) == (len(counts) == 2)
    assert ('id="s0-scaling-law-' in text) == (len(counts) > 2)
    assert ("20.0 %" in words) == (len(counts) > 1)


def test_interrupted_sweep_shows_its_measurements(committed):
    sweep = sweep_over_threads(committed, (1, 2, 4))
    last = sweep.result.results[-1]
    last.interrupted = True
    without_time(last.rows[0], "skipped", "interrupted before it was measured")
    last.yardstick = NOTHING
    text = Reader(page.page([sweep])).text
    assert says(text, "sweep", "value")
    assert "4: openmp.prange skipped: interrupted before it was measured" in text
    assert "estimated from two counts" in text  # from the two remaining counts


def test_a_term_held_at_zero_has_no_share(committed):
    sweep = sweep_over_threads(committed, (1, 2))
    slower = sweep.result.results[1].rows[0]
    slower.samples_s = [4 * sample for sample in slower.samples_s]
    slower.median_s *= 4
    text = Reader(page.page([sweep])).text
    assert "its parallel part is set to zero" in text
    assert "100.0 %" not in text
