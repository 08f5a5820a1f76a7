"""`polymask labels --zarr` killed at random moments: nothing that was listed is lost.

Each kill is sent after a random time between the start of a process and the time that a whole run
takes, so it also meets imports, the first files, and the end.
"""

import random
import subprocess
import sys
import time

import numpy as np
import pytest

import polymask
from polymask.geodata import files

pytest.importorskip("dask")
zarr = pytest.importorskip("zarr")
journal = pytest.importorskip("polymask.dask.block_journal")
SHAPE, CHUNK = (1000, 960), 50


@pytest.fixture(scope="module")
def cells(tmp_path_factory):
    """A file of squares, which leave a quarter of the blocks empty."""
    generator = np.random.default_rng(0)
    centres = generator.uniform(0, 860, (400, 1, 2))
    square = generator.uniform(3, 25, (400, 1, 1)) * [(-1, -1), (1, -1), (1, 1), (-1, 1)]
    file = tmp_path_factory.mktemp("cells") / "cells.csv"
    rows = np.pad(centres + square, ((0, 0), (0, 1), (0, 0)), constant_values=np.nan)
    np.savetxt(file, rows.reshape(-1, 2), delimiter=",")
    return file


def start(cells, folder):
    options = ["--shape", f"{SHAPE[0]}x{SHAPE[1]}", "--chunk", str(CHUNK), "--zarr", str(folder)]
    command = [sys.executable, "-m", "polymask", "labels", str(cells), *options]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def listed(folder):
    """Return the numbers of nonzero pixels of the listed blocks."""
    try:
        lines = (folder / journal.NAME).read_text().splitlines()[1:]
    except FileNotFoundError:
        return {}
    counts = (tuple(map(int, line.split())) for line in lines)
    return {(row, col): nonzeros for row, col, nonzeros in counts}


def states(folder, blocks):
    """Return the identity and time of the chunk's file of each block that has one."""
    files = {block: folder / str(block[0]) / str(block[1]) for block in blocks}
    return {
        block: (file.stat().st_ino, file.stat().st_mtime_ns)
        for block, file in files.items()
        if file.exists()
    }


def check_listed(folder, expected):
    """Check the pixels of the listed blocks of an unfinished image; return their number."""
    blocks = listed(folder)
    if blocks:
        array = zarr.open_array(str(folder), mode="r")
        for row, col in blocks:
            region = np.s_[CHUNK * row : CHUNK * (row + 1), CHUNK * col : CHUNK * (col + 1)]
            np.testing.assert_array_equal(array[region], expected[region])
    return len(blocks)


@pytest.mark.parametrize(
    "kills",
    [pytest.param(5, marks=pytest.mark.slow), pytest.param(50, marks=pytest.mark.weekly)],
)
def test_kills_at_random_moments(cells, tmp_path, kills):
    expected = polymask.label_mask(files.read_table(cells).polygons, SHAPE)
    began = time.monotonic()
    assert start(cells, tmp_path / "whole").wait() == 0
    whole_s = time.monotonic() - began
    choose = random.Random(kills).uniform
    number, done, unfinished = 0, 0, 0
    folder, before = tmp_path / "0", {}
    while done < kills:
        process = start(cells, folder)
        try:
            process.wait(timeout=choose(0, whole_s))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            done += 1
            unfinished += 0 < check_listed(folder, expected) < np.prod(-(-np.array(SHAPE) // CHUNK))
        finished = process.returncode == 0
        after = states(folder, listed(folder))
        assert before.items() <= after.items()
        before = after
        if finished:
            np.testing.assert_array_equal(zarr.open_array(str(folder), mode="r")[:], expected)
            number += 1
            folder, before = tmp_path / str(number), {}
    assert start(cells, folder).wait() == 0
    np.testing.assert_array_equal(zarr.open_array(str(folder), mode="r")[:], expected)
    assert before.items() <= states(folder, listed(folder)).items()
    assert kills < 50 or unfinished > 10  # the kills met the writing
