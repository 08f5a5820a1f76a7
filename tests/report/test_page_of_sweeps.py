"""The page of sweeps: their curves, their tables, and Amdahl's law."""

import copy

import pytest
from cases import says
from mended import without_time
from pages import Reader, load

from ladder.bench.result import Sweep, Yardstick
from ladder.report import results, sweeps
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
def test_amdahls_law_is_fitted_estimated_or_refused(committed, counts):
    text = page.page([sweep_over_threads(committed, counts)])
    words = Reader(text).text
    assert ("it needs at least two counts" in words) == (len(counts) == 1)
    assert ("an estimate, not a fit" in words) == (len(counts) == 2)
    assert ('id="s0-scaling-wide-law-' in text) == (len(counts) > 2)
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
    assert "an estimate, not a fit" in text  # from the two remaining counts


def test_a_term_held_at_zero_has_no_share_nor_interval(committed):
    sweep = sweep_over_threads(committed, (1, 2))
    slower = sweep.result.results[1].rows[0]
    slower.samples_s = [4 * sample for sample in slower.samples_s]
    slower.median_s *= 4
    laws, (remark,), _ = sweeps.laws(sweep.result)
    (law,) = laws.rows
    assert "set to zero" in remark
    cells = dict(zip(sweeps.LAWS, law, strict=True))
    assert {cells[name] for name in ("serial share", "95 %", "at most × one thread")} == {""}
    text = Reader(page.page([sweep])).text
    assert "100.0 %" not in text
    assert remark in text


def test_a_sweep_of_many_values_is_a_table_of_many_rows(committed):
    few = sweeps.medians(sweep_over_threads(committed, range(1, 5)).result)
    assert few.headings == ("threads", "1", "2", "3", "4")
    assert [row[0] for row in few.rows] == ["openmp.prange", "memset"]
    many = sweeps.medians(sweep_over_threads(committed, range(1, 65)).result)
    assert many.headings == ("threads", "openmp.prange", "memset")
    assert [row[0] for row in many.rows] == [str(n) for n in range(1, 65)]
    assert many.rows[2][1] == few.rows[0][3]
