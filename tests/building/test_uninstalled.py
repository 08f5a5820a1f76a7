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
