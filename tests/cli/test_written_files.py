"""Files that commands write: never an input or a file of another kind, and in pieces."""

import contextlib
import io
from pathlib import Path

import numpy as np
import pytest
from cases import folded, says
from features import SQUARE, feature, write

from polymask.cli import images


@pytest.fixture(autouse=True)
def _inputs(polymask):
    """Put a polygon and an image into the command's folder."""
    write("square.geojson", feature(SQUARE))
    np.save("image.npy", np.zeros((12, 14)))


@folded(
    "arguments",
    [
        ["labels", "square.npy", "--shape", "9x9", "-o", "square.npy"],
        ["mask", "square.geojson", "square.npy", "--shape", "9x9", "-o", "./square.npy"],
        ["stats", "image.npy", "square.csv", "-o", "square.csv"],
        ["run", "cclass.polygon", "--polygon", "square.npy", "--save", "square.npy"],
        ["bench", "--polygon", "square.csv", "--out", ".", "--json", "square.csv"],
        ["bench", "--polygon", "square.csv", "--out", ".", "--html", "square.csv"],
        ["report", "square.geojson", "--html", "square.geojson"],
    ],
)
def test_no_input_is_overwritten(error_of, arguments):
    np.save("square.npy", np.array(SQUARE, float))
    np.savetxt("square.csv", SQUARE)
    before = {file: file.read_bytes() for file in Path().iterdir()}
    assert says(error_of(*arguments), "file", "`polymask")
    assert {file: file.read_bytes() for file in Path().iterdir()} == before


@folded(
    ("arguments", "kinds"),
    [
        (["report", "result.json", "--html", "other.txt"], "--html writes .html, .htm"),
        (["profile", "python.tuples", "--size", "9", "--out", "other.txt"], "--out writes .prof, "),
        (["bench", "--out", ".", "--html", "other.txt"], "--html writes .html, .htm"),
        (["stats", "image.npy", "square.geojson", "--out", "other.txt"], "--out writes .csv"),
    ],
)
def test_a_file_of_another_kind_is_not_overwritten(error_of, arguments, kinds):
    Path("other.txt").write_text("a letter")
    Path("result.json").write_text("{}")
    err = error_of(*arguments)
    assert err.startswith(f"polymask: {kinds}")
    assert says(err, "'other.txt'", "`polymask")
    assert Path("other.txt").read_text() == "a letter"


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64])
def test_a_large_array_is_written_in_pieces(monkeypatch, dtype):
    """Ctrl-C is handled between two system calls, never within one."""
    monkeypatch.setattr(images, "AT_ONCE", 1000)
    buffer = io.BytesIO()
    sizes = []

    class Recorder:
        def open(self, _):
            return contextlib.nullcontext(self)

        def write(self, content):
            sizes.append(len(content))
            return buffer.write(content)

    image = np.random.default_rng(1).integers(0, 2, (70, 90)).astype(dtype)
    images.write_npy(Recorder(), image, None)
    assert max(sizes) <= 1000
    buffer.seek(0)
    result = np.load(buffer)
    assert result.dtype == dtype
    np.testing.assert_array_equal(result, image)
