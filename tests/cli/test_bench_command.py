"""`polymask bench`: the files it writes, its interruption, and the input it refuses."""

import importlib
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import fresh_python
import numpy as np
import pytest
from cases import folded, says

from ladder import registry
from ladder.bench import driver
from polymask.cli import progress_bar


def test_a_bad_work_group_is_refused_before_anything_is_measured(error_of):
    try:
        registry.get("opencl.pixels").load()
    except registry.Unavailable as error:
        pytest.skip(f"opencl.pixels: {error}")  # as the row would report
    assert "work-group" in error_of("bench", "--set", "opencl.pixels.work_group=0x8")


BENCH = ("bench", "--shape", "24x32", "--seconds", 0)


@pytest.mark.slow
def test_report_reproduces_the_files_of_bench(polymask):
    code, out, err = polymask(
        *BENCH, "--rungs", "cclass.polygon,python.tuples", "--out", "made", "--json", "also.json"
    )
    assert code == 0
    assert says(out, "wrote", "made/", "also.json")
    names = {"bench.json", "bench.md", "bench.png", "bench.svg", "bench-polygon.png"}
    assert {file.name for file in Path("made").iterdir()} == names
    assert Path("also.json").read_text() == Path("made/bench.json").read_text()
    saved = json.loads(Path("made/bench.json").read_text())
    assert [row["key"] for row in saved["rows"]] == ["python.tuples", "cclass.polygon"]
    assert "measuring" in err  # plain lines where there is no terminal

    before = sorted(Path().rglob("*"))
    code, report, _ = polymask("report", "made/bench.json")
    assert code == 0
    assert sorted(Path().rglob("*")) == before  # it writes files only with --out
    code, second, _ = polymask("report", "made/bench.json", "--out", "again")
    assert code == 0
    assert second.split("wrote")[0] == report
    assert out.startswith(report)
    for name in names - {"bench.json"}:
        assert (Path("again") / name).read_bytes() == (Path("made") / name).read_bytes()


def test_bench_reports_a_wrong_row_with_code_1(polymask, monkeypatch):
    module = importlib.import_module("ladder.python.vectorized")
    monkeypatch.setattr(
        module, "make_mask", lambda vertices, shape: np.ones(shape, np.uint8), raising=True
    )
    code, out, _ = polymask(*BENCH, "--rungs", "python.vectorized,cclass.polygon")
    assert code == 1
    assert "python.vectorized wrong" in out
    assert "pixels differ" in out


def test_skipped_row_is_no_error(polymask, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyopencl", None)
    monkeypatch.delitem(sys.modules, "ladder.opencl.pixels", raising=False)
    code, out, _ = polymask(*BENCH, "--rungs", "opencl.pixels,cclass.polygon")
    assert code == 0
    assert says(out, "opencl.pixels", "installed")


@pytest.mark.slow
def test_ctrl_c_keeps_the_measurements(tmp_path, interruptible):
    # print a line for each round; from the third on, each row has samples
    code = "import sys; from polymask import cli; from polymask.cli import progress_bar; "
    code += "progress_bar.Lines.EVERY_S = 0; sys.exit(cli.main(sys.argv[1:]))"
    command = [sys.executable, "-c", code, *map(str, BENCH), "--seconds", "60"]
    command += ["--rungs", "cclass.polygon", "--out", "made"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        for line in process.stderr:
            if "round 3 " in line:
                process.send_signal(signal.SIGINT)
                break
        _, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert says(err, "measurements", "kept")
    assert json.loads((tmp_path / "made" / "bench.json").read_text())["interrupted"]


@pytest.mark.parametrize("sweep", [[], ["sweep", "size"]])
def test_ctrl_c_before_anything_was_measured_writes_nothing(polymask, monkeypatch, tmp_path, sweep):
    def interrupt(*_arguments, **_keywords):
        raise KeyboardInterrupt

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(driver, "check_rows", interrupt)
    code, out, err = polymask("bench", *sweep, "--rungs", "cclass.polygon")
    assert code == 130
    assert says(err, "interrupted", "written")
    assert out == ""
    assert not list(tmp_path.glob("polymask-results/*"))


def test_long_calls_tick_and_stop():
    bar = progress_bar.Bar()
    ticks = []
    bar.bar.refresh = lambda: ticks.append(1)
    with bar:
        bar.begin("measuring", 1)
        bar.TICK_S = 0.01
        bar.working("a long call", long=True)
        ticker = bar.ticker
        while not ticks:
            time.sleep(0.001)
        bar.working("a short one")
        assert ticker.is_set()
        assert bar.ticker is None


def test_results_that_cannot_be_written_are_refused_before_measuring(error_of):
    assert says(error_of(*BENCH, "--json", "missing/bench.json"), "folder", "missing")
    arguments = ("run", "cclass.polygon", "--size", 9, "--save", "missing/mask.png")
    assert says(error_of(*arguments), "folder", "missing")


@folded("seconds", ["inf", "nan", "-1", "1e9"])
@folded("option", ["--seconds", "--patience"])
def test_bad_budget_is_refused_before_measuring(error_of, option, seconds):
    assert option in error_of("bench", option, seconds)


RECORD = """
import os, polymask.__main__
from ladder.bench import machine
record = machine.record()
print(record.omp_wait_policy, record.pocl_affinity)
"""


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity on this system")
def test_idle_threads_sleep_and_those_of_pocl_stay_on_their_cores(monkeypatch):
    """A user's own values take precedence; PoCL numbers the machine's cores, not the process's."""
    for name in "OMP_WAIT_POLICY", "POCL_AFFINITY":
        monkeypatch.delenv(name, raising=False)
    all_cores = "1" if len(os.sched_getaffinity(0)) == os.cpu_count() else "None"
    assert fresh_python.run("-c", RECORD).stdout.split() == ["passive", all_cores]
    own = {"OMP_WAIT_POLICY": "active", "POCL_AFFINITY": "0"}
    assert fresh_python.run("-c", RECORD, **own).stdout.split() == ["active", "0"]
    one_core = "import os; os.sched_setaffinity(0, [max(os.sched_getaffinity(0))])"
    if os.cpu_count() > 1:
        assert fresh_python.run("-c", one_core + RECORD).stdout.split() == ["passive", "None"]
