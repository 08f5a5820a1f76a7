"""The examples in lesson 7 check their own results, here on every engine that works."""

import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from checkouts import ROOT
from PIL import Image

from ladder.devices import opencl
from polymask import contract
from polymask.cuda import cupy_library

EXAMPLES = ROOT / "7_offload" / "examples"


@pytest.fixture(params=["host", "opencl", "cuda"])
def example(request, tmp_path):
    """Run an example in a new process, with one engine; return its output."""
    checks = {"cuda": cupy_library.with_device, "opencl": opencl.check}
    if request.param in checks:
        try:
            checks[request.param]()
        except contract.Unavailable as unavailable:
            pytest.skip(str(unavailable))
    elif not shutil.which(os.environ.get("CC", "cc").split()[0]):
        pytest.skip("the host engine needs a C compiler")

    def run(name, *arguments):
        done = subprocess.run(
            [sys.executable, EXAMPLES / f"{name}.py", *arguments],
            cwd=tmp_path,
            env=os.environ | {"POLYMASK_OFFLOAD_DEVICES": request.param},
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    run.engine = request.param
    return run


@pytest.mark.slow
@pytest.mark.parametrize("name", ["double_it", "two_streams", "protocol"])
def test_it_runs_and_finds_its_result_right(example, name):
    assert example(name)


def test_shuffle_swaps_the_halves(example):
    swapped = [*range(16, 32), *range(16)]
    assert list(map(int, example("shuffle").strip("[]\n").split())) == swapped


def test_asleep_says_that_the_device_is_not_done_when_the_calls_have_returned(example):
    output = example("asleep")
    assert "the device is still asleep, and the array still contains 0" in output
    assert "now the array contains 3" in output


@pytest.mark.slow
@pytest.mark.parametrize("n", [1, 30, 65])  # tiles of 4 x 8: smaller than one, and with remainders
def test_dgemm_is_right_at_sizes_that_are_no_multiples_of_a_tile(example, n):
    names = [line[:13].strip() for line in example("dgemm", str(n)).splitlines()]
    assert [name for name in names if name != "OpenBLAS"] == [
        "plain arrays",
        "bound arrays",
        "pointers",
        "NumPy",
    ]


def test_compress_writes_pictures_that_come_nearer_to_the_mask(example, tmp_path):
    lines = example("compress", "pictures here").splitlines()[1:]
    wrong = [float(line.split()[-1].rstrip("%")) for line in lines]
    assert wrong == sorted(wrong, reverse=True)
    assert wrong[0] > 5
    assert wrong[-1] < 1
    pictures = sorted((tmp_path / "pictures here").glob("*.png"))
    assert [picture.stem for picture in pictures] == ["001", "004", "016", "064"]
    last = np.asarray(Image.open(pictures[-1]))
    assert last.shape == (256, 256)
    assert np.mean((last == 0) | (last == 255)) > 0.2
