"""Two builds in alternating processes, on trees of toy rungs."""

import signal

import numpy as np
import pytest
from click.testing import CliRunner

pytest.importorskip("scipy")
from benchmarks.against import __main__ as against
from benchmarks.against import comparison, pairs, trees
from ladder.bench.plan import Plan
from ladder.bench.rounds import SLOW_CALL_S
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
right = np.load(r"{file}")
def make_mask(vertices, shape, border_value=True, *, threads=(1, 1)):
    {first}
    return right
"""
GOOD = ("", "pass")


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

    def make(name, **rungs):
        root = tmp_path / name
        for folder in ("ladder", "0_toy"):
            (root / folder).mkdir(parents=True)
            (root / folder / "__init__.py").touch()
        for rung, (on_import, first) in rungs.items():
            text = RUNG.format(on_import=on_import, first=first, file=tmp_path / "mask.npy")
            (root / "0_toy" / f"{rung}.py").write_text(text)
        return trees.Tree(root, {"ladder.toy": str(root / "0_toy")})

    return make


def compare(here, there, vertices, keys, progress=None, **options):
    plan = Plan(keys, vertices, SHAPE, seconds=0, **options)
    compared = comparison.Comparison(here, there, ("this checkout", "HEAD~1"), plan)
    compared.run(progress or NullProgress())
    return compared


OTHERS = {
    "bool": ("return right.astype(bool)", "wrong", "makes a mask that differs"),
    "changed": ("return 1 - right", "wrong", "makes a mask that differs"),
    "error": ("raise OSError('no kernel')", "wrong", "raised OSError: no kernel"),
    "crash": ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "wrong", "ended by SIG"),
    "end": ("import os; os.write(2, b'ouch\\n'); os._exit(3)", "wrong", "ended with code 3"),
    "nodevice": ('raise Unavailable("no device")', "skipped", "no device"),
}


@pytest.mark.slow
def test_each_process_measures_its_own_tree_and_a_rung_that_fails_only_itself(tree, vertices):
    """Neither measures the environment, which has an editable install of polymask."""
    rungs = {"a": ("print('loaded')", "assert threads == (2, 3); import os; os.write(1, b'hello')")}
    rungs |= {name: ("", first) for name, (first, _, _) in OTHERS.items()}
    builds = tree("here", **dict.fromkeys(rungs, GOOD)), tree("there", **rungs)
    keys = [*(f"toy.{name}" for name in rungs), "scanline.rows"]
    compared = compare(*builds, vertices, keys, options={"toy.a": {"threads": (2, 3)}})
    statuses = {row.key: (row.status, row.reason) for row in compared.rows}
    missing = "this checkout: No module named 'ladder.scanline'"
    assert statuses.pop("toy.a") == ("ok", "")
    assert statuses.pop("scanline.rows") == ("skipped", missing)
    for name, (_, status, reason) in OTHERS.items():
        assert statuses[f"toy.{name}"][0] == status
        assert statuses[f"toy.{name}"][1].startswith(f"HEAD~1: {reason}")
    for digests, own in zip(compared.digests, builds, strict=True):
        assert len(digests) >= 3  # of the package, of its lesson and of the rungs
        assert all(file.startswith(f"{own.root}/") for file in digests)
    ((row),) = compared.outcome()
    assert len(row.pairs_s) >= 3
    assert all(seconds > 0 for pair in row.pairs_s for seconds in pair)


def test_each_tree_is_as_often_the_first_of_two_turns(vertices):
    """A machine that warms up then affects both trees alike."""
    plan = Plan(["toy.a"], vertices, SHAPE)
    compared = comparison.Comparison("here", "there", ("here", "there"), plan)
    (row,), turns = compared.rows, []

    class Worker:
        def __init__(self, which):
            self.which = which

        def ask(self, request, *_):
            if request == "sample":
                turns.append(self.which)
            return (compared.right, SLOW_CALL_S / 50) if request == "prepare" else 1.0

    compared.take_turns(row, (Worker(0), Worker(1)))
    assert turns in (([0, 1, 1, 0] * 3)[:10], ([1, 0, 0, 1] * 3)[:10])
    assert row.pairs_s == [(1.0, 1.0)]


class AtPair(NullProgress):
    """Calls a function when a pair begins."""

    def __init__(self, number, then):
        self.start, self.then = f"pair {number}", then

    def working(self, text, long=False):
        if text == self.start:
            self.then()


@pytest.mark.slow
def test_a_file_that_changes_ends_the_comparison(tree, vertices):
    builds = [tree("here", a=GOOD), tree("there", a=GOOD)]
    edit = AtPair(2, lambda: (builds[0].root / "ladder/__init__.py").write_text("edited = 1"))
    with pytest.raises(Unavailable, match=r"__init__\.py.*again"):
        compare(*builds, vertices, ["toy.a"], progress=edit)


@pytest.mark.slow
def test_an_interrupt_keeps_the_complete_pairs(tree, vertices):
    builds = [tree("here", a=GOOD), tree("there", a=GOOD)]
    compared = compare(*builds, vertices, ["toy.a"], AtPair(3, lambda: signal.raise_signal(2)))
    assert compared.interrupted
    assert [len(row.pairs_s) for row in compared.rows] == [2]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ends", "first", "code", "text"),
    [
        ((1.2, 1.1, 1.3), "pass", 1, "slower"),
        ((0.8, 0.7, 0.9), "pass", 0, "faster"),
        ((1.0, 0.98, 1.03), "pass", 0, "no difference seen (at most 3.0 %)"),
        ((1.0, 0.98, 1.03), "return 1 - right", 1, "is wrong: HEAD~1: makes a mask that differs"),
    ],
)
def test_slower_or_wrong_gives_exit_code_1(monkeypatch, tree, ends, first, code, text):
    """The command runs on toy trees, whose rung replaces the registry's scanline.rows."""
    here, there = tree("here", rows=GOOD), tree("there", rows=("", first))
    for toys in (here, there):
        toys.packages["ladder.scanline"] = toys.packages["ladder.toy"]
    monkeypatch.setattr(checkout, "find", lambda revision: "0" * 40)
    monkeypatch.setattr(trees, "exported", lambda commit: there.root)
    monkeypatch.setattr(trees, "build", {checkout.ROOT: here, there.root: there}.get)
    monkeypatch.setattr(pairs, "estimate", lambda ratios, rows: pairs.Estimate(*ends))
    options = {"--rungs": "scanline.rows", "--shape": "20x30", "--vertices": 7, "--seconds": 0}
    arguments = ["HEAD~1", *(str(text) for option in options.items() for text in option)]
    done = CliRunner().invoke(against.main, arguments)
    assert done.exit_code == code, done.output
    assert text in done.output


def test_an_unknown_revision_is_reported_in_one_line():
    done = CliRunner().invoke(against.main, ["no-such-thing"])
    assert done.exit_code == 2
    assert done.output.startswith("no-such-thing: ")
    assert done.output.count("\n") == 1
