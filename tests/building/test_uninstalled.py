"""Python started in sources that are not built reports that in one line, with the remedy."""

import os
import shutil
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import says
from checkouts import ROOT
from commands import ran

from ladder.common import staleness

MASK = ["mask", str(ROOT / "examples/france.csv"), "--shape", "9x9", "-o", "mask.npy"]


@pytest.mark.parametrize(
    "code",
    [
        "from polymask import polygon_mask",
        f"from polymask import cli; raise SystemExit(cli.main({MASK}))",
    ],
    ids=["import", "command"],
)
def test_a_clone_that_is_not_built(code, tmp_path):
    """Also the message after `pip install .`, as Python searches its first folder first."""
    clone = tmp_path / "clone"
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    for package in ("polymask", "ladder"):
        shutil.copytree(ROOT / package, clone / package, ignore=ignore)
    path = {"PYTHONPATH": str(Path(np.__file__).parent.parent)}  # without the editable install
    completed = ran([sys.executable, "-S", "-c", code], os.environ | path, cwd=clone)
    assert completed.returncode == 1
    line = completed.stderr.splitlines()[-1]
    assert says(line, f"is not built in {clone}", "run `make build` there")


def test_the_commands_of_the_course_refuse_to_run_the_code_of_another_clone(tmp_path):
    """As in a copied clone, whose .venv has the old clone's code."""
    file = tmp_path / "copy/ladder/common/staleness.py"
    file.parent.mkdir(parents=True)
    file.touch()
    (tmp_path / "copy/0_python").mkdir()
    code = "import sys; from polymask import cli; raise SystemExit(cli.main(sys.argv[1:]))"
    for command, exit_code in ("list", 1), ("--help", 0):
        completed = ran([sys.executable, "-c", code, command], cwd=tmp_path / "copy/0_python")
        assert completed.returncode == exit_code
        line = f"runs the code of another clone, {ROOT}: run `make build` in {tmp_path / 'copy'}\n"
        assert completed.stderr == (f"polymask: polymask {line}" if exit_code else "")


def test_a_moved_clone_is_recognised_by_the_note_of_its_environment(tmp_path, monkeypatch):
    monkeypatch.setattr(staleness, "ROOT", tmp_path)
    monkeypatch.setattr(sys, "prefix", str(tmp_path / ".venv"))
    monkeypatch.chdir(tmp_path)
    assert staleness.other_clone() == ""  # not by make
    (tmp_path / ".venv").mkdir()
    for folder, message in (tmp_path, ""), (tmp_path / "old", "this clone was moved or copied"):
        (tmp_path / ".venv/here").write_text(f"{folder} (3, 11)\n")
        assert staleness.other_clone().partition(":")[0] == message
