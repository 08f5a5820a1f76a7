"""Measures what is done with many polygons, by us and by other libraries: `bench many`.

Each contender has a process of its own, and so a peak of memory of its own. Its first call is held
against ours, off the edges too. Contenders whose calls are short take turns in shuffled rounds. One
whose call lasts over a second is called a few times, and ended before the next begins.
"""

import contextlib
import math
import random
import tempfile
import threading
import time

from benchmarks.many.contenders import CONTENDERS, TASKS
from benchmarks.many.result import Many, ManyRow, ManyScene
from polymask.bench import machine
from polymask.bench.rounds import SAMPLE_S, SLOW_CALL_S
from polymask.bench.worker_process import AnsweringProcess, Failed, Missing
from polymask.common import confidence
from polymask.common.busy import load_average
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable
from polymask.ladder import workload

START = "from polymask.common import checkout; checkout.load('benchmarks.many.worker').main()"
SLOW_SAMPLES = 3  # of a slow contender, where they last no longer than
SLOW_SAMPLES_S = 30.0
WARM_UP_CALLS = 3
FEWEST_ROUNDS, MOST_ROUNDS = 5, 200
PATIENCE_S = 300.0


def measure(tasks=None, *, quick=False, seconds=5.0, patience=PATIENCE_S, busy=None, progress=None):
    """Measure tasks; return `Many`.

    Parameters
    ----------
    tasks : sequence of str, optional
        Keys of `TASKS`; all if None.
    quick : bool
        Small scenes: to see that all works, not how fast.
    seconds : float
        For the rounds of a scene's fast contenders.
    patience : float
        A contender whose first call lasts longer is skipped.
    busy : busy.Look, optional
        What other programs did before the run.
    progress : NullProgress or alike, optional

    Returns
    -------
    Many
        After Ctrl-C it holds the scenes that were finished, and is marked as interrupted.
    """
    here, start = machine.record(busy), time.perf_counter()
    found = Many(machine=here, scenes=[], rows=[])
    progress = progress or NullProgress()
    all_scenes = [
        (task, one)
        for task in TASKS
        if tasks is None or task.key in tasks
        for one in (task.quick if quick else task.scenes)
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
            found.scenes.append(record)
            found.rows += rows
            progress.advance(1)
    except KeyboardInterrupt:
        found.interrupted = True
    for row in found.rows:
        if row.package:
            here.packages[row.package] = machine.package_version(row.package)
    here.load_after = load_average()
    found.seconds = time.perf_counter() - start
    return found


def describe(task, scene):
    """Return the record of a task on a scene."""
    polygons = scene.polygons()
    return ManyScene(
        task=task.key,
        wanted=task.wanted,
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
    with contextlib.ExitStack() as open_until_done:
        folder = open_until_done.enter_context(tempfile.TemporaryDirectory(prefix="polymask-"))
        for contender in (one for one in CONTENDERS if one.task == task.key):
            progress.working(f"{scene.title}: {contender.key}", long=True)
            row = row_of(contender, scene)
            rows.append(row)
            with contextlib.ExitStack() as alone:
                process = alone.enter_context(ManyProcess(patience))
                try:
                    process.ask("begin", task.key, scene.key, contender.key, quick)
                    first_call(process, row, folder)
                    if row.first_call_s > SLOW_CALL_S:
                        sample_slow(process, row)
                    else:
                        fast.append((process, row, pace(process, row)))
                        open_until_done.push(alone.pop_all())  # it lives on
                except (Missing, Failed) as reason:
                    row.reason = str(reason)
        run_rounds(fast, seconds, progress)
    for row in rows:
        summarise(row)
    return rows


class ManyProcess(AnsweringProcess):
    """A process of `worker`, which is ended where an answer takes longer than patience."""

    def __init__(self, patience):
        super().__init__("-c", START)
        self.patience = patience

    def ask(self, name, *arguments):
        """Return the answer to a request."""
        timer = threading.Timer(self.patience, self.process.kill)
        timer.start()
        try:
            return super().ask(name, *arguments)
        except Failed as failed:
            if not timer.is_alive():
                raise Failed(f"takes more than the {self.patience:g} s of --patience") from None
            raise failed
        finally:
            timer.cancel()


def row_of(contender, scene):
    """Return the row of a contender, with nothing measured yet."""
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
    """Call once, and hold the result against the first of ours that made one."""
    row.first_call_s, row.result_bytes, row.beyond_bytes = process.ask("first")
    if row.kind == "ours":
        process.ask("keep", folder)
    row.differ, row.differ_off_edges = process.ask("differ", folder)


def sample_slow(process, row):
    """Sample a slow contender; its first call is a sample, too."""
    row.samples_s.append(row.first_call_s)
    while len(row.samples_s) < SLOW_SAMPLES and sum(row.samples_s) < SLOW_SAMPLES_S:
        row.samples_s.append(process.ask("sample", 1))


def pace(process, row):
    """Warm a fast contender up; return how many calls make a sample."""
    least = min(process.ask("sample", 1) for _ in range(WARM_UP_CALLS))
    return max(1, math.ceil(SAMPLE_S / min(least, row.first_call_s)))


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
            except (Missing, Failed) as reason:  # of a library that fails at a later call
                row.reason, row.samples_s = str(reason), []
                fast.remove((process, row, repeats))


def summarise(row):
    """Make a row's figures of its samples."""
    if row.samples_s:
        row.median_s, row.min_s = confidence.median(row.samples_s), min(row.samples_s)
        row.status = "ok"
