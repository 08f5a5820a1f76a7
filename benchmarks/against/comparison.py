"""The measurement of two builds on one polygon.

A pair consists of two new processes, one from each tree. They take turns of a few milliseconds, in
which one works and the other waits, so that other programs disturb both alike. Chance decides which
process has the first turn; then the order alternates. `pairs` reduces a pair to one number.

In each process, the first mask of each rung and the imported files are checked.
"""

import contextlib
import random
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.against import pairs
from benchmarks.against.worker import SLOW_CALL_S, digest
from benchmarks.answering_process import AnsweringProcess, Failed, Missing
from ladder.bench.rounds import SAMPLE_S
from ladder.common import confidence
from ladder.registry import reference
from polymask.contract import Unavailable

PROGRAM = Path(__file__).with_name("worker.py")
MOST_PAIRS = 200
TURNS_S = 0.1  # for the samples of a rung in each process of a pair
FEWEST_TURNS, MOST_TURNS = 3, 10  # limits on the number of turns; a slow rung has one turn


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
    status: str = "ok"  # or "skipped" (missing in one build), or "wrong"
    reason: str = ""  # of the status
    # per pair: seconds per call in this checkout and in the other, each the median of a process
    pairs_s: list[tuple[float, float]] = field(default_factory=list)
    estimate: pairs.Estimate | None = None  # None without enough pairs

    def seconds(self, side):
        """Return the median seconds per call in this checkout (0) or the other (1)."""
        return confidence.median([pair[side] for pair in self.pairs_s])


class Comparison:
    """A comparison of the rungs of two trees, with their `names` for messages.

    The plan's seconds are the time for all pairs; a minimum number of pairs is run in any case.
    """

    def __init__(self, here, there, names, plan):
        self.trees, self.names, self.plan = (here, there), names, plan
        self.right = digest(reference.mask(plan.vertices, plan.shape))
        self.order = random.Random(0)
        self.digests = {}, {}  # of the files that each tree's processes imported
        self.rows = [Row(key, plan.options.get(key, {})) for key in plan.keys]
        self.interrupted = False

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

    def run(self, progress):
        """Run pairs until the time is over and every row has enough, or until Ctrl-C."""
        end, fewest = time.perf_counter() + self.plan.seconds, pairs.enough_pairs(len(self.rows))
        progress.begin("measuring", self.plan.seconds)
        try:
            for number in range(MOST_PAIRS):
                rows = self.able()
                enough = all(len(row.pairs_s) >= fewest for row in rows)
                if not rows or (enough and time.perf_counter() > end):
                    break
                start = time.perf_counter()
                progress.working(f"pair {number + 1}", long=True)
                self.run_pair(rows)
                progress.advance(time.perf_counter() - start)
        except KeyboardInterrupt:
            self.interrupted = True

    def run_pair(self, rows):
        """Start a process of each tree, and sample each row in both processes, in turns."""
        self.order.shuffle(rows)
        polygon = self.plan.vertices, self.plan.shape
        with contextlib.ExitStack() as stack:
            workers = [stack.enter_context(WorkerProcess(tree, *polygon)) for tree in self.trees]
            for row in rows:
                self.take_turns(row, workers)
                if not all(worker.runs() for worker in workers):
                    return  # the remaining rows have one pair fewer
            for digests, worker in zip(self.digests, workers, strict=True):
                for file, now in worker.ask("files").items():
                    if digests.setdefault(file, now) != now:
                        raise Unavailable(f"{file} changed during the measurement", "measure again")

    def take_turns(self, row, workers):
        """Sample a row in both processes, and record one time for each; exclude one that fails."""
        samples, paces = ([], []), []
        first = self.order.randrange(2)
        try:
            for side in (first, 1 - first):
                mask, pace_s = workers[side].ask("prepare", row.key, row.options)
                paces.append(pace_s)
                if mask != self.right:
                    raise Failed("makes a mask that differs from the reference")
            repeats = max(1, round(SAMPLE_S / min(paces)))
            fewest = FEWEST_TURNS if max(paces) < SLOW_CALL_S else 1
            turns = min(max(fewest, int(TURNS_S / (repeats * max(paces)))), MOST_TURNS)
            for turn in range(2 * turns):  # A B, B A, A B ...
                side = (first + turn + turn // 2) % 2
                samples[side].append(workers[side].ask("sample", row.key, repeats))
        except Missing as error:
            row.status, row.reason = "skipped", f"{self.names[side]}: {error}"
        except Failed as error:
            row.status, row.reason = "wrong", f"{self.names[side]}: {error}"
        else:
            row.pairs_s.append(tuple(map(confidence.median, samples)))
