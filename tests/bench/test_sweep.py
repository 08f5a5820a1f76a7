"""Sweeps: curves over sizes, vertices and threads, and the fit of the cost model."""

import copy
import math
from pathlib import Path

import pytest
from checkouts import ROOT
from mended import change, made_result, made_row

from ladder.bench import sweep
from ladder.bench.plan import Plan
from ladder.common import confidence
from ladder.cost import counts, fit
from ladder.cost.scaling import speedups
from ladder.registry import workload
from ladder.report import results, sweeps
from polymask import cli
from polymask.common import figures

RESULTS = ROOT / "results"


def run(over, keys, values):
    plan = Plan(keys, workload.polygon(8, (24, 32), 1), (24, 32), seed=1, seconds=0)
    return sweep.sweep(over, plan, chosen=values)


@pytest.mark.parametrize(
    ("over", "values", "expected"),
    [
        ("size", (8, 16), [((8, 8), 8, {}), ((16, 16), 8, {})]),
        ("vertices", (3, 12), [((24, 32), 3, {}), ((24, 32), 12, {})]),
        (
            "threads",
            (1, 2),
            [((24, 32), 8, {"openmp.prange": {"threads": threads}}) for threads in (1, 2)],
        ),
    ],
)
def test_a_sweep_varies_one_thing(monkeypatch, over, values, expected):
    plans = []

    def measure(plan, **_):
        plans.append(plan)
        rows = [made_row(key, 1e-6) for key in plan.keys]
        return made_result(rows, plan.vertices, plan.shape)

    monkeypatch.setattr(sweep.driver, "measure", measure)
    result = run(over, ["cclass.polygon", "openmp.prange"], values)
    assert result.values == list(values)
    assert [(plan.shape, len(plan.vertices), plan.options) for plan in plans] == expected
    keys = ["cclass.polygon", "openmp.prange"]
    assert all(plan.keys == (keys[1:] if over == "threads" else keys) for plan in plans)


def test_a_curve_ends_where_the_next_call_would_last_too_long(monkeypatch):
    def measure(plan, **_):
        pixels = {"python.tuples": 1e-3, "cclass.polygon": 1e-6}  # seconds each
        rows = [made_row(key, math.prod(plan.shape) * pixels[key]) for key in plan.keys]
        return made_result(rows, plan.vertices, plan.shape)

    monkeypatch.setattr(sweep.driver, "measure", measure)
    result = run("size", ["python.tuples", "cclass.polygon"], (8, 16, 32, 64))
    points = {key: [size for size, _ in curve] for key, curve in sweeps.series(result).items()}
    # 16 x 16 pixels take 0.256 s, so four times as many pixels would take over a second
    assert points == {"python.tuples": [8, 16], "cclass.polygon": [8, 16, 32, 64], "memset": []}


def fake(seconds_of, shapes, numbers):
    """Results whose engine takes exactly the time of a cost model."""
    fakes = []
    for shape, n in zip(shapes, numbers, strict=True):
        vertices = workload.polygon(n, shape, 3)
        seconds = seconds_of(shape[0] * shape[1], counts.of(vertices, shape)["crossings"])
        fakes.append(made_result([made_row("scanline.engine", seconds)], vertices, shape))
    return fakes


def engine_fit(fakes):
    (engine,) = fit.of_sweep(fakes).values()
    assert engine.samples == len(fakes)
    return engine.seconds


def test_fit_finds_the_terms_of_the_cost_model():
    shapes = [(s, s) for s in (64, 128, 512, 1024, 2048, 1024, 1024)]
    numbers = (24, 24, 24, 24, 24, 300, 5000)
    seconds = engine_fit(fake(lambda p, c: 4e-6 + 2e-11 * p + 9e-10 * c, shapes, numbers))
    assert seconds["once"] == pytest.approx(4e-6, rel=1e-6)
    assert seconds["pixels"] == pytest.approx(2e-11, rel=1e-6)
    assert seconds["crossings"] == pytest.approx(9e-10, rel=1e-6)


def test_fit_leaves_out_constant_terms_and_is_never_below_zero():
    shapes = [(256, 256)] * 5
    seconds = engine_fit(fake(lambda p, c: 1e-6 + 1e-9 * c, shapes, (3, 30, 100, 500, 2000)))
    assert set(seconds) == {"once", "crossings"}
    falling = engine_fit(fake(lambda p, c: 1e-3 / (1 + c), shapes, (3, 30, 100, 500, 2000)))
    assert min(falling.values()) >= 0


@pytest.mark.slow
def test_report_reproduces_the_files_of_a_sweep(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sweep, "SIZES", (8, 12, 16, 24))
    command = ["bench", "sweep", "size", "--rungs", "cclass.polygon,scanline.engine"]
    assert cli.main([*command, "--seconds", "0", "--out", "made"]) == 0
    out = capsys.readouterr().out
    assert "fitted to 4 values" in out  # the terms depend on the times
    assert cli.main(["report", "made/bench.json", "--out", "again"]) == 0
    for name in ("bench.md", "bench.png", "bench.svg"):
        assert Path("made", name).read_bytes() == Path("again", name).read_bytes()
    result = results.load("made/bench.json")[0]
    assert result.values == [8, 12, 16, 24]
    text = sweeps.markdown(result)
    assert "| size | 8 | 12 | 16 | 24 |" in text
    assert "| memset |" in text


@pytest.fixture
def over_threads():
    """The committed sweep over threads, with the second number's times repeated for a third."""
    result = results.load(next(RESULTS.glob("*-sweep-threads.json")))[0]
    result.values = [1, 2, 3]
    result.results.append(copy.deepcopy(result.results[1]))
    return result


def test_sweep_over_threads_names_its_size_and_its_gain(over_threads):
    text = sweeps.markdown(over_threads)
    assert "**2048 x 2048 pixels, 24 vertices, 1 to 3 threads, " in text
    assert "reference.numba" not in text  # it has one thread
    points = speedups(over_threads)["openmp.prange"]
    one_s, two_s = (confidence.median(row_of(n, over_threads).samples_s) for n in (0, 1))
    assert [point.threads for point in points] == [1, 2, 3]
    assert points[0].speedup == 1
    assert points[0].ci95 is None
    assert points[1].speedup == points[2].speedup == one_s / two_s
    low, high = points[1].ci95
    assert low <= points[1].speedup <= high
    assert f"({figures.digits(one_s / two_s)})" in text  # the ratio of the adjacent times


def row_of(number, result, key="openmp.prange"):
    return result.results[number].row(key)


@pytest.mark.slow
def test_ctrl_c_keeps_the_values_that_were_measured(monkeypatch, tmp_path):
    real, calls = sweep.driver.measure, []

    def interrupt(*arguments, **keywords):
        calls.append(1)
        return change(real(*arguments, **keywords), interrupted=len(calls) == 2)

    monkeypatch.setattr(sweep.driver, "measure", interrupt)
    result = run("size", ["cclass.polygon"], (8, 12, 16))
    assert result.values == [8, 12]
    assert result.interrupted
