"""The measurement of two builds on one polygon.

A pair consists of two new processes, one from each tree. They take turns of a few milliseconds, in
which one works and the other waits, so that other programs disturb both alike. Chance decides which
process has the first turn; then the order alternates. `pairs` reduces a pair to one number.

In each process, the first mask of each rung and the imported files are checked.
"""

import contextlib
import functools
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.against import pairs
from benchmarks.against.worker import digest
from benchmarks.answering_process import AnsweringProcess, Failed, Missing
from ladder import registry
from ladder.bench import estimate, rounds
from ladder.common import confidence
from ladder.registry import reference
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

PROGRAM = Path(__file__).with_name("worker.py")
PATIENCE = 0.15  # seconds per call: slower rungs are compared on request only
MOST_PAIRS = 200
SAMPLE_S = rounds.SAMPLE_S
TURNS_S = 0.1  # for the samples of a rung in each process of a pair
FEWEST_TURNS, MOST_TURNS = 3, 10  # limits on the number of turns; a slow rung has one turn
WARM_UP_CALLS, WARM_UP_S = 2, 0.02  # after the first mask


class WorkerProcess(AnsweringProcess):
    """A process in which `worker.Worker` measures the rungs of a `trees.Tree`.

    It runs without the `site` module (``-S``), so that `polymask` is imported from the tree and not
    from the environment's editable install.
    """

    def __init__(self, tree, vertices, shape):
        super().__init__("-I", "-S", str(PROGRAM))
        job = {
            "tree": str(tree.root),
            "packages": tree.packages,
            "path": [folder for folder in sys.path if folder],
            "vertices": [list(map(float, vertex)) for vertex in vertices],
            "shape": list(shape),
        }
        with contextlib.suppress(Failed):  # the first request will report the failure
            self.tell(job)


@dataclass(eq=False)
class Row:
    """A rung in both builds."""

    key: str
    options: dict
    status: str = "ok"  # or "skipped" (missing in one build, or too slow), or "wrong"
    reason: str = ""  # of the status
    repeats: int = 0  # calls per sample
    turns: int = 0  # samples per process of a pair
    # per pair: seconds per call in this checkout and in the other, each the median of a process
    pairs_s: list[tuple[float, float]] = field(default_factory=list)
    estimate: pairs.Estimate | None = None  # None without enough pairs

    @property
    def here_s(self):
        """The median seconds per call in this checkout."""
        return confidence.median([here_s for here_s, _ in self.pairs_s])

    @property
    def there_s(self):
        """The median seconds per call at the other commit."""
        return confidence.median([there_s for _, there_s in self.pairs_s])

    def give_up(self, status, reason):
        """Exclude the row from the comparison."""
        self.status, self.reason = status, reason


class Comparison:
    """A comparison of the rungs of two trees, with their `names` for messages.

    Rungs that exceed the plan's patience, as estimated from a few rows, are skipped. The plan's
    seconds are the time for all pairs; a minimum number of pairs is run in any case.
    """

    def __init__(self, current, base, names, plan):
        self.trees, self.names, self.plan = (current, base), names, plan
        self.right = digest(reference.mask(plan.vertices, plan.shape))
        self.order = random.Random(0)
        self.digests = {}, {}  # of the files that each tree's processes imported
        keys = [rung.key for rung in registry.RUNGS] if plan.keys is None else plan.keys
        self.rows = [Row(key, plan.options.get(key, {})) for key in keys]
        self.interrupted = False

    def run(self, progress=None):
        """Compare the rungs; `progress` is a `NullProgress` or similar."""
        progress = progress or NullProgress()
        try:
            progress.begin("checking", 2 * len(self.rows))
            for tree, name in zip(self.trees, self.names, strict=True):
                self._try_out(tree, name, progress)
            self._measure(progress)
        except KeyboardInterrupt:
            self.interrupted = True

    def able(self):
        """Return the rows that are compared."""
        return [row for row in self.rows if row.status == "ok"]

    def outcome(self):
        """Estimate the ratios of the rows with enough pairs, and return these rows."""
        rows = self.able()
        for row in rows:
            ratios = [here_s / there_s for here_s, there_s in row.pairs_s]
            row.estimate = pairs.estimate(ratios, len(rows))
        return [row for row in rows if row.estimate]

    def _start(self, side):
        return WorkerProcess(self.trees[side], self.plan.vertices, self.plan.shape)

    def _try_out(self, tree, name, progress):
        """Exclude the rows that are missing in a tree, too slow, or wrong."""
        pending = self.able()
        progress.advance(len(self.rows) - len(pending))
        while pending:  # if a rung ends the process, the others get a new one
            with WorkerProcess(tree, self.plan.vertices, self.plan.shape) as worker:
                while pending:
                    row = pending.pop(0)
                    progress.working(f"{row.key}: first call, {name}", long=True)
                    with _watched(row, name):
                        worker.ask("load", row.key, row.options)
                        if not self._exhausts(worker, row, name):
                            self._check_mask(worker, row)
                    progress.advance(1)
                    if not worker.runs():
                        break

    def _exhausts(self, worker, row, name):
        """Skip a row whose calls take too long; return whether it was skipped."""
        patience = self.plan.patience
        if patience is None:
            return False
        band = functools.partial(worker.ask, "band", row.key)
        seconds = estimate.estimate(band, patience, self.plan.shape[0])
        if seconds > patience:
            row.give_up(
                "skipped",
                f"{name}: a call takes about {seconds:.1f} s, more than --patience {patience:g}",
            )
        return seconds > patience

    def _check_mask(self, worker, row):
        """Check a row's first mask in a process; return its seconds."""
        mask_digest, seconds = worker.ask("mask", row.key)
        if mask_digest != self.right:
            raise Failed("makes a mask that differs from the reference")
        return seconds

    def _measure(self, progress):
        """Run the pairs; the time of the first pair determines their number."""
        if not self.able():
            return
        fewest = pairs.enough_pairs(len(self.able()))
        start = time.perf_counter()
        self._run_pair("the first pair", progress)
        pair_s = time.perf_counter() - start
        count = min(max(fewest, int(self.plan.seconds / pair_s)), MOST_PAIRS)
        progress.begin("measuring", count * pair_s)
        for number in range(1, count):
            progress.advance(pair_s)
            self._run_pair(f"pair {number + 1} of {count}", progress)

    def _run_pair(self, title, progress):
        """Start a process of each tree, and sample each row in both processes, in turns."""
        rows, first = self.able(), self.order.randrange(2)
        self.order.shuffle(rows)
        with self._start(first) as first_worker, self._start(1 - first) as second_worker:
            workers = (first_worker, second_worker) if first == 0 else (second_worker, first_worker)
            for row in rows:
                progress.working(f"{title}: {row.key}")
                self._take_turns(row, workers)
                if not all(worker.runs() for worker in workers):
                    return  # the remaining rows have one pair fewer
            for side, worker in enumerate(workers):
                self._check_files(side, worker.ask("files"))

    def _take_turns(self, row, workers):
        """Sample a row in both processes, and record one time for each."""
        samples, paces = ([], []), []
        for side in self.order.sample((0, 1), 2):
            with _watched(row, self.names[side]):
                workers[side].ask("load", row.key, row.options)
                paces.append(self._check_mask(workers[side], row))
                if paces[-1] < rounds.SLOW_CALL_S:
                    paces[-1] = workers[side].ask("warm_up", row.key, WARM_UP_CALLS, WARM_UP_S)
        if row.status != "ok":
            return
        if not row.turns:
            row.repeats = max(1, round(SAMPLE_S / min(paces)))
            fewest = FEWEST_TURNS if max(paces) < rounds.SLOW_CALL_S else 1
            fitting = int(TURNS_S / (row.repeats * max(paces)))
            row.turns = min(max(fewest, fitting), MOST_TURNS)
        first = self.order.randrange(2)
        for turn in range(2 * row.turns):  # A B, B A, A B ...
            side = (first + turn + turn // 2) % 2
            with _watched(row, self.names[side]):
                samples[side].append(workers[side].ask("sample", row.key, row.repeats))
            if row.status != "ok":
                return
        row.pairs_s.append(tuple(map(confidence.median, samples)))

    def _check_files(self, side, files):
        """Check that imported files are unchanged since the previous process."""
        for file, file_digest in files.items():
            if self.digests[side].setdefault(file, file_digest) != file_digest:
                raise Unavailable(f"{file} changed during the measurement", "measure again")


@contextlib.contextmanager
def _watched(row, name):
    """Exclude a row if its rung fails, without affecting the others."""
    try:
        yield
    except Missing as error:
        row.give_up("skipped", f"{name}: {error}")
    except Failed as error:
        row.give_up("wrong", f"{name}: {error}")
