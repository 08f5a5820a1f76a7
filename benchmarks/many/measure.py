"""The measurement of tasks with many polygons: `polymask bench many`.

Each contender runs in its own process, so its peak of memory is its own. The result of its first
call is compared with polymask's, on and off the edges. Fast contenders take turns in shuffled
rounds. If a call takes over a second, a few are made before the next contender's process starts.
"""

import contextlib
import math
import random
import tempfile
import threading
import time

from benchmarks.answering_process import AnsweringProcess, Failed, Missing
from benchmarks.many.contenders import CONTENDERS, TASKS
from benchmarks.many.result import Many, ManyRow, ManyScene
from ladder.bench import machine
from ladder.bench.rounds import SAMPLE_S, SLOW_CALL_S
from ladder.common import confidence
from ladder.common.busy import load_average
from ladder.registry import workload
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

START = "from ladder.common import checkout; checkout.load('benchmarks.many.worker').main()"
SLOW_SAMPLES = 3  # of a slow contender, unless they exceed
SLOW_SAMPLES_S = 30.0
WARM_UP_CALLS = 3
FEWEST_ROUNDS, MOST_ROUNDS = 5, 200
PATIENCE_S = 300.0


def measure(tasks=None, *, quick=False, seconds=5.0, patience=PATIENCE_S, busy=None, progress=None):
    """Measure tasks; return a `Many`.

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
    Many
        After Ctrl-C it holds the finished scenes, and is marked as interrupted.
    """
    this_machine, start = machine.record(busy), time.perf_counter()
    run = Many(machine=this_machine, scenes=[], rows=[])
    progress = progress or NullProgress()
    all_scenes = [
        (task, scene)
        for task in TASKS
        if tasks is None or task.key in tasks
        for scene in (task.quick if quick else task.scenes)
    ]
    progress.begin("many polygons", len(all_scenes))
    try:
        for task, scene in all_scenes:
            try:
                record = describe(task, scene)
            except Unavailable as missing:
                progress.working(f"{scene.title}: {missing}")
                continue
            rows = measure_scene(task, scene, quick, seconds, patience, progress)
            run.scenes.append(record)
            run.rows += rows
            progress.advance(1)
    except KeyboardInterrupt:
        run.interrupted = True
    for row in run.rows:
        if row.package:
            this_machine.packages[row.package] = machine.package_version(row.package)
    this_machine.load_after = load_average()
    run.seconds = time.perf_counter() - start
    return run


def describe(task, scene):
    """Return the record of a task on a scene."""
    polygons = scene.polygons()
    return ManyScene(
        task=task.key,
        wanted=task.result,
        scene=scene.key,
        title=scene.title,
        shape=scene.shape,
        polygons=polygons.features,
        vertices=len(polygons.vertices),
        sha256=workload.sha256(polygons.vertices),
    )


def measure_scene(task, scene, quick, seconds, patience, progress):
    """Measure the contenders of a task on a scene; return their rows."""
    rows, fast = [], []
    with contextlib.ExitStack() as scene_stack:
        folder = scene_stack.enter_context(tempfile.TemporaryDirectory(prefix="polymask-"))
        for contender in (c for c in CONTENDERS if c.task == task.key):
            progress.working(f"{scene.title}: {contender.key}", long=True)
            row = row_of(contender, scene)
            rows.append(row)
            with contextlib.ExitStack() as stack:
                process = stack.enter_context(ManyProcess(patience))
                try:
                    process.ask("begin", task.key, scene.key, contender.key, quick)
                    first_call(process, row, folder)
                    if row.first_call_s > SLOW_CALL_S:
                        sample_slow(process, row)
                    else:
                        fast.append((process, row, pace(process, row)))
                        scene_stack.push(stack.pop_all())  # its process stays for the rounds
                except (Missing, Failed) as reason:
                    row.reason = str(reason)
        run_rounds(fast, seconds, progress)
    for row in rows:
        summarize(row)
    return rows


class ManyProcess(AnsweringProcess):
    """A process of `worker`, which is killed if an answer takes longer than the patience."""

    def __init__(self, patience):
        super().__init__("-c", START)
        self.patience = patience

    def ask(self, name, *arguments):
        """Return the answer to a request."""
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            return super().ask(name, *arguments)
        except Failed:
            if not timer.is_alive():
                raise Failed(f"takes more than the {self.patience:g} s of --patience") from None
            raise
        finally:
            timer.cancel()


def row_of(contender, scene):
    """Return the row of a contender before its measurement."""
    return ManyRow(
        task=contender.task,
        scene=scene.key,
        key=contender.key,
        kind=contender.kind,
        title=contender.title,
        package=contender.package,
        included=contender.included,
        threads=contender.threads,
        status="skipped",
    )


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


def run_rounds(fast, seconds, progress):
    """Sample the fast contenders in turns, for at least the given number of seconds."""
    order, rounds, end = random.Random(0), 0, time.perf_counter() + seconds
    while fast and rounds < MOST_ROUNDS:
        if rounds >= FEWEST_ROUNDS and time.perf_counter() > end:
            break
        order.shuffle(fast)
        rounds += 1
        progress.working(f"round {rounds}")
        for process, row, repeats in list(fast):
            try:
                row.samples_s.append(process.ask("sample", repeats))
            except (Missing, Failed) as reason:  # a library may fail in a later call
                row.reason, row.samples_s = str(reason), []
                fast.remove((process, row, repeats))


def summarize(row):
    """Compute a row's figures from its samples."""
    if row.samples_s:
        row.median_s, row.min_s = confidence.median(row.samples_s), min(row.samples_s)
        row.status = "ok"
