"""The program that measures the runtime: it runs, writes its record, and judges by its bars."""

import importlib.util
import json

import pytest
from checkouts import ROOT
from click.testing import CliRunner

pytest.importorskip("matplotlib")


@pytest.fixture(scope="module")
def benchmark_offload():
    file = ROOT / "tests" / "benchmarks" / "benchmark_offload.py"
    spec = importlib.util.spec_from_file_location("benchmark_offload", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_it_writes_samples_machine_and_charts(benchmark_offload, tmp_path):
    options = ["--engines", "host", "--seconds", "0", "--largest", "4096", "--largest-n", "32"]
    done = CliRunner().invoke(benchmark_offload.main, [str(tmp_path / "made"), *options])
    assert done.exit_code == 0, done.output
    record = json.loads((tmp_path / "made.json").read_text())
    assert record["machine"]["date"]
    assert record["engines"]["host"]["type"] == "CPU"
    assert [int(size) for size in record["copies_s"]] == [2**power for power in range(3, 13)]
    assert list(record["products_s"]) == ["16", "32"]
    calls = {"invoke", "invoke, sync", "bind"}
    assert record["latency_s"].keys() == {
        "ctypes",
        "ctypes, queue to a thread",
        *(f"host: {call}" for call in calls),
    }
    for samples in record["latency_s"].values():
        assert len(samples) == benchmark_offload.LEAST
        assert min(samples) > 0
    assert {bar["met"] for bar in record["bars"]} <= {True, False}
    assert [file.suffix for file in sorted(tmp_path.glob("made-*"))] == [".svg"] * 3
    assert "host: pointers" in (tmp_path / "made-dgemm.svg").read_text()


def test_it_says_which_bars_are_missed(benchmark_offload):
    calls = {
        "ctypes, queue to a thread": [10e-6],
        "host: invoke": [30e-6],
        "host: invoke, sync": [20e-6],
    }
    copied = {"NumPy": [1.0], "host: in": [1.0], "host: out": [2.0]}
    record = {
        "engines": {"host": {}},
        "latency_s": calls,
        "copies_s": {str(benchmark_offload.BAR_SIZE): copied},
    }
    found = [(value, met) for _, value, _, met in benchmark_offload.bars(record)]
    assert [value for value, _ in found] == pytest.approx([2, 30, 1, 0.5])
    assert [met for _, met in found] == [True, False, True, False]


def test_an_engine_that_nobody_knows_is_an_error(benchmark_offload, tmp_path):
    done = CliRunner().invoke(
        benchmark_offload.main, [str(tmp_path / "made"), "--engines", "abacus"]
    )
    assert done.exit_code == 2
    assert "abacus" in done.output
    assert list(tmp_path.iterdir()) == []


def test_what_is_after_a_call_is_off_the_clock(benchmark_offload, monkeypatch):
    now = [0.0]

    def pass_time(seconds):
        now[0] += seconds

    monkeypatch.setattr(benchmark_offload.time, "perf_counter", lambda: now[0])
    one = benchmark_offload.Contender(lambda: pass_time(1), lambda: pass_time(100))
    samples = benchmark_offload.measure({"one": one}, 0)
    assert samples == {"one": [1.0] * benchmark_offload.LEAST}
