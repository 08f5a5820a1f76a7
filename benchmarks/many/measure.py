"""The measurement of tasks with many polygons: `polymask bench many`.

Each contender runs in its own process, so its peak of memory is its own. The result of its first
call is compared with polymask's, on and off the edges. Fast contenders take turns in shuffled
rounds. If a call takes over a second, a few are made before the next contender's process starts.
"""

import contextlib
import math
import tempfile

from benchmarks.answering_process import Failed, Missing
from benchmarks.harness.process import Process
from benchmarks.harness.record import Run, SceneRecord
from benchmarks.harness.tasks import WARM_UP_CALLS, in_rounds
from benchmarks.many.contenders import CONTENDERS, TASKS
from ladder.bench import machine
from ladder.bench.rounds import SAMPLE_S, SLOW_CALL_S
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

SLOW_SAMPLES = 3  # of a slow contender, unless they exceed
SLOW_SAMPLES_S = 30.0
PATIENCE_S = 300.0


def measure(tasks=None, *, quick=False, seconds=5.0, patience=PATIENCE_S, busy=None, progress=None):
    """Measure tasks; return a `Run`.

    Parameters
    ----------
    tasks : sequence of str, optional
        Keys of `TASKS`; all tasks if None.
    quick : bool
        Use small scenes, as a test of the contenders.
    seconds : float
        The duration of the rounds of a scene's fast contenders.
    patience : float
        Seconds: a contender whose first call takes longer is skipped.
    busy : busy.Look, optional
        The load of other programs before the run.
    progress : NullProgress or similar, optional

    Returns
    -------
    Run
        After Ctrl-C it holds the finished scenes, and is marked as interrupted.
    """
    run, progress = Run(machine=machine.record(busy)), progress or NullProgress()
    all_scenes = [
        (task, scene)
        for task in TASKS
        if tasks is None or task.key in tasks
        for scene in (task.quick if quick else task.scenes)
    ]
    progress.begin("many polygons", len(all_scenes))
    with run.measured():
        for task, scene in all_scenes:
            try:
                record = SceneRecord.of(task, scene)
            except Unavailable as missing:
                progress.working(f"{scene.title}: {missing}")
                continue
            rows = measure_scene(task, scene, quick, seconds, patience, progress)
            run.scenes.append(record)
            run.rows += rows
            progress.advance(1)
    return run


def measure_scene(task, scene, quick, seconds, patience, progress):
    """Measure the contenders of a task on a scene; return their rows."""
    rows, fast = [], []
    with contextlib.ExitStack() as scene_stack:
        folder = scene_stack.enter_context(tempfile.TemporaryDirectory(prefix="polymask-"))
        for contender in (c for c in CONTENDERS if c.task == task.key):
            progress.working(f"{scene.title}: {contender.key}", long=True)
            row = contender.row(scene)
            rows.append(row)
            with contextlib.ExitStack() as stack:
                worker = "benchmarks.many.worker", task.key, scene.key, contender.key, quick
                process = stack.enter_context(Process(patience, *worker))
                try:
                    first_call(process, row, folder)
                    if row.first_call_s > SLOW_CALL_S:
                        sample_slow(process, row)
                    else:
                        fast.append((process, row, pace(process, row)))
                        scene_stack.push(stack.pop_all())  # its process stays for the rounds
                except (Missing, Failed) as reason:
                    row.fail(reason)
        progress.working(f"{scene.title}: rounds")
        for entry in in_rounds(fast, seconds):
            process, row, repeats = entry
            try:
                row.samples_s.append(process.ask("sample", repeats))
            except (Missing, Failed) as reason:  # a library may fail in a later call
                row.fail(reason)
                fast.remove(entry)
    for row in rows:
        row.summarize()
    return rows


def first_call(process, row, folder):
    """Call once, and compare the result with that of the first row of polymask that worked."""
    row.first_call_s, row.result_bytes, row.beyond_bytes = process.ask("first")
    if row.kind == "ours":
        process.ask("keep", folder)
    row.differ, row.differ_off_edges = process.ask("differ", folder)


def sample_slow(process, row):
    """Sample a slow contender; its first call counts as a sample."""
    row.samples_s.append(row.first_call_s)
    while len(row.samples_s) < SLOW_SAMPLES and sum(row.samples_s) < SLOW_SAMPLES_S:
        row.samples_s.append(process.ask("sample", 1))


def pace(process, row):
    """Warm up a fast contender; return its number of calls per sample."""
    shortest = min(process.ask("sample", 1) for _ in range(WARM_UP_CALLS))
    return max(1, math.ceil(SAMPLE_S / min(shortest, row.first_call_s)))
