"""Shortcuts that looked like success: each is found, or is of no use any more."""

import re

import judge
import pytest

from polymask.workshop import exercises
from polymask.workshop.student import check as checking

HEAD = "right = make_mask\n"
FOUND = {
    "an array of a class of its own": (
        """
class Own(np.ndarray):
    pass
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    return np.zeros(shape, np.uint8).view(Own)
""",
        "expected a plain NumPy array, got Own",
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
        "MB of memory did not come back",
    ),
    "the reference is asked": (
        """
def make_mask(vertices, shape, border_value=True):
    from polymask.ladder import reference
    return reference.mask(vertices, shape, border_value)
""",
        "this exercise is your own work: of polymask an answer may import polymask.contract",
    ),
    "another rung is asked": (
        """
def make_mask(vertices, shape, border_value=True):
    from polymask.cclass import polygon
    return polygon.make_mask(vertices, shape, border_value)
""",
        "not polymask.cclass",
    ),
    "the library is asked": (
        """
import polymask
def make_mask(vertices, shape, border_value=True):
    return polymask.polygon_mask(vertices, shape)
""",
        "not polymask.polygon_mask",
    ),
    "another compiler is asked": (
        """
def make_mask(vertices, shape, border_value=True):
    contract.check(vertices, shape, border_value)
    import numba
""",
        "this exercise is to be done without numba",
    ),
}


@pytest.mark.proof(*judge.JUDGE)
@pytest.mark.parametrize("way", FOUND)
def test_a_shortcut_is_found(way, checked):
    more, message = FOUND[way]
    said = checked("vectorize", more=f"\n{more}\n").message
    assert re.search(message, said), said


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
    assert re.search(message, outcome.message)
