"""`polymask labels --zarr` killed at random moments: nothing that was listed is lost.

Each kill is sent after a random time, of up to the time of a whole run. Processes are forked from a
server that has imported everything, so that kills meet the writing, not imports.
"""

import multiprocessing
import random
import time

import numpy as np
import pytest

import polymask
from polymask import cli
from polymask.files import polygon_files

pytest.importorskip("dask")
zarr = pytest.importorskip("zarr")
journal = pytest.importorskip("polymask.dask.block_journal")
SHAPE, CHUNK = (1000, 960), 50
BLOCKS = 20 * 20
FORKS = multiprocessing.get_context("forkserver")
FORKS.set_forkserver_preload(["pytest", "polymask.cli.mask", "polymask.dask.zarr_blocks", "zarr"])


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
    process = FORKS.Process(target=cli.main, args=(["labels", str(cells), *options],))
    process.start()
    return process


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
    expected = polymask.label_mask(polygon_files.read_table(cells).polygons, SHAPE)
    start(cells, tmp_path / "first").join()  # the server imports everything
    began = time.monotonic()
    start(cells, tmp_path / "whole").join()
    whole_s = time.monotonic() - began
    assert check_listed(tmp_path / "whole", expected) == BLOCKS
    choose = random.Random(kills).uniform
    folder, before = tmp_path / "0", {}
    killed = unfinished = finished = 0
    while killed < kills or finished == 0 or before:
        process = start(cells, folder)
        if killed < kills:
            process.join(choose(0, whole_s))
            process.kill()
        process.join()
        killed += process.exitcode != 0
        count = check_listed(folder, expected)
        unfinished += 0 < count < BLOCKS
        after = states(folder, listed(folder))
        assert before.items() <= after.items()
        before = after
        if process.exitcode == 0:
            np.testing.assert_array_equal(zarr.open_array(str(folder), mode="r")[:], expected)
            assert count == BLOCKS
            finished += 1
            folder, before = tmp_path / str(finished), {}
    assert kills < 50 or unfinished > 10  # the kills met the writing
