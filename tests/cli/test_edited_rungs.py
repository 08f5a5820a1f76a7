"""A rung after a student's edit: errors name the fault, its place, and the edited file."""

import re
import subprocess

import numpy as np
import pytest
from cases import says

from ladder import registry
from ladder.cli import edits
from ladder.registry import reference, workload

SHAPE = (30, 64)
RIGHT = reference.mask(workload.polygon(24, SHAPE), SHAPE)
ONE_MORE = RIGHT.copy()
ONE_MORE[17, 5] ^= 1


@pytest.fixture
def run(polymask, monkeypatch):
    """Run a rung that calls a function, for example one that returns a mask."""

    def run(make_mask, files=()):
        monkeypatch.setattr(registry.Rung, "load", lambda _: lambda *_, **__: make_mask())
        monkeypatch.setattr(edits, "edited_files", lambda: list(files))
        return polymask("run", "cython.typed", "--shape", "30x64")

    return run


@pytest.mark.parametrize(
    ("mask", "message"),
    [
        (ONE_MORE, f"1 of 1920 pixels .* row 17, column 5: {ONE_MORE[17, 5]}, expected"),
        (np.zeros_like(RIGHT), "all zeros"),
        (RIGHT.T.copy(), r"expected the shape \(30, 64\)"),
        (RIGHT.astype(int), "dtype"),
        (None, "returned None"),
    ],
)
def test_a_wrong_mask_is_an_error_that_names_the_edited_file(run, mask, message):
    code, _, err = run(lambda: mask, ["1_cython/typed.pyx"])
    assert code == 1
    assert re.search(f"^polymask: cython.typed: .*{message}", err)
    assert "`git diff 1_cython/typed.pyx`" in err
    assert "defect" not in err
    assert "report it" in run(lambda: mask)[2]


def test_errors_of_an_edited_rung_are_not_defects(run):
    def fail():
        raise IndexError("7")

    code, _, err = run(fail, ["0_python/tuples.py", "csrc/mask.cl"])
    assert code == 1
    assert says(err, "0_python/tuples.py", "csrc/mask.cl", "changed")
    assert "IndexError" in err
    assert run(fail)[0] == 3


def test_the_edited_files_are_those_of_rungs_and_csrc(tmp_path, monkeypatch):
    for name in (
        "0_python/tuples.py",
        "csrc/mask.cl",
        "polymask/masks/polygon.py",
        "1_cython/typed.pyx",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("a\n")
    monkeypatch.setattr(edits, "ROOT", tmp_path)
    assert edits.edited_files() == []  # no repository
    author = ("-c", "user.name=a", "-c", "user.email=a")
    for command in (("init", "-q"), ("add", "."), (*author, "commit", "-qm", "a")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    assert edits.edited_files() == []
    for name in ("0_python/tuples.py", "csrc/mask.cl", "polymask/masks/polygon.py"):
        (tmp_path / name).write_text("b\n")
    assert edits.edited_files() == ["0_python/tuples.py", "csrc/mask.cl"]
