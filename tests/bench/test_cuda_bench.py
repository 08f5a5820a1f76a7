"""The benchmark of polymask.cuda, with NumPy in CuPy's place, and a clock that stands still.

`make gpu` measures with a GPU, and fails if a contender of polymask does.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner
from sanitize import cuda_on_cpu

from benchmarks.cuda import __main__ as cuda_bench
from benchmarks.cuda import clocks, contenders, measure, report, scenes
from benchmarks.cuda.contenders import MEMSET, OURS
from benchmarks.gpu import environment
from benchmarks.harness.record import Run, SceneRow
from benchmarks.harness.tasks import register_in
from ladder.bench import machine, result_json
from ladder.devices import Device
from ladder.report import results
from polymask.contract import Unavailable
from polymask.cuda import cupy_library

DEVICE = Device("CUDA", "13000", "a GPU", "13000", "GPU", 132)
HOST_S, DEVICE_S = 2e-3, 1e-3


class Clocks:
    """Every call takes the same time."""

    def host(self, call):
        call()
        return HOST_S

    def device(self, call, host_s):
        call()
        return DEVICE_S


@pytest.fixture
def cupy(monkeypatch):
    library = cuda_on_cpu.library()
    vars(library).update(__version__="14", asnumpy=np.asarray)
    library.cuda.runtime.driverGetVersion.return_value = 13000
    for module in (contenders, clocks, measure):
        monkeypatch.setattr(module, "cupy", lambda: library)
    return library


def measured(tasks, **options):
    return measure.measure(
        DEVICE, tasks=tasks, quick=True, seconds=0, clocks=Clocks(), report=str, **options
    )


@pytest.fixture
def run():
    record = Run(machine=machine.record())
    record.machine.devices["cuda"] = DEVICE
    return record


@pytest.mark.filterwarnings("ignore:__array__ implementation")  # in pycocotools
@pytest.mark.parametrize("task", scenes.TASKS, ids=lambda task: task.key)
def test_all_contenders_are_compared_and_timed(task, tmp_path):
    try:
        cupy_library.with_device()
    except Unavailable as error:
        pytest.skip(str(error))
    run = measured([task])
    assert report.failures(run) == []
    rows = {row.key: row for row in run.rows}
    assert {row.differ for row in rows.values() if row.kind == "ours"} == {0}
    for key in (OURS, MEMSET):
        assert rows[key].median_s == HOST_S
        assert set(rows[key].device_samples_s) == {DEVICE_S}
    assert rows["engine"].ok
    assert rows["engine"].device_samples_s == []
    for peer in (row for row in rows.values() if row.kind == "peer"):
        assert peer.ok or "pip install" in peer.reason
    file = tmp_path / "cuda.json"
    result_json.save(run, file)
    assert results.load(file)[0] == run
    text = report.markdown(run)
    assert all(f"| {row.key} |" in text for row in rows.values() if row.ok)


def test_a_result_that_differs_or_fails_is_not_timed(cupy, monkeypatch):
    task = scenes.TASKS[0]
    scene = task.quick[0]
    right = scenes.EXPECTED["mask"](scene.polygons(), scene.shape)
    listed = []

    def add(key, make, **more):
        prepare = register_in(listed)(key, "mask", key, **more)
        prepare(lambda polygons, shape: make)

    def fail():
        raise RuntimeError("no memory")

    wrong = right.copy()
    wrong[0, :3] ^= 1
    add("right", lambda: cupy.asarray(right))
    add("wrong", lambda: cupy.asarray(wrong))
    add("failing", fail)
    add("small", lambda: cupy.asarray(right[1:]))
    add("opencv", lambda: cupy.asarray(wrong), package="cv2", included=contenders.COPY)
    monkeypatch.setattr(measure, "CONTENDERS", listed)
    run = measured([replace(task, quick=(scene,))])
    rows = {row.key: row for row in run.rows}
    assert {key for key, row in rows.items() if row.ok} == {"right", "opencv"}
    assert [row.differ for row in rows.values()] == [0, 3, None, None, 3]
    assert rows["wrong"].samples_s == []
    assert [text.split(": ")[1] for text in report.failures(run)] == ["wrong", "failing", "small"]


def test_the_device_is_busy_until_the_work_is_queued(monkeypatch):
    done = []

    class Event:
        def record(self):
            done.append("event")

        def synchronize(self):
            done.append("wait for the event")

    wait = SimpleNamespace(get_function=lambda name: lambda *launch: done.append(int(launch[2][0])))
    events = SimpleNamespace(Event=Event, get_elapsed_time=lambda start, end: 2.0)
    cupy = SimpleNamespace(cuda=events, RawModule=lambda code: wait)
    monkeypatch.setattr(clocks, "cupy", lambda: cupy)
    seconds = clocks.Clocks().device(lambda: done.append("call"), 1e-3)
    assert seconds == 2e-3
    assert done == [2_000_000, "event", "call", "event", "wait for the event"]
    clocks.Clocks().device(lambda: None, 1.0)
    assert done[5] == 1e9 * clocks.MOST_WAIT_S


def test_no_gpu_is_one_line(monkeypatch, tmp_path):
    monkeypatch.setattr(environment, "CUDA_DRIVER", "libno-such-driver.so")
    result = CliRunner().invoke(cuda_bench.main, [str(tmp_path / "cuda")])
    assert result.exit_code == 2
    assert result.output.startswith("no NVIDIA GPU can be used (libno-such-driver.so: ")
    assert result.output.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("kind", "interrupted", "code"), [("ours", False, 1), ("peer", False, 0), ("ours", True, 130)]
)
def test_the_exit_code_tells_of_failures(run, monkeypatch, tmp_path, kind, interrupted, code):
    run.rows = [SceneRow(
        task="mask", scene="1024-24", key=OURS, kind=kind, title="", status="skipped", reason="no"
    )]  # fmt: skip
    run.interrupted = interrupted
    monkeypatch.setattr(cuda_bench, "gpu", lambda: DEVICE)
    monkeypatch.setattr(cuda_bench, "measure", lambda *_, **__: run)
    result = CliRunner().invoke(cuda_bench.main, [str(tmp_path / "cuda")])
    assert result.exit_code == code
    assert sorted(file.name for file in tmp_path.iterdir()) == ["cuda.json", "cuda.md"]
