"""Two builds in alternating processes, on trees of toy rungs."""

import signal
import textwrap

import numpy as np
import pytest
from checkouts import ROOT
from click.testing import CliRunner

pytest.importorskip("scipy")
from benchmarks.against import __main__ as against
from benchmarks.against import comparison, pairs, trees, worker
from ladder.bench import rounds
from ladder.bench.plan import Plan
from ladder.common import checkout
from ladder.registry import reference, workload
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

SHAPE = (20, 30)
RUNG = """
from pathlib import Path
import numpy as np
class Unavailable(RuntimeError): pass
{on_import}
def right(shape):
    known = np.load(r"{file}")
    return known if known.shape == shape else np.zeros(shape, np.uint8)
def make_mask(vertices, shape, border_value=True, *, threads=(1, 1)):
    {first}
    return right(shape)
"""
GOOD = ("", "pass")
COMMIT = "0123456789abcdef" * 2 + "01234567"


@pytest.fixture(autouse=True)
def _few_pairs(monkeypatch):
    """Measure three pairs only: these tests do not depend on the width of intervals."""
    monkeypatch.setattr(pairs, "enough_pairs", lambda rows: 3)
    monkeypatch.setattr(pairs, "CONFIDENCE", 0.5)


@pytest.fixture
def vertices():
    return workload.polygon(7, SHAPE)


@pytest.fixture
def tree(tmp_path, vertices):
    """Make a tree of rungs: a module's name to its code on import and at the start of each call."""
    np.save(tmp_path / "mask.npy", reference.mask(vertices, SHAPE))

    def make(name, package="ladder", **rungs):
        root = tmp_path / name
        for folder in (package, "0_toy"):
            (root / folder).mkdir(parents=True)
            (root / folder / "__init__.py").touch()
        for rung, (on_import, first) in rungs.items():
            text = RUNG.format(on_import=on_import, first=first, file=tmp_path / "mask.npy")
            (root / "0_toy" / f"{rung}.py").write_text(text)
        return trees.Tree(root, {f"{package}.toy": str(root / "0_toy")})

    return make


def compare(current, base, vertices, keys, progress=None, **options):
    plan = Plan(keys, vertices, SHAPE, seconds=0, **options)
    compared = comparison.Comparison(current, base, ("this checkout", "HEAD~1"), plan)
    compared.run(progress)
    return compared


def statuses(compared):
    return {row.key: (row.status, row.reason) for row in compared.rows}


@pytest.mark.slow
def test_each_process_measures_its_own_tree(tree, vertices):
    """Neither measures the environment, which has an editable install of polymask.

    Commits before the ladder had its own package have their rungs in polymask.
    """
    builds = [tree("current", a=GOOD), tree("base", package="polymask", a=GOOD)]
    compared = compare(*builds, vertices, ["toy.a", "scanline.rows"])
    assert statuses(compared) == {
        "toy.a": ("ok", ""),
        "scanline.rows": ("skipped", "this checkout: No module named 'ladder.scanline'"),
    }
    for digests, own in zip(compared.digests, builds, strict=True):
        assert len(digests) == 3  # of the package, of its lesson and of the rung
        assert all(file.startswith(f"{own.root}/") for file in digests)
    ((row),) = compared.outcome()
    assert len(row.pairs_s) == 3
    assert all(seconds > 0 for pair in row.pairs_s for seconds in pair)


OTHERS = {
    "changed": ("return 1 - right(shape)", "wrong", "makes a mask that differs"),
    "bool": ("return right(shape).astype(bool)", "wrong", "makes a mask that differs"),
    "less": ("return right(shape)[:, :-1]", "wrong", "makes a mask that differs"),
    "none": ("return None", "wrong", "makes a mask that differs"),
    "error": ("raise OSError('no kernel')", "wrong", "raised OSError: no kernel"),
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "wrong", "ended by SIG"),
    "end": ("import os; os.write(2, b'ouch\\n'); os._exit(3)", "wrong", "ended with code 3"),
    "nodevice": ('raise Unavailable("no device")', "skipped", "no device"),
}


@pytest.mark.slow
def test_a_rung_that_fails_does_not_affect_the_others(tree, vertices, tmp_path):
    """A rung may fail in its first process, or in a later one."""
    marker = tmp_path / "used"
    on_import = f"BEFORE = Path({str(marker)!r}).exists(); Path({str(marker)!r}).touch()"
    rungs = {"a": ("print('loaded')", "import os; os.write(1, b'called\\n')")}
    rungs |= {name: ("", first) for name, (first, _, _) in OTHERS.items()}
    rungs["later"] = (on_import, "import os; BEFORE and os._exit(7)")
    current, base = tree("current", **dict.fromkeys(rungs, GOOD)), tree("base", **rungs)
    rows = statuses(compare(current, base, vertices, [f"toy.{name}" for name in rungs]))
    assert rows.pop("toy.a") == ("ok", "")
    expected = {name: others for name, (_, *others) in OTHERS.items()}
    for name, (status, reason) in (expected | {"later": ("wrong", "ended with code 7")}).items():
        assert rows[f"toy.{name}"][0] == status
        assert rows[f"toy.{name}"][1].startswith(f"HEAD~1: {reason}")


@pytest.mark.slow
def test_options_reach_the_rung_and_slow_rungs_are_skipped(tree, vertices):
    """A trial on a few rows shows that a call would take half an hour."""
    checking = ("", "assert threads == (2, 3), threads")
    late = (
        "import time; time.perf_counter = (lambda real: lambda: real() + Clock.late)"
        "(time.perf_counter)\nclass Clock: late = 0",
        "Clock.late += 100.0 * shape[0]",
    )
    builds = [tree(name, late=late, a=checking) for name in ("current", "base")]
    settings = {"options": {"toy.a": {"threads": (2, 3)}}, "patience": 60.0}
    rows = statuses(compare(*builds, vertices, ["toy.a", "toy.late"], **settings))
    assert rows["toy.a"] == ("ok", "")
    assert rows["toy.late"][0] == "skipped"
    assert rows["toy.late"][1].endswith(" s, more than --patience 60")


def test_each_tree_is_as_often_the_first_of_two_turns(vertices):
    """A machine that warms up then affects both trees alike."""
    plan = Plan(["toy.a"], vertices, SHAPE)
    compared = comparison.Comparison("current", "base", ("current", "base"), plan)
    row, turns = comparison.Row("toy.a", {}, repeats=1, turns=4), []

    class Worker:
        def __init__(self, which):
            self.which = which

        def ask(self, request, *_):
            if request == "sample":
                turns.append(self.which)
            return (compared.right, rounds.SLOW_CALL_S) if request == "mask" else 1.0

    compared._take_turns(row, (Worker(0), Worker(1)))
    assert turns in ([0, 1, 1, 0] * 2, [1, 0, 0, 1] * 2)
    assert row.pairs_s == [(1.0, 1.0)]


class AtPair(NullProgress):
    """Calls a function when a pair begins."""

    def __init__(self, number, then):
        self.start, self.then = f"pair {number} ", then

    def working(self, text, long=False):
        if text.startswith(self.start):
            self.then()


@pytest.mark.slow
def test_a_file_that_changes_ends_the_comparison(tree, vertices):
    builds = [tree("current", a=GOOD), tree("base", a=GOOD)]
    edit = AtPair(2, lambda: (builds[0].root / "0_toy/a.py").write_text("make_mask = print"))
    with pytest.raises(Unavailable, match=r"a\.py.*again"):
        compare(*builds, vertices, ["toy.a"], progress=edit)


@pytest.mark.slow
def test_an_interrupt_keeps_the_complete_pairs_and_no_process(tree, vertices, monkeypatch):
    builds, workers = [tree("current", a=GOOD), tree("base", a=GOOD)], []
    start = comparison.Comparison._start
    monkeypatch.setattr(
        comparison.Comparison,
        "_start",
        lambda self, side: workers.append(start(self, side)) or workers[-1],
    )
    compared = compare(*builds, vertices, ["toy.a"], AtPair(3, lambda: signal.raise_signal(2)))
    assert compared.interrupted
    assert [len(row.pairs_s) for row in compared.rows] == [2]
    assert all(worker.process.returncode is not None for worker in workers)


def test_time_without_a_core_counts_only_with_several_threads(monkeypatch):
    """A rung waits 4 of 10 seconds for a core; one of its threads may have had it."""
    times = dict.fromkeys(("perf_counter", "thread_time", "process_time", "seconds"), 0.0)
    clocks = type("Clocks", (), {name: lambda self, n=name: times[n] for name in times})()
    monkeypatch.setattr(worker, "time", clocks)
    toy = worker.Worker([(0, 0), (1, 0), (0, 1)], (2, 3))
    toy.starved = clocks

    def call(vertices, shape):
        spent = {"perf_counter": 10, "seconds": 4, "thread_time": 5, "process_time": 5 + others}
        times.update({name: times[name] + seconds for name, seconds in spent.items()})

    toy.calls["toy"] = call
    others = 0
    assert toy.sample("toy", 3) == pytest.approx(6.0)
    others = 3
    assert toy.sample("toy", 3) == pytest.approx(10.0)
    assert worker.StarvedTime().seconds() >= 0


# The command


@pytest.fixture
def run(monkeypatch):
    """Run the command on toy trees, whose rung replaces the registry's scanline.rows."""

    def command(current, base):
        for toys in (current, base):
            toys.packages["ladder.scanline"] = toys.packages["ladder.toy"]
        monkeypatch.setattr(trees, "build_checkout", lambda: current)
        monkeypatch.setattr(checkout, "find", lambda *_: COMMIT)
        monkeypatch.setattr(trees, "build_commit", lambda commit: base)
        options = {"--rungs": "scanline.rows", "--shape": "20x30", "--vertices": 7, "--seconds": 0}
        arguments = ["HEAD~1", *(str(text) for option in options.items() for text in option)]
        return CliRunner().invoke(against.main, arguments)

    return command


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "code", "text"),
    [
        ((1.2, 1.1, 1.3), 1, "slower: scanline.rows."),
        ((0.8, 0.7, 0.9), 0, "faster: scanline.rows."),
        ((1.0, 0.98, 1.03), 0, "no difference seen at this many pairs."),
    ],
)
def test_slower_gives_exit_code_1(run, tree, monkeypatch, ends, code, text):
    monkeypatch.setattr(pairs, "estimate", lambda ratios, rows: pairs.Estimate(*ends))
    done = run(tree("current", rows=GOOD), tree("base", rows=GOOD))
    assert done.exit_code == code, done.output
    assert f"This checkout, against HEAD~1: {text}" in done.output
    assert f"{ends[0]:.3f}  {ends[1]:.3f}–{ends[2]:.3f}" in done.output


@pytest.mark.slow
def test_a_wrong_mask_gives_exit_code_1(run, tree):
    done = run(tree("current", rows=GOOD), tree("base", rows=("", "return 1 - right(shape)")))
    assert done.exit_code == 1
    assert "- scanline.rows is wrong: HEAD~1: makes a mask that differs" in done.output


def test_an_unknown_revision_is_reported_in_one_line():
    done = CliRunner().invoke(against.main, ["no-such-thing"])
    assert done.exit_code == 2
    assert done.output.startswith("no-such-thing: ")
    assert done.output.count("\n") == 1


@pytest.mark.weekly
def test_twice_the_work_of_a_real_commit_is_found(tmp_path, monkeypatch):
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    monkeypatch.undo()  # as many pairs as are enough
    trees.build_checkout()
    head = trees.build_commit(checkout.find("HEAD"))
    lesson = tmp_path / "9_scanline"
    lesson.mkdir()
    for file in (ROOT / "9_scanline").glob("*.py"):
        (lesson / file.name).write_bytes(file.read_bytes())
    text = (lesson / "rows.py").read_text(encoding="utf-8").replace("def make_mask(", "def once(")
    text += textwrap.dedent("""
        def make_mask(vertices, shape):
            once(vertices, shape)
            return once(vertices, shape)
    """)
    (lesson / "rows.py").write_text(text, encoding="utf-8")
    changed = trees.Tree(head.root, head.packages | {"ladder.scanline": str(lesson)})
    plan = Plan(["scanline.rows"], workload.polygon(24, (256, 256)), (256, 256), seconds=0)
    compared = comparison.Comparison(changed, head, ("changed", "HEAD"), plan)
    compared.run()
    (row,) = compared.outcome()
    assert row.estimate.verdict == pairs.SLOWER
