"""Answers that are not the student's own work or that share memory, and the copied files."""

import dataclasses
import re

import pytest
from cases import folded

from ladder.workshop import exercises
from ladder.workshop.sandbox import imports, masks
from ladder.workshop.sandbox.check_failed import CheckFailed
from ladder.workshop.student import check as checking

RING = """
right, rings = make_mask, {}
def make_mask(vertices, shape, border_value=True):
    mask = right(vertices, shape, border_value)
    ring = rings.setdefault(tuple(shape), [np.empty(shape, np.uint8) for _ in range(16)])
    ring.append(ring.pop(0))
    ring[0][...] = mask
    return ring[0]
"""
LEAK = """
right, kept = make_mask, []
def make_mask(vertices, shape, border_value=True):
    mask = right(vertices, shape, border_value)
    kept.append(mask.repeat(64))  # enough even if few masks are made in the time
    return mask
"""


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (RING, "they lie in 16 arrays: each call needs an array of its own"),
        (LEAK, "MB were not freed"),
    ],
)
def test_many_masks_share_no_memory_and_give_it_back(more, message, load_answer):
    with pytest.raises(CheckFailed, match=message):
        masks.check_many(load_answer(more), 200)


@folded(
    ("text", "refused"),
    [
        ("import numpy, polymask\nfrom polymask import contract\npolymask.__file__", None),
        ("from polymask.contract import check\nfrom . import numba\nfrom .jax import x", None),
        ("from ladder.opencl.pixels import context", None),  # allowed by the exercise
        ("import ladder.opencl.pixels as pixels", None),
        ("def f():\n    from ladder.registry import reference", "not ladder.registry.reference"),
        ("from ladder.cclass.polygon import make_mask", "not ladder.cclass.polygon.make_mask"),
        ("import ladder.opencl.elementwise", "not ladder.opencl.elementwise"),
        ("import polymask\npolymask.polygon_mask()", "not polymask.polygon_mask"),
        ("if True:\n    import numpy as np, numba.cuda", "is to be done without numba"),
        ("import pyopencl", None),  # needed by the exercise
        ("from polymask import (\n    contract,\n)", None),
        ('"""To try it,\nimport numba first.\n"""', None),
        ('if __name__ == "__main__":\n    import numba', None),
        ("def main():\n    from ladder.registry import workload", None),
    ],
)
@folded("suffix", [".py", ".pyx"])
def test_foreign_code_is_refused_with_its_line(text, refused, suffix, tmp_path):
    if suffix == ".pyx" and ("polymask.polygon_mask()" in text or "main" in text):
        return  # in Cython files only statements are read
    exercise = exercises.get("vectorize")
    file = tmp_path / f"answer{suffix}"
    file.write_bytes(b"# -*- coding: latin-1 -*-\n# \xe4\n" + text.encode())
    exercise = dataclasses.replace(
        exercise, files={file.name: ""}, allows=("ladder.opencl.pixels",)
    )
    if refused is None:
        imports.check(exercise, tmp_path, {"pyopencl"})
        return
    with pytest.raises(CheckFailed, match=refused) as wrong:
        imports.check(exercise, tmp_path, {"pyopencl"})
    lines = text.splitlines()
    assert str(wrong.value).startswith(f"answer{suffix}, line {2 + len(lines)}: this exercise is ")


@folded(
    "line",
    [
        "from ladder.cclass.polygon cimport Polygon",
        "from ladder.registry import (\n    workload,\n)",
    ],
)
def test_imports_of_cython_are_checked(line, tmp_path):
    (tmp_path / "typed.pyx").write_text(f"cimport cython\n{line}\n")
    with pytest.raises(CheckFailed, match=r"typed\.pyx, line 2: this exercise is your own work"):
        imports.check(exercises.get("type"), tmp_path, set())


@pytest.mark.slow
def test_a_module_beside_the_answer_imports_nothing_finished_either(workshop):
    workshop.answer.write_text("import mine\nmake_mask = mine.make_mask\n")
    finished = "from ladder.python.vectorized import make_mask\n"
    (workshop.answer.parent / "mine.py").write_text(finished)
    (workshop.answer.parent / "notes.py").write_text(finished)  # which the answer does not import
    outcome = checking.check(exercises.get("vectorize"), workshop.folder)
    assert outcome.message.startswith("mine.py, line 1: this exercise is your own work: an answer")


# Files


@pytest.mark.slow
def test_the_answer_is_taken_once(workshop, monkeypatch):
    """A file that changes while a prompt waits is not measured."""
    workshop.solve()
    lazy = "import numpy as np\ndef make_mask(v, shape, b=True): return np.zeros(shape, np.uint8)\n"
    outcome = checking.check(
        exercises.get("vectorize"),
        workshop.folder,
        before_speed=lambda: workshop.answer.write_text(lazy),
        force=True,
    )
    assert outcome.correct
    assert workshop.answer.read_text() == lazy
    assert "pixels are wrong" not in outcome.message


@pytest.mark.slow
def test_a_module_of_ones_own_may_lie_beside_the_answer(workshop):
    workshop.solve()
    text = workshop.answer.read_text().replace("inside ^= crosses", "inside ^= mine.same(crosses)")
    workshop.answer.write_text("import mine\n" + text)
    (workshop.answer.parent / "mine.py").write_text("same = lambda crosses: crosses\n")
    (workshop.answer.parent / "large.bin").write_bytes(b"0" * 2**21)
    (workshop.answer.parent / "linked.py").symlink_to("/etc/passwd")
    outcome = checking.check(exercises.get("vectorize"), workshop.folder, force=True)
    assert outcome.correct, outcome.message
    source = workshop.folder / "build" / "vectorize" / "source"
    names = {file.name for file in source.iterdir()}
    assert names == {"mine.py", "task.md", "vectorized.py"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("head", "encoding", "message"),
    [
        ("# ä\n", "latin-1", r"cannot be read \(.*\): save it as UTF-8"),
        ("# ä\n", "utf-16", r"cannot be read \(.*\): save it as UTF-8"),
        ("# -*- coding: latin-1 -*-\n# ä\n", "latin-1", ""),
        ("# ä\n", "utf-8-sig", ""),
        ("# -*- coding: klingon -*-\n", "utf-8", "unknown encoding: klingon"),
    ],
)
def test_a_file_in_another_encoding_is_read_or_refused(workshop, head, encoding, message):
    workshop.solve()
    text = head + workshop.answer.read_text()
    workshop.answer.write_bytes(text.encode(encoding))
    outcome = checking.check(exercises.get("vectorize"), workshop.folder, force=True)
    assert outcome.correct == (not message), outcome.message
    assert re.search(message, outcome.message)
