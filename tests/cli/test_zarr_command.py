"""`polymask mask` and `polymask labels` with --zarr: images written by blocks."""

import sys
from pathlib import Path

import numpy as np
import pytest
from features import HOLE, SMALL, SQUARE, feature, write

import polymask
from polymask import cli

lazy = pytest.importorskip("polymask.dask")
zarr = pytest.importorskip("zarr")
TO_ZARR = "two.geojson", "--shape", "12x14", "--zarr", "out.zarr"


@pytest.fixture
def run(polymask):
    """Run a command in an empty folder with two features in it."""
    lake = feature(SQUARE, HOLE, kind="lake", id=40)
    write("two.geojson", lake, feature(SMALL, kind="field", id=7))
    return polymask


def values():
    return zarr.open_array("out.zarr", mode="r")[:]


@pytest.mark.parametrize(
    "arguments",
    [
        ["mask"],
        ["labels", "--label", "id", "--all-touched"],
        ["labels", "--on-top", "first", "--bounds", "0,0,10,10"],
        ["labels", "--label", "id", "--fit"],
    ],
)
def test_array_equals_the_array_in_memory(run, arguments):
    code, out, _ = run(*arguments, *TO_ZARR, "--chunk", "5")
    assert code == 0
    assert run(*arguments, *TO_ZARR[:3], "-o", "out.npy")[1].split(":")[0] == out.split(":")[0]
    expected = np.load("out.npy")
    assert values().dtype == expected.dtype
    np.testing.assert_array_equal(values(), expected)
    assert zarr.open_array("out.zarr", mode="r").chunks == (5, 5)


@pytest.mark.parametrize("bounds", [[], ["--bounds", "0,0,14,12"]])
def test_stats_and_outline_read_what_was_written(run, error_of, bounds):
    draw = "labels", *TO_ZARR[:3], "--label", "kind", *bounds
    run(*draw, "--zarr", "out.zarr", "--chunk", "5")
    run(*draw, "-o", "out.npz")
    code, out, _ = run("stats", "out.zarr", "two.geojson")
    assert (code, out) == (0, run("stats", "out.npz", "two.geojson", *bounds)[1])
    assert run("stats", "out.zarr", "two.geojson", "--pixels")[1] != out or not bounds
    assert run("outline", "out.zarr", "-o", "zarr.geojson")[0] == 0
    run("outline", "out.npz", *bounds, "-o", "npz.geojson")
    assert Path("zarr.geojson").read_text() == Path("npz.geojson").read_text()
    assert "field" in Path("zarr.geojson").read_text()
    journal = Path("out.zarr/.polymask-blocks")
    journal.write_bytes(journal.read_bytes()[:-2])
    for command in ["stats", "out.zarr", "two.geojson"], ["outline", "out.zarr", "-o", "a.geojson"]:
        assert "out.zarr: only 8 of 9 blocks" in error_of(*command)
    run(*draw, "--zarr", "out.zarr", "--chunk", "5")
    Path("out.zarr/0/0").unlink()
    assert "out.zarr: only 8 of 9 blocks" in error_of("stats", "out.zarr", "two.geojson")


def test_stats_of_fractions(run):
    run("coverage", *TO_ZARR, "--chunk", "5")
    run("coverage", *TO_ZARR[:3], "-o", "out.npy")
    table = run("stats", "out.zarr", "two.geojson")[1]
    assert table == run("stats", "out.npy", "two.geojson")[1]


@pytest.mark.parametrize(
    ("attributes", "message"),
    [
        ({"bounds": 5}, "`bounds` is not a list of W, S, E, N"),
        ({"bounds": [0, 0, 10**400, 12]}, "`bounds` is not a list"),
        ({"bounds": [14, 0, 0, 12]}, "W < E"),
        ({"names": 7}, "`names` is not a list of texts"),
    ],
)
def test_attributes_of_another_form(run, error_of, attributes, message):
    image = lazy.label_mask([SQUARE], (12, 14), chunks=5)
    lazy.write_zarr(image, "own.zarr", attributes=attributes)
    for command in ["stats", "own.zarr", "two.geojson"], ["outline", "own.zarr", "-o", "a.geojson"]:
        assert message in error_of(*command)
    code = run("stats", "own.zarr", "two.geojson", "--pixels")[0]
    assert code == (0 if "bounds" in attributes else 2)


def test_same_command_continues_and_another_is_refused(run, capsys):
    assert run("labels", *TO_ZARR, "--chunk", "5")[0] == 0
    before = values()
    code, _, err = run("labels", *TO_ZARR, "--chunk", "5")
    assert (code, "9 of 9 blocks" in err) == (0, True)
    for other in (["labels", *TO_ZARR, "--chunk", "6"], ["mask", *TO_ZARR, "--chunk", "5"]):
        assert cli.main(other) == 2
        message = capsys.readouterr().err.splitlines()[-1]
        assert "--overwrite" in message
        np.testing.assert_array_equal(values(), before)
    assert run("mask", *TO_ZARR, "--chunk", "5", "--overwrite")[0] == 0
    np.testing.assert_array_equal(values(), before > 0)


@pytest.mark.parametrize(
    "arguments",
    [
        TO_ZARR[:3],
        [*TO_ZARR, "-o", "out.npy"],
        [*TO_ZARR[:3], "-o", "out.npy", "--chunk", "5"],
        [*TO_ZARR[:3], "-o", "out.npy", "--overwrite"],
        [*TO_ZARR, "--chunk", "0"],
        ["two.geojson", "--shape", "0x4", "--zarr", "out.zarr"],
        ["two.geojson", "--shape", "5x4", "--zarr", "missing/out.zarr"],
        ["two.geojson", "--shape", "5x4", "--zarr", "two.geojson"],
    ],
)
def test_wrong_combinations(run, capsys, arguments):
    assert cli.main(["mask", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)


@pytest.mark.parametrize("missing", ["dask", "zarr"])
def test_missing_libraries_are_named(run, capsys, monkeypatch, missing):
    if missing == "dask":
        for module in [name for name in sys.modules if name.startswith("polymask.dask")]:
            monkeypatch.delitem(sys.modules, module)
        monkeypatch.delattr(polymask, "dask", raising=False)
    monkeypatch.setitem(sys.modules, missing, None)
    assert cli.main(["mask", *TO_ZARR]) == 1
    assert "pip install" in capsys.readouterr().err.splitlines()[-1]
    assert not Path("out.zarr").exists()
