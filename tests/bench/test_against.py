"""Two builds in alternating processes: `bench --against`, on trees of toy rungs."""

import json
import shutil
import signal

import numpy as np
import pytest
from cases import says
from checkouts import ROOT

from ladder.bench import against, revisions, rounds, wilcoxon
from ladder.bench.plan import Plan
from ladder.common import checkout
from ladder.registry import reference, workload
from polymask.common.null_progress import NullProgress
from polymask.contract import Unavailable

SHAPE = (20, 30)
RUNG = """
from pathlib import Path
import numpy as np
from ladder.toy import right
class Unavailable(RuntimeError): pass
{before}
def make_mask(vertices, shape, border_value=True, *, threads=(1, 1)):
    {first}
    return right.mask(vertices, shape)
"""
RIGHT = """
import numpy as np
def mask(vertices, shape):
    known = np.load(r"{file}")
    return known if known.shape == shape else np.zeros(shape, np.uint8)
"""


@pytest.fixture
def few_pairs(monkeypatch):
    """Measure three pairs only: these tests do not depend on the width of intervals."""
    monkeypatch.setattr(wilcoxon, "enough_pairs", lambda rows: 3)
    monkeypatch.setattr(wilcoxon, "CONFIDENCE", 0.5)


@pytest.fixture
def vertices():
    return workload.polygon(7, SHAPE)


@pytest.fixture
def tree(tmp_path, vertices):
    """Make a tree of rungs: a module's name to its code on import and at the start of each call."""
    np.save(tmp_path / "mask.npy", reference.mask(vertices, SHAPE))

    def make(name, **rungs):
        root = tmp_path / name
        (root / "ladder/registry").mkdir(parents=True)
        (root / "0_toy").mkdir()
        (root / "ladder/__init__.py").touch()
        (root / "0_toy/__init__.py").touch()
        (root / "0_toy/right.py").write_text(RIGHT.format(file=tmp_path / "mask.npy"))
        registry = "class Rung:\n    def __init__(self, key): self.key = key\n"
        keys = ", ".join(f'Rung("toy.{rung}")' for rung in rungs)
        (root / "ladder/registry/__init__.py").write_text(f"{registry}RUNGS = ({keys},)")
        for rung, (before, first) in rungs.items():
            text = RUNG.format(before=before, first=first)
            (root / "0_toy" / f"{rung}.py").write_text(text)
        return revisions.Tree(root, None, {"ladder.toy": str(root / "0_toy")})

    return make


GOOD = ("", "pass")


def compare(current, base, vertices, keys, progress=None, **options):
    plan = Plan(keys, vertices, SHAPE, seconds=0, **options)
    comparison = against.Comparison(current, base, ("this checkout", "HEAD~1"), plan)
    comparison.run(progress)
    return comparison


def statuses(comparison):
    return {row.key: (row.status, row.reason) for row in comparison.rows}


@pytest.mark.proof
def test_each_process_measures_its_own_tree(tree, vertices, few_pairs):
    """The environment has an editable install of polymask: none of its modules is measured."""
    trees = [tree("current", a=GOOD, b=GOOD), tree("base", a=GOOD, b=GOOD)]
    comparison = compare(*trees, vertices, ["toy.a", "toy.b"])
    assert statuses(comparison) == {"toy.a": ("ok", ""), "toy.b": ("ok", "")}
    for index, own in enumerate(trees):
        with comparison._start(index) as worker:
            worker.ask("load", "toy.a", {})
            files = worker.ask("files")
        assert set(files) == {"ladder", "ladder.toy", "ladder.toy.a", "ladder.toy.right"}
        assert all(file.startswith(f"{own.root}/") for file, _ in files.values())
    assert {row.key: len(row.pairs_s) for row in comparison.outcome()} == {"toy.a": 3, "toy.b": 3}
    for row in comparison.rows:
        assert all(seconds > 0 for pair in row.pairs_s for seconds in pair)


def test_a_module_of_the_environment_is_never_measured_for_the_trees(tree, vertices):
    comparison = compare(*[tree(name, a=GOOD) for name in "xy"], vertices, ["scanline.rows"])
    ((status, reason),) = statuses(comparison).values()
    assert status == "skipped"
    assert reason == "this checkout: No module named 'ladder.scanline'"


@pytest.mark.proof
def test_a_rung_that_one_tree_lacks_is_skipped(tree, vertices, few_pairs):
    current, base = tree("current", a=GOOD, new=GOOD), tree("base", a=GOOD, old=GOOD)
    comparison = compare(current, base, vertices, ["toy.a", "toy.new"])
    expected = ("skipped", "HEAD~1: No module named 'ladder.toy.new'")
    assert statuses(comparison)["toy.new"] == expected
    assert comparison.only_there() == ["toy.old"]
    assert [row.key for row in comparison.outcome()] == ["toy.a"]


def test_a_rung_that_cannot_run_is_skipped(tree, vertices):
    unavailable = ('def check(): raise Unavailable("no device: buy one")', "pass")
    comparison = compare(tree("current", a=unavailable), tree("base", a=GOOD), vertices, ["toy.a"])
    assert statuses(comparison) == {"toy.a": ("skipped", "this checkout: no device: buy one")}
    assert comparison.outcome() == []


WRONG = {
    "other": ("return 1 - right.mask(vertices, shape)", "makes a mask that differs"),
    "bool": ("return right.mask(vertices, shape).astype(bool)", "makes a mask that differs"),
    "less": ("return right.mask(vertices, shape)[:, :-1]", "makes a mask that differs"),
    "none": ("return None", "makes a mask that differs"),
    "error": ("raise OSError('no kernel')", "raised OSError: no kernel"),
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "ended by SIGSEGV"),
    "end": ("import os; os.write(2, b'ouch\\n'); os._exit(3)", "ended with code 3: ouch"),
}


@pytest.mark.proof
def test_wrong_rungs_are_named_and_the_others_go_on(tree, vertices, few_pairs):
    wrong = {name: ("", first) for name, (first, _) in WRONG.items()}
    rungs = {"a": GOOD, **wrong, "z": GOOD}
    current, base = tree("current", **dict.fromkeys(rungs, GOOD)), tree("base", **rungs)
    comparison = compare(current, base, vertices, [f"toy.{name}" for name in rungs])
    rows = statuses(comparison)
    for name, (_, reason) in WRONG.items():
        status, actual = rows[f"toy.{name}"]
        assert status == "wrong"
        assert actual.startswith(f"HEAD~1: {reason}")
    assert [row.key for row in comparison.outcome()] == ["toy.a", "toy.z"]


@pytest.mark.proof
def test_a_rung_that_fails_later_is_wrong_too(tree, vertices, few_pairs, tmp_path):
    """A tree's first process tries all rungs before the pairs are measured."""
    marker = tmp_path / "used"
    on_import = f"BEFORE = Path({str(marker)!r}).exists(); Path({str(marker)!r}).touch()"
    failing = (on_import, "import os; BEFORE and os._exit(7)")
    current, base = tree("current", a=GOOD, b=failing), tree("base", a=GOOD, b=GOOD)
    comparison = compare(current, base, vertices, ["toy.b", "toy.a"])
    assert statuses(comparison)["toy.b"] == ("wrong", "this checkout: ended with code 7")
    assert statuses(comparison)["toy.a"] == ("ok", "")


@pytest.mark.proof
def test_what_a_rung_prints_disturbs_nothing(tree, vertices, few_pairs):
    printing = ("print('loaded')", "import os; print('called'); os.write(1, b'called\\n')")
    comparison = compare(tree("current", a=printing), tree("base", a=GOOD), vertices, ["toy.a"])
    assert len(comparison.outcome()) == 1


@pytest.mark.proof
def test_options_reach_the_rung_as_they_were(tree, vertices, few_pairs):
    checking = ("", "assert threads == (2, 3), threads")
    comparison = compare(
        tree("current", a=checking),
        tree("base", a=checking),
        vertices,
        ["toy.a"],
        options={"toy.a": {"threads": (2, 3)}},
    )
    assert statuses(comparison) == {"toy.a": ("ok", "")}


def test_each_tree_is_as_often_the_first_of_two_turns(vertices):
    """A machine that warms up then affects both trees alike."""
    plan = Plan(["toy.a"], vertices, SHAPE)
    comparison = against.Comparison("current", "base", ("current", "base"), plan)
    row, turns = against.Row("toy.a", {}, repeats=1, turns=4), []

    class Worker:
        def __init__(self, which):
            self.which = which

        def ask(self, request, *_):
            if request == "sample":
                turns.append(self.which)
            return (comparison.right, rounds.SLOW_CALL_S) if request == "mask" else 1.0

    comparison._take_turns(row, (Worker(0), Worker(1)))
    assert turns in ([0, 1, 1, 0] * 2, [1, 0, 0, 1] * 2)
    assert row.pairs_s == [(1.0, 1.0)]


@pytest.mark.proof
def test_a_slow_rung_is_left_out_by_patience(tree, vertices, few_pairs):
    """A trial on a few rows shows that a call would take half an hour."""
    slow = (
        "import time; time.perf_counter = (lambda real: lambda: real() + Clock.late)"
        "(time.perf_counter)\nclass Clock: late = 0",
        "Clock.late += 100.0 * shape[0]",
    )
    comparison = compare(
        tree("current", a=slow, b=GOOD),
        tree("base", a=GOOD, b=GOOD),
        vertices,
        ["toy.a", "toy.b"],
        patience=60.0,
    )
    status, reason = statuses(comparison)["toy.a"]
    assert status == "skipped"
    assert reason.startswith("this checkout: a call takes about 2000.")
    assert reason.endswith(" s, more than --patience 60")
    assert [row.key for row in comparison.outcome()] == ["toy.b"]


@pytest.mark.proof
def test_a_file_that_changes_meanwhile_ends_the_comparison(tree, vertices, few_pairs):
    current, base = tree("current", a=GOOD), tree("base", a=GOOD)
    file = current.root / "0_toy/a.py"

    class Edit(NullProgress):
        def working(self, text, long=False):
            if text.startswith("pair 2"):
                file.write_text(file.read_text() + "# edited\n")

    with pytest.raises(Unavailable, match=r"a\.py.*again"):
        compare(current, base, vertices, ["toy.a"], progress=Edit())


@pytest.mark.proof
def test_an_interrupt_keeps_the_pairs_that_are_whole(tree, vertices, monkeypatch):
    class Interrupt(NullProgress):
        def working(self, text, long=False):
            if text.startswith("pair 3 "):
                raise KeyboardInterrupt

    monkeypatch.setattr(wilcoxon, "CONFIDENCE", 0.5)
    current, base = tree("current", a=GOOD), tree("base", a=GOOD)
    comparison = compare(current, base, vertices, ["toy.a"], progress=Interrupt())
    assert comparison.interrupted
    # for a single row, an interval with a confidence of one half
    assert [len(row.pairs_s) for row in comparison.outcome()] == [2]


@pytest.mark.proof
def test_no_process_outlives_the_comparison(tree, vertices, few_pairs):
    current, base = tree("current", a=GOOD), tree("base", a=GOOD)
    workers = []

    class RecordingComparison(against.Comparison):
        def _start(self, tree):
            workers.append(super()._start(tree))
            return workers[-1]

    plan = Plan(["toy.a"], vertices, SHAPE, seconds=0)
    comparison = RecordingComparison(current, base, ("current", "base"), plan)
    comparison.run()
    assert [worker.process.returncode for worker in workers] == [0] * 6
    with pytest.raises(ZeroDivisionError), comparison._start(0) as worker:
        raise ZeroDivisionError
    assert worker.process.returncode == -signal.SIGKILL


# The command line


@pytest.fixture
def toys(tree, monkeypatch):
    """Let the command find toy trees, whose rung replaces the registry's scanline.rows."""

    def install(current, base):
        for toys in (current, base):
            toys.packages["ladder.scanline"] = toys.packages["ladder.toy"]
        monkeypatch.setattr(revisions, "build_checkout", lambda: current)
        monkeypatch.setattr(checkout, "find", lambda *_: "0123456789abcdef" * 2 + "01234567")
        monkeypatch.setattr(revisions, "build_commit", lambda commit, tell: base)

    return install


ARGUMENTS = ["bench", "--against", "HEAD~1", "--rungs", "scanline.rows", "--shape", "20x30"]
ARGUMENTS += ["--vertices", 7, "--seconds", 0]


@pytest.mark.proof
def test_the_command_says_what_was_seen(polymask, toys, tree, few_pairs, tmp_path):
    toys(tree("current", rows=GOOD), tree("base", rows=GOOD))
    code, out, err = polymask(*ARGUMENTS, "--json", "a.json")
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["against"] == {"revision": "HEAD~1", "commit": "0123456789abcdef" * 2 + "01234567"}
    assert saved["workload"]["shape"] == list(SHAPE)
    assert len(saved["workload"]["polygon_xy"]) == 7
    (row,) = saved["rows"]
    assert row["low"] <= row["ratio"] <= row["high"]
    ratios = [current_s / base_s for current_s, base_s in row["pairs_s"]]
    assert min(ratios) <= row["ratio"] <= max(ratios)
    assert row["verdict"] in out
    assert says(out, "against", "HEAD~1")
    assert code == (row["verdict"] == wilcoxon.SLOWER)
    assert "\nmeasuring ...\n  pair 2 of 3: scanline.rows\n" in err
    assert not (tmp_path / "polymask-results").exists()


@pytest.mark.proof
@pytest.mark.parametrize(
    ("ends", "code", "text"),
    [
        ((1.2, 1.1, 1.3), 1, "slower: scanline.rows."),
        ((0.8, 0.7, 0.9), 0, "faster: scanline.rows."),
        ((1.0, 0.98, 1.03), 0, "no difference seen at this many pairs."),
    ],
)
def test_slower_gives_exit_code_1(polymask, toys, tree, few_pairs, monkeypatch, ends, code, text):
    monkeypatch.setattr(wilcoxon, "estimate", lambda ratios, rows: wilcoxon.Estimate(*ends))
    toys(tree("current", rows=GOOD), tree("base", rows=GOOD))
    exit_code, out, _ = polymask(*ARGUMENTS)
    assert exit_code == code
    assert f"This checkout, against HEAD~1: {text}" in out
    assert ("no difference seen (at most 3.0 %)" in out) == (ends[0] == 1.0)


@pytest.mark.proof
@pytest.mark.parametrize(("high", "hint"), [(1.3, True), (1.09, False)])
def test_a_noisy_row_has_a_hint(polymask, toys, tree, few_pairs, monkeypatch, high, hint):
    estimate = wilcoxon.Estimate(1.0, 1 / high, high)
    monkeypatch.setattr(wilcoxon, "estimate", lambda ratios, rows: estimate)
    toys(tree("current", rows=GOOD), tree("base", rows=GOOD))
    _, out, _ = polymask(*ARGUMENTS)
    assert ("could hide in the noise of scanline.rows" in out) == hint


def test_wrong_masks_are_reported_and_give_exit_code_1(polymask, toys, tree):
    wrong = ("", "return 1 - right.mask(vertices, shape)")
    toys(tree("current", rows=GOOD), tree("base", rows=wrong))
    code, out, _ = polymask(*ARGUMENTS)
    assert code == 1
    assert "- scanline.rows is wrong: HEAD~1: makes a mask that differs from the reference\n" in out


def test_an_unknown_revision_is_reported_in_one_line(polymask):
    code, out, err = polymask("bench", "--against", "no-such-thing")
    assert code == 2
    assert out == ""
    assert err.startswith("polymask: no-such-thing: ")
    assert err.count("\n") == 1


# The whole command, with a real commit that is built


@pytest.fixture(scope="module")
def head():
    """The build of this checkout's last commit; tests must not change its files."""
    if not (ROOT / ".git").exists():
        pytest.skip("no git checkout")
    revisions.build_checkout()
    return revisions.build_commit(checkout.find("HEAD"))


@pytest.mark.proof("ladder/bench/*")
def test_a_commit_is_built_and_all_its_masks_are_right(head, polymask, few_pairs, tmp_path):
    code, _, _ = polymask(
        *["bench", "--against", head.commit, "--size", 64, "--seconds", 0, "--json", "a.json"]
    )
    saved = json.loads((tmp_path / "a.json").read_text())
    assert saved["against"]["commit"] == head.commit
    compared = [row for row in saved["rows"] if row["status"] == "ok"]
    assert {row["status"] for row in saved["rows"]} <= {"ok", "skipped"}
    assert {"cclass.polygon", "scanline.rows", "scanline.engine"} <= {r["key"] for r in compared}
    for row in compared:
        assert len(row["pairs_s"]) >= 3
    assert code in (0, 1)


@pytest.mark.proof("ladder/bench/*")
def test_twice_the_work_is_found(head, tmp_path):
    slower = tmp_path / "slower"
    shutil.copytree(head.root, slower)
    file = slower / "9_scanline/rows.py"
    text = file.read_text(encoding="utf-8")
    doubled = text.replace("def make_mask(", "def once(") + (
        "\n\ndef make_mask(vertices, shape):\n"
        "    once(vertices, shape)\n"
        "    return once(vertices, shape)\n"
    )
    file.write_text(doubled, encoding="utf-8")
    folders = {
        name: folder.replace(str(head.root), str(slower)) for name, folder in head.packages.items()
    }
    changed = revisions.Tree(slower, None, folders)
    vertices = workload.polygon(24, (256, 256))
    plan = Plan(["scanline.rows"], vertices, (256, 256), seconds=0)
    comparison = against.Comparison(changed, head, ("changed", "HEAD"), plan)
    comparison.run()
    (row,) = comparison.outcome()
    assert row.estimate.verdict == wilcoxon.SLOWER
