"""The measurement of `polymask.cuda`: each result is compared, then timed by two clocks.

All contenders of a scene run in one process and take turns in shuffled rounds, so that their ratios
are of one run. A result of polymask that differs from the CPU's in any pixel is not timed. The
differing pixels of a library are counted.
"""

import contextlib
import gc
import time

from benchmarks.cuda.clocks import Clocks, synchronize
from benchmarks.cuda.contenders import CONTENDERS, COPY
from benchmarks.cuda.scenes import EXPECTED, TASKS
from benchmarks.harness.record import Run, SceneRecord
from benchmarks.harness.tasks import WARM_UP_CALLS, in_rounds
from ladder.bench import machine
from ladder.bench.rounds import SAMPLE_S, SLOW_CALL_S
from polymask.contract import Unavailable
from polymask.cuda.cupy_library import cupy

MOST_IN_A_ROUND = 20  # samples of a fast contender in one round


def measure(device, *, tasks=TASKS, quick=False, seconds=1.0, clocks=None, report=print):
    """Measure all contenders on the current device; return a `Run`.

    Parameters
    ----------
    device : ladder.devices.Device
        A description of the device, for the record.
    tasks : sequence of Task
    quick : bool
        Use small scenes, as a test of the contenders.
    seconds : float
        The duration of each scene's rounds, which are at least five.
    clocks : Clocks, optional
    report : callable
        Takes a line of text about the progress.

    Returns
    -------
    Run
        After Ctrl-C it holds the finished scenes, and is marked as interrupted.
    """
    run, clocks = Run(machine=machine.record()), clocks or Clocks()
    run.machine.devices["cuda"] = device
    run.machine.packages["cupy"] = cupy().__version__
    with run.measured():
        for task in tasks:
            for scene in task.quick if quick else task.scenes:
                report(f"{scene.title}, {scene.shape[0]} x {scene.shape[1]}")
                rows = [contender.row(scene) for contender in chosen(task, scene)]
                try:
                    measure_scene(task, scene, rows, seconds, clocks)
                except Exception as error:  # such as no memory; the other scenes continue
                    for row in rows:
                        row.fail(f"raised {type(error).__name__}: {error}")
                run.scenes.append(SceneRecord.of(task, scene))
                run.rows += rows
    return run


def chosen(task, scene):
    """Return the contenders of a task that are measured on a scene."""
    return [c for c in CONTENDERS if c.task == task.key and (on_gpu(c) or scene.beside)]


def measure_scene(task, scene, rows, seconds, clocks):
    """Measure the contenders of a task on a scene, one for each of the rows."""
    polygons, fast = scene.polygons(), []
    expected = cupy().asarray(EXPECTED[task.key](polygons, scene.shape))
    for contender, row in zip(chosen(task, scene), rows, strict=True):
        call = checked(contender, row, polygons, scene.shape, expected)
        if call and (pace := find_pace(row, call, clocks)):
            fast.append((row, call, pace))
    with collector_off():
        for row, call, pace in in_rounds(fast, seconds):
            for _ in range(min(max(int(SAMPLE_S / pace), 1), MOST_IN_A_ROUND)):
                row.samples_s.append(clocks.host(call))
                if on_gpu(row):
                    row.device_samples_s.append(clocks.device(call, pace))
    for row in rows:
        row.summarize()


def on_gpu(contender):
    """Return whether all work of a contender, or of its row, is on the GPU."""
    return contender.included != COPY


def find_pace(row, call, clocks):
    """Warm a contender up and return the seconds of a call; None if it is slow, and sampled."""
    pace = clocks.host(call)  # the first call may have compiled kernels
    if pace > SLOW_CALL_S:
        row.samples_s.append(pace)
        return None
    return min(pace, *(clocks.host(call) for _ in range(WARM_UP_CALLS)))


def checked(contender, row, polygons, shape, expected):
    """Call a contender once and compare its result; return its call, or None with a reason."""
    try:
        call = contender.ready(polygons, shape)
        start = time.perf_counter()
        result = call()
        synchronize()
        row.first_call_s = time.perf_counter() - start
        if row.kind != "yardstick":
            row.result_bytes, row.differ = result.nbytes, count_differing(result, expected)
    except Unavailable as missing:
        row.reason = str(missing)
    except Exception as error:  # the others continue
        row.reason = f"raised {type(error).__name__}: {error}"
    if row.kind == "ours" and row.differ:
        row.reason = f"{row.differ:,} of {expected.size:,} pixels differ from the CPU's"
    return None if row.reason else call


def count_differing(result, expected):
    """Count the differing pixels of a result on the device."""
    if result.shape != expected.shape:
        raise ValueError(f"made an array of shape {result.shape}, not {expected.shape}")
    return int((result != expected).sum())


@contextlib.contextmanager
def collector_off():
    """Collect no garbage in this context."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
