"""Shortcuts that looked like success: each is found, or is of no use any more."""

import contextlib
import random
import sys
import time
from pathlib import Path

import judge
import pytest

from polymask.workshop import exercises
from polymask.workshop.sandbox import cases, examine, failures, masks, process
from polymask.workshop.sandbox.wrong import Wrong
from polymask.workshop.student import check as checking


@pytest.fixture
def checked(answer_of):
    """Let the mask's own checks look at the solution of `vectorize`, with lines after it."""

    def look(more):
        drawn = [*cases.fixed(), *cases.drawn(5)]
        given = answer_of("vectorize", f"\n{more}\n")
        masks.check(given, drawn, examine.expected(drawn), random.Random(5))

    return look


HEAD = "right = make_mask\n"
FOUND = {
    "the verdict is written, and the process left": (
        """
import glob, json, os
def make_mask(vertices, shape, border_value=True):
    for fd in range(3, 64):
        for said in (b'{"passed": true}', json.dumps({"value": None}).encode()):
            try:
                os.write(fd, said + b"\\n")
            except OSError:
                pass
    os._exit(0)
""",
        failures.Stopped,
        "making a mask of a triangle",
    ),
    "an array that answers for the comparison": (
        """
class Always(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __ne__(self, other): return np.zeros(self.shape, bool)
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    return np.zeros(shape, np.uint8).view(Always)
""",
        Wrong,
        "expected a plain NumPy array, got Always",
    ),
    "a cache of nearly equal polygons": (
        HEAD
        + """
known = {}
def make_mask(vertices, shape, border_value=True):
    key = np.round(np.asarray(vertices, complex).real, 1).tobytes(), tuple(shape), border_value
    if key not in known:
        known[key] = right(vertices, shape, border_value)
    return known[key].copy()
""",
        Wrong,
        "moved by .*: .* pixels are wrong",
    ),
    "an array that a thread fills later": (
        HEAD
        + """
import threading
def make_mask(vertices, shape, border_value=True):
    vertices, shape, border_value = contract.check(vertices, shape, border_value)
    mask = np.zeros(shape, np.uint8)
    fill = lambda: mask.__setitem__(..., right(vertices, shape, border_value))
    threading.Timer(0.02, fill).start()
    return mask
""",
        Wrong,
        "all zeros",
    ),
    "a ring of buffers": (
        HEAD
        + """
rings = {}
def make_mask(vertices, shape, border_value=True):
    mask = right(vertices, shape, border_value)
    ring = rings.setdefault(tuple(shape), [np.empty(shape, np.uint8) for _ in range(16)])
    ring.append(ring.pop(0))
    ring[0][...] = mask
    return ring[0]
""",
        Wrong,
        "they lie in 16 places: each call needs an array of its own",
    ),
    "a leak": (
        HEAD
        + """
kept = []
def make_mask(vertices, shape, border_value=True):
    kept.append(right(vertices, shape, border_value))
    return kept[-1].copy()
""",
        Wrong,
        "MB of memory did not come back",
    ),
    "the reference is asked": (
        """
def make_mask(vertices, shape, border_value=True):
    from polymask.ladder import reference
    return reference.mask(vertices, shape, border_value)
""",
        failures.Failed,
        "this exercise is your own work: of polymask an answer may import polymask.contract",
    ),
    "another rung is asked": (
        """
import importlib
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    return importlib.import_module("polymask.cclass.polygon").make_mask(vertices, shape)
""",
        failures.Failed,
        "not polymask.cclass",
    ),
    "the library is asked": (
        """
import polymask
def make_mask(vertices, shape, border_value=True):
    return polymask.polygon_mask(vertices, shape)
""",
        failures.Failed,
        "not polymask.masks",
    ),
    "an extension module is loaded by its path": (
        """
import importlib.machinery, importlib.util, pathlib
root = pathlib.Path(contract.__file__).parent
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    file = str(next(root.glob("masks/_engine.*.so")))
    loader = importlib.machinery.ExtensionFileLoader("_engine", file)
    spec = importlib.util.spec_from_file_location("_engine", file, loader=loader)
    return importlib.util.module_from_spec(spec)
""",
        failures.Failed,
        "an answer may import polymask.contract, .*, not _engine",
    ),
    "a library is loaded by its path": (
        """
import ctypes, pathlib
root = pathlib.Path(contract.__file__).parent
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    return ctypes.CDLL(str(next(root.glob("masks/_engine.*.so"))))
""",
        failures.Failed,
        "an answer may import polymask.contract, .*, not _engine",
    ),
    "another compiler is asked": (
        """
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    import numba
""",
        failures.Failed,
        "this exercise is to be done without numba",
    ),
    "the importers are exchanged": (
        """
import sys
def make_mask(vertices, shape, border_value=True):
    sys.meta_path[:] = [one for one in sys.meta_path if isinstance(one, type)]
    import polymask
    return polymask.polygon_mask(vertices, shape)
""",
        failures.Failed,
        "not polymask.",
    ),
    "another process is asked": (
        """
import subprocess, sys
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    subprocess.run([sys.executable, "-c", "import polymask; polymask.polygon_mask"])
""",
        failures.Failed,
        "it may not start another process",
    ),
    "what was imported is looked for": (
        """
import sys
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    raise KeyError(sorted(name for name in sys.modules if name.startswith("polymask")))
""",
        failures.Failed,
        r"\['polymask', ('polymask\.common[.\w]*', )*'polymask.contract'\]",
    ),
}


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize("way", FOUND)
def test_a_shortcut_is_found(way, checked):
    more, kind, message = FOUND[way]
    with pytest.raises(kind, match=message):
        checked(more)


PATCHED = (
    HEAD
    + """
import time
time.perf_counter = time.monotonic = lambda: 0.0
np.array_equal = lambda *arguments: True
np.count_nonzero = lambda *arguments: 0
def make_mask(vertices, shape, border_value=True):
    return {}
"""
)


@pytest.mark.proof(*judge.JUDGE)
def test_patches_of_clock_and_comparison_stay_in_the_answers_process(checked):
    checked(PATCHED.format("right(vertices, shape, border_value)"))
    with pytest.raises(Wrong, match="pixels are wrong"):
        checked(PATCHED.format("1 - right(vertices, shape, border_value)"))


# Processes that outlive their time


DAEMON = """
import os, pathlib, time
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        pathlib.Path({there!r} + "part").write_text(str(os.getpid()))
        os.replace({there!r} + "part", {there!r})  # whoever sees it reads all of it
        while True:
            time.sleep(60)
    os._exit(0)
while not os.path.exists({there!r}):
    time.sleep(0.01)
"""


def is_alive(folder):
    with contextlib.suppress(OSError):
        return process.alive(folder)
    return False


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux tells who has a mark")
@pytest.mark.parametrize("ends", ["", "while True: pass", "os._exit(3)"])
def test_a_daemon_is_ended_with_the_check(ends, answer_of, tmp_path):
    there = tmp_path / "daemon"
    given = answer_of("profile", DAEMON.format(there=str(there)) + ends)
    if "while" in ends:
        given._start.keywords["seconds"] = 6.0
    with contextlib.suppress(failures.Stopped):
        given.begun()
    number = there.read_text()
    given.close()
    folder, patience = Path("/proc") / number, time.monotonic() + 30
    while time.monotonic() < patience and is_alive(folder):  # it was ended, and is ending
        time.sleep(0.01)
    assert not is_alive(folder)


@pytest.mark.proof(*judge.JUDGE)
def test_time_without_an_answer_is_not_waited_for(answer_of):
    given = answer_of("vectorize", "\nwhile True: pass\n")
    given._start.keywords["seconds"] = 0.5
    begun = time.monotonic()
    with pytest.raises(failures.Stopped) as stopped:
        given.begun()
    assert stopped.value.ended.timed_out
    assert stopped.value.doing == "importing it"
    assert time.monotonic() - begun < 100


# Files


@pytest.mark.proof(*judge.JUDGE)
def test_the_answer_is_taken_once(workshop, monkeypatch):
    """What is exchanged while a prompt waits is not measured."""
    workshop.solve()
    lazy = "import numpy as np\ndef make_mask(v, shape, b=True): return np.zeros(shape, np.uint8)\n"
    outcome = checking.check(
        exercises.get("vectorize"),
        workshop.where,
        before_speed=lambda: workshop.answer.write_text(lazy),
        force=True,
    )
    assert outcome.correct
    assert workshop.answer.read_text() == lazy
    assert "pixels are wrong" not in outcome.message


@pytest.mark.proof(*judge.JUDGE)
def test_a_module_of_ones_own_may_lie_beside_the_answer(workshop):
    workshop.solve()
    text = workshop.answer.read_text().replace("inside ^= crosses", "inside ^= mine.same(crosses)")
    workshop.answer.write_text("import mine\n" + text)
    (workshop.answer.parent / "mine.py").write_text("same = lambda crosses: crosses\n")
    (workshop.answer.parent / "large.bin").write_bytes(b"0" * 2**21)
    (workshop.answer.parent / "linked.py").symlink_to("/etc/passwd")
    outcome = checking.check(exercises.get("vectorize"), workshop.where, force=True)
    assert outcome.correct, outcome.message
    source = workshop.where / "build" / "vectorize" / "source"
    names = {file.name for file in source.iterdir()}
    assert names == {"mine.py", "task.md", "vectorized.py"}


@pytest.mark.proof(*judge.JUDGE)
def test_a_package_of_ones_own_may_lie_beside_the_answer(workshop):
    workshop.solve()
    text = workshop.answer.read_text().replace("inside ^= crosses", "inside ^= same(crosses)")
    workshop.answer.write_text(f"from teile.kanten import same\n{text}")
    beside = workshop.answer.parent
    for name in ("__pycache__", "inner", "build"):
        (beside / "teile" / name).mkdir(parents=True)
        (beside / "teile" / name / "one.py").touch()
    (beside / "teile" / "kanten.py").write_text("same = lambda crosses: crosses\n")
    (beside / "teile" / "points.txt").touch()
    (beside / "teile" / "large.py").write_bytes(b"#" * 2**21)
    (beside / "teile" / "linked.py").symlink_to("/etc/passwd")
    (beside / "linked").symlink_to(beside / "teile")
    (beside / "teile" / "round").symlink_to(beside)
    deep = beside.joinpath(*"abcde")
    deep.mkdir(parents=True)
    (deep / "deep.py").touch()
    (deep.parent / "less_deep.py").touch()
    outcome = checking.check(exercises.get("vectorize"), workshop.where, force=True)
    assert outcome.correct, outcome.message
    source = workshop.where / "build" / "vectorize" / "source"
    copied = {f.relative_to(source).as_posix() for f in source.rglob("*") if not f.is_dir()}
    assert {name for name in copied if "/" in name} == {
        "teile/kanten.py", "teile/inner/one.py", "a/b/c/d/less_deep.py"
    }  # fmt: skip
    (beside / "teile" / "kanten.py").write_text("def same(crosses):\n    return crosses.none\n")
    outcome = checking.check(exercises.get("vectorize"), workshop.where)
    assert outcome.message.startswith("teile/kanten.py, line 2: AttributeError")


def test_a_folder_full_of_others_code_is_not_copied(workshop):
    workshop.solve()
    (workshop.answer.parent / "more").mkdir()
    for number in range(201):
        (workshop.answer.parent / "more" / f"of{number}.py").touch()
    outcome = checking.check(exercises.get("vectorize"), workshop.where)
    assert outcome.message.startswith("more than 200 files of code lie in folders beside")


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize(
    ("head", "encoding", "message"),
    [
        ("# ä\n", "latin-1", "cannot be read as utf-8: the byte 0xe4 in line 1"),
        ("# ä\n", "utf-16", "no UTF-8: .* look like UTF-16"),
        ("# -*- coding: latin-1 -*-\n# ä\n", "latin-1", ""),
        ("# ä\n", "utf-8-sig", ""),
        ("# -*- coding: klingon -*-\n", "utf-8", "names an encoding that Python does not know"),
    ],
)
def test_a_file_of_another_encoding_is_read_or_told(workshop, head, encoding, message):
    workshop.solve()
    text = head + workshop.answer.read_text()
    workshop.answer.write_bytes(text.encode(encoding))
    outcome = checking.check(exercises.get("vectorize"), workshop.where, force=True)
    assert outcome.correct == (not message), outcome.message
    assert __import__("re").search(message, outcome.message)
