"""The measurement of `polymask.cuda`: each result is compared, then timed by two clocks.

All contenders of a scene run in one process and take turns in shuffled rounds, so that their ratios
are of one run. A result of polymask that differs from the CPU's in any pixel is not timed. The
differing pixels of a library are counted, on the edges and off them.
"""

import contextlib
import gc
import random
import time

import numpy as np

from benchmarks import edge_distance
from benchmarks.cuda.clocks import Clocks, synchronize
from benchmarks.cuda.contenders import CONTENDERS, COPY
from benchmarks.cuda.scenes import EXPECTED, TASKS
from benchmarks.many.measure import FEWEST_ROUNDS, MOST_ROUNDS, describe, row_of, summarize
from benchmarks.many.result import Many
from ladder.bench import machine
from ladder.bench.rounds import SAMPLE_S, SLOW_CALL_S
from ladder.common.busy import load_average
from polymask.contract import Unavailable
from polymask.cuda.cupy_library import cupy

WARM_UP_CALLS = 3
MOST_IN_A_ROUND = 20  # samples of a fast contender in one round


def measure(device, *, tasks=TASKS, quick=False, seconds=1.0, clocks=None, report=print):
    """Measure all contenders on the current device; return a `Many`.

    Parameters
    ----------
    device : ladder.devices.Device
        A description of the device, for the record.
    tasks : sequence of Task
    quick : bool
        Use small scenes, as a test of the contenders.
    seconds : float
        The duration of each scene's rounds, which are at least `FEWEST_ROUNDS`.
    clocks : Clocks, optional
    report : callable
        Takes a line of text about the progress.

    Returns
    -------
    Many
        After Ctrl-C it holds the finished scenes, and is marked as interrupted.
    """
    run = Many(machine=machine.record(), scenes=[], rows=[])
    run.machine.devices["cuda"] = device
    clocks, start = clocks or Clocks(), time.perf_counter()
    try:
        for task in tasks:
            for scene in task.quick if quick else task.scenes:
                report(f"{scene.title}, {scene.shape[0]} x {scene.shape[1]}")
                rows = [row_of(contender, scene) for contender in chosen(task, scene)]
                try:
                    measure_scene(task, scene, rows, seconds, clocks)
                except Exception as error:  # such as no memory; the other scenes continue
                    fail(rows, error)
                run.scenes.append(describe(task, scene))
                run.rows += rows
    except KeyboardInterrupt:
        run.interrupted = True
    packages = sorted({row.package for row in run.rows if row.package})
    run.machine.packages |= {name: machine.package_version(name) for name in packages}
    run.machine.packages["cupy"] = cupy().__version__
    run.machine.load_after = load_average()
    run.seconds = time.perf_counter() - start
    return run


def chosen(task, scene):
    """Return the contenders of a task that are measured on a scene."""
    return [c for c in CONTENDERS if c.task == task.key and (on_gpu(c) or c.key in scene.beside)]


def fail(rows, error):
    """Record an error as the reason of all rows of a scene, which then have no times."""
    for row in rows:
        row.reason = f"raised {type(error).__name__}: {error}"
        row.samples_s, row.device_samples_s = [], []


def measure_scene(task, scene, rows, seconds, clocks):
    """Measure the contenders of a task on a scene, one for each of the rows."""
    polygons, fast = scene.polygons(), []
    expected = cupy().asarray(EXPECTED[task.key](polygons, scene.shape))
    with_peers = any(row.kind == "peer" for row in rows)
    on_edges = edges(task, polygons, scene.shape) if with_peers else None
    for contender, row in zip(chosen(task, scene), rows, strict=True):
        call = checked(contender, row, polygons, scene.shape, expected, on_edges)
        if call and (pace := find_pace(row, call, clocks)):
            fast.append((row, call, pace))
    run_rounds(fast, seconds, clocks)
    for row in rows:
        summarize(row)


def on_gpu(contender):
    """Return whether all work of a contender, or of its row, is on the GPU, and no library's."""
    return contender.kind != "peer" and contender.included != COPY


def find_pace(row, call, clocks):
    """Warm a contender up and return the seconds of a call; None if it is slow, and sampled."""
    pace = clocks.host(call)  # the first call may have compiled kernels
    if pace > SLOW_CALL_S:
        row.samples_s.append(pace)
        return None
    return min(pace, *(clocks.host(call) for _ in range(WARM_UP_CALLS)))


def edges(task, polygons, shape):
    """Return the flat indices of samples on edges; a stack of images is one tall image."""
    if task.key != "instances":
        return edge_distance.samples_on(polygons, shape)
    rows, cols = shape
    counts = np.diff(polygons.ring_offsets)  # each polygon has one ring, inside its image
    down = np.repeat(np.arange(polygons.features) * rows, counts)
    tall = polygons._replace(vertices=polygons.vertices + np.stack([0 * down, down], axis=1))
    return edge_distance.samples_on(tall, (polygons.features * rows, cols))


def checked(contender, row, polygons, shape, expected, on_edges):
    """Call a contender once and compare its result; return its call, or None with a reason."""
    try:
        call = contender.ready(polygons, shape)
        start = time.perf_counter()
        result = call()
        synchronize()
        row.first_call_s = time.perf_counter() - start
        if row.kind != "yardstick":
            count_differing(row, result, expected, on_edges)
    except Unavailable as missing:
        row.reason = str(missing)
    except Exception as error:  # the others continue
        row.reason = f"raised {type(error).__name__}: {error}"
    if row.kind == "ours" and row.differ:
        row.reason = f"{row.differ:,} of {expected.size:,} pixels differ from the CPU's"
    return None if row.reason else call


def count_differing(row, result, expected, on_edges):
    """Count the differing pixels of a result on the device, and those off the edges."""
    if result.shape != expected.shape:
        raise ValueError(f"made an array of shape {result.shape}, not {expected.shape}")
    row.result_bytes = result.nbytes
    indices = cupy().asnumpy(cupy().flatnonzero(result != expected))
    row.differ = len(indices)
    if on_edges is not None:
        row.differ_off_edges = int(np.count_nonzero(~np.isin(indices, on_edges)))


def run_rounds(fast, seconds, clocks):
    """Sample the fast contenders in turns, by both clocks if all of the work is the device's."""
    order, rounds, end = random.Random(0), 0, time.perf_counter() + seconds
    with collector_off():
        while fast and rounds < MOST_ROUNDS:
            if rounds >= FEWEST_ROUNDS and time.perf_counter() > end:
                break
            order.shuffle(fast)
            rounds += 1
            for row, call, pace in fast:
                for _ in range(min(max(int(SAMPLE_S / pace), 1), MOST_IN_A_ROUND)):
                    row.samples_s.append(clocks.host(call))
                    if on_gpu(row):
                        row.device_samples_s.append(clocks.device(call, pace))


@contextlib.contextmanager
def collector_off():
    """Collect no garbage in this context."""
    gc.disable()
    try:
        yield
    finally:
        gc.enable()
