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


@pytest.fixture
def sources(tmp_path):
    """The packages' sources as in a clone before `make build`."""
    ignore = shutil.ignore_patterns("*.so", "__pycache__")
    for package in ("polymask", "ladder"):
        shutil.copytree(ROOT / package, tmp_path / "clone" / package, ignore=ignore)
    return tmp_path / "clone"


def last_line(sources, code, *paths):
    """Run Python in a folder, without the editable install; return the last line of its errors."""
    path = os.pathsep.join(map(str, [Path(np.__file__).parent.parent, *paths]))
    command = [sys.executable, "-S", "-c", code]
    completed = ran(command, {"PYTHONPATH": path}, cwd=sources, encoding="utf-8")
    assert completed.returncode == 1
    return completed.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    "code",
    [
        "from polymask import polygon_mask",
        "import polymask; polymask.coverage",
        "from polymask import cli; raise SystemExit(cli.main({arguments}))",
    ],
)
def test_a_clone_that_is_not_built(sources, code):
    """Also the message after `pip install .`, as Python searches its first folder first."""
    arguments = ["mask", str(ROOT / "examples/france.csv"), "--shape", "9x9", "-o", "mask.npy"]
    line = last_line(sources, code.format(arguments=arguments))
    assert says(line, f"is not built in {sources}", "run `make build` there")


def test_bad_input_of_a_command_in_a_clone_that_is_not_built(sources):
    (sources / "a.csv").write_text("x, y\n")
    arguments = ["mask", "a.csv", "--shape", "9x9", "-o", "mask.npy"]
    code = f"from polymask import cli; print(cli.main({arguments})); raise SystemExit(1)"
    assert last_line(sources, code).startswith("polymask: a.csv")


def test_other_modules_that_are_missing_are_just_that(sources):
    line = last_line(sources, "import polymask.nothing")
    assert line == "ModuleNotFoundError: No module named 'polymask.nothing'"
