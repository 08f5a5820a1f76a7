"""Two builds on one polygon, in alternating processes: which rungs became slower, or faster.

For each pair of processes both are started anew, one from each tree. They take turns, a few
milliseconds each, while the other waits: what else runs on the machine disturbs both alike. Who
begins is drawn, and then changes with each turn. `wilcoxon` makes of a pair one number.

Every mask of every process is held against the reference, and each process says what it imported.
"""

import contextlib
import dataclasses
import functools
import random
import time
from dataclasses import dataclass, field
from pathlib import Path

from polymask.bench import estimate, rounds, wilcoxon
from polymask.bench.result import Workload
from polymask.bench.worker import digest
from polymask.bench.worker_process import Failed, Missing, WorkerProcess
from polymask.common import confidence
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable
from polymask.ladder import reference, registry

SCHEMA = "polymask bench --against, 1"
PATIENCE = 0.15  # seconds a call: slower rungs are compared where they are asked for
MOST_PAIRS = 200
SAMPLE_S = rounds.SAMPLE_S
TURNS_S = 0.1  # what the samples of a rung take in each process of a pair,
FEWEST_TURNS, MOST_TURNS = 3, 10  # if this is enough turns for it; a slow rung has one
WARM_UP_CALLS, WARM_UP_S = 2, 0.02  # after the first mask


@dataclass(eq=False)
class Row:
    """A rung, in both builds."""

    key: str
    options: dict
    status: str = "ok"  # or "skipped", it is not in both or takes too long, or "wrong";
    reason: str = ""  # and why
    repeats: int = 0  # calls a sample,
    turns: int = 0  # and samples that each process of a pair takes
    # seconds a call, here and there, of each pair: medians of the processes' samples
    pairs_s: list[tuple[float, float]] = field(default_factory=list)
    estimate: wilcoxon.Estimate | None = None  # None without enough pairs

    @property
    def here_s(self):
        """Median seconds a call of this checkout."""
        return confidence.median([here_s for here_s, _ in self.pairs_s])

    @property
    def there_s(self):
        """Median seconds a call of the other commit."""
        return confidence.median([there_s for _, there_s in self.pairs_s])

    def give_up(self, status, reason):
        """Compare it no further."""
        self.status, self.reason = status, reason

    def record(self):
        """Return what the JSON file holds of it."""
        told = dataclasses.asdict(self)
        known = told.pop("estimate")
        if known is None:
            return told
        times = {"here_s": self.here_s, "there_s": self.there_s}
        return told | times | known | {"verdict": self.estimate.verdict}


class Comparison:
    """Holds the rungs of two trees, of `revisions`, against each other; `names` tell them apart.

    The rungs that exceed a plan's patience, by a trial on a few rows, are left out. The pairs may
    take its seconds together; there are a few whatever it says.
    """

    def __init__(self, here, there, names, plan):
        self.trees, self.names, self.plan = (here, there), names, plan
        self.right = digest(reference.mask(plan.vertices, plan.shape))
        self.order = random.Random(0)
        self.files = {}  # of each tree's modules: the digests
        keys = [rung.key for rung in registry.RUNGS] if plan.keys is None else plan.keys
        self.rows = [Row(key, plan.options.get(key, {})) for key in keys]
        self.interrupted = False

    def run(self, progress=None):
        """Compare the rungs; progress is `NullProgress` or alike."""
        progress = progress or NullProgress()
        try:
            progress.begin("checking", 2 * len(self.rows))
            for tree, name in zip(self.trees, self.names, strict=True):
                self._try_out(tree, name, progress)
            self._measure(progress)
        except KeyboardInterrupt:
            self.interrupted = True

    def only_there(self):
        """Return the keys of the other tree's registry that are not compared."""
        with self._start(1) as worker:
            found = self._ask(worker, 1, "keys") or ()
        return [key for key in found if key not in [row.key for row in self.rows]]

    def able(self):
        """Return the rows that are compared."""
        return [row for row in self.rows if row.status == "ok"]

    def outcome(self):
        """Return the rows that have enough pairs for an estimate, with it."""
        rows = self.able()
        for row in rows:
            ratios = [here_s / there_s for here_s, there_s in row.pairs_s]
            row.estimate = wilcoxon.estimate(ratios, len(rows))
        return [row for row in rows if row.estimate]

    def _start(self, which):
        return WorkerProcess(self.trees[which], self.plan.vertices, self.plan.shape)

    def _ask(self, worker, which, request):
        """Return the answer to a request that is no rung's."""
        try:
            return worker.ask(request)
        except (Missing, Failed) as failed:
            raise Unavailable(f"{self.names[which]}: its process {failed}") from None

    def _try_out(self, tree, name, progress):
        """Find the rows that a tree has not got, that take too long or whose masks are wrong."""
        waiting = self.able()
        progress.advance(len(self.rows) - len(waiting))
        while waiting:  # a rung that ends its process ends it for itself alone
            with WorkerProcess(tree, self.plan.vertices, self.plan.shape) as worker:
                while waiting:
                    row = waiting.pop(0)
                    progress.working(f"{row.key}: first call, {name}", long=True)
                    with _watched(row, name):
                        worker.ask("load", row.key, row.options)
                        if not self._exhausts(worker, row, name):
                            self._check_mask(worker, row)
                    progress.advance(1)
                    if not worker.runs():
                        break

    def _exhausts(self, worker, row, name):
        """Skip a row that takes too long; return whether it does."""
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
        """Make a process's first mask; return the seconds that it took."""
        found, seconds = worker.ask("mask", row.key)
        if found != self.right:
            raise Failed("makes a mask that is not the reference's")
        return seconds

    def _measure(self, progress):
        """Run the pairs; the first one says how many there is time for."""
        if not self.able():
            return
        fewest = wilcoxon.enough_pairs(len(self.able()))
        start = time.perf_counter()
        self._run_pair("the first pair", progress)
        pair_s = time.perf_counter() - start
        pairs = min(max(fewest, int(self.plan.seconds / pair_s)), MOST_PAIRS)
        progress.begin("measuring", pairs * pair_s)
        for number in range(1, pairs):
            progress.advance(pair_s)
            self._run_pair(f"pair {number + 1} of {pairs}", progress)

    def _run_pair(self, title, progress):
        """Start a process of each tree, and let them take turns at each row."""
        rows, first = self.able(), self.order.randrange(2)
        self.order.shuffle(rows)
        with self._start(first) as one, self._start(1 - first) as other:
            workers = (one, other) if first == 0 else (other, one)
            for row in rows:
                progress.working(f"{title}: {row.key}")
                self._take_turns(row, workers)
                if not all(worker.runs() for worker in workers):
                    return  # the other rows have a pair less
            for which, worker in enumerate(workers):
                self._check_files(which, self._ask(worker, which, "files"))

    def _take_turns(self, row, workers):
        """Sample a row in both processes; keep one time for each."""
        samples, paces = ([], []), []
        for which in self.order.sample((0, 1), 2):
            with _watched(row, self.names[which]):
                workers[which].ask("load", row.key, row.options)
                paces.append(self._check_mask(workers[which], row))
                if paces[-1] < rounds.SLOW_CALL_S:
                    paces[-1] = workers[which].ask("warm_up", row.key, WARM_UP_CALLS, WARM_UP_S)
        if row.status != "ok":
            return
        if not row.turns:
            row.repeats = max(1, round(SAMPLE_S / min(paces)))
            fewest = FEWEST_TURNS if max(paces) < rounds.SLOW_CALL_S else 1
            fitting = int(TURNS_S / (row.repeats * max(paces)))
            row.turns = min(max(fewest, fitting), MOST_TURNS)
        first = self.order.randrange(2)
        for turn in range(2 * row.turns):  # A B, B A, A B ...
            which = (first + turn + turn // 2) % 2
            with _watched(row, self.names[which]):
                samples[which].append(workers[which].ask("sample", row.key, row.repeats))
            if row.status != "ok":
                return
        row.pairs_s.append(tuple(map(confidence.median, samples)))

    def _check_files(self, which, files):
        """Hold what a process imported against where it should come from, and against before."""
        tree, known = self.trees[which], self.files.setdefault(which, {})
        places = [tree.root / "polymask", *map(Path, tree.packages.values())]
        for name, (file, found) in files.items():
            if not any(Path(file).is_relative_to(place) for place in places):
                raise RuntimeError(f"{name} of {self.names[which]} was imported from {file}")
            if known.setdefault(name, found) != found:
                raise Unavailable(f"{file} changed while it was measured", "measure again")


@contextlib.contextmanager
def _watched(row, name):
    """Let a rung's failure end the comparison of its row, and nothing else."""
    try:
        yield
    except Missing as error:
        row.give_up("skipped", f"{name}: {error}")
    except Failed as error:
        row.give_up("wrong", f"{name}: {error}")


def record(comparison, revision, machine):
    """Return what the JSON file holds, plain values.

    `revision` has the other commit's name and hash, `machine` is as it was before.
    """
    comparison.outcome()
    plan = comparison.plan
    return {
        "schema": SCHEMA,
        "interrupted": comparison.interrupted,
        "machine": dataclasses.asdict(machine),
        "against": dict(zip(("revision", "commit"), revision, strict=True)),
        "workload": dataclasses.asdict(
            Workload.of(plan.vertices, plan.shape, plan.seed, plan.polygon)
        ),
        "confidence": wilcoxon.CONFIDENCE,
        "least": wilcoxon.LEAST,
        "rows": [row.record() for row in comparison.rows],
    }
