"""Standard streams that are closed, full, or not read to the end."""

import os
import shlex
import subprocess
import sys

import numpy as np
import pytest

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs a POSIX shell")
FULL = pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")


@pytest.fixture
def shell(tmp_path):
    """Run a shell line with `polymask` as a command, in a folder with a polygon and an image."""
    (tmp_path / "square.csv").write_text("1 1\n8 1\n8 6\n1 6\n")
    np.save(tmp_path / "image.npy", np.ones((9, 9)))
    command = f"{shlex.quote(sys.executable)} -m polymask"

    def run(line, unbuffered=""):
        return subprocess.run(
            ["bash", "-o", "pipefail", "-c", line.replace("polymask", command)],
            cwd=tmp_path,
            env=os.environ | {"PYTHONUNBUFFERED": unbuffered},
            capture_output=True,
            text=True,
            check=False,
        )

    return run


COUNT = 7 * 5 + 3  # pixels without the right and lower border, except their vertices
MASK = "polymask mask square.csv --shape 9x9 -o out.npy"


@pytest.mark.slow
@pytest.mark.parametrize("line", [f"{MASK} 2>&1 | true", f"{MASK} 2>&-", f"{MASK} <&- >&- 2>&-"])
def test_the_mask_is_written_without_a_reader(shell, tmp_path, line):
    job = shell(line)
    assert job.returncode == 0
    assert "Error" not in job.stderr
    assert np.load(tmp_path / "out.npy").sum() == COUNT


@pytest.mark.slow
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_has_seen_enough(shell, unbuffered):
    for line in ("polymask list | head -1", "polymask show python.tuples | true"):
        job = shell(line, unbuffered)
        assert (job.returncode, job.stderr) == (0, "")
        assert job.stdout.count("\n") == (line.endswith("head -1"))


@FULL
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_full_disk_behind_standard_output(shell, unbuffered):
    job = shell("polymask stats image.npy square.csv >/dev/full", unbuffered)
    assert job.returncode == 2
    assert job.stderr.endswith(
        "polymask: cannot write standard output: no space left on its disk: "
        "free some, or write elsewhere\n"
    )
    assert job.stderr.count("\n") <= 3  # lines of progress come first
