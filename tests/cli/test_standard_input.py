"""`-` is standard input, for polygons and images; a file of that name is ./-."""

import io
import json
import os
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from cases import folded
from PIL import Image

import polymask

SQUARE = [[1, 1], [8, 1], [8, 6], [1, 6]]
SHAPE = (9, 12)
MASK = polymask.polygon_mask(SQUARE, SHAPE, dtype=np.uint8)
GEOJSON = json.dumps({"type": "Polygon", "coordinates": [[*SQUARE, SQUARE[0]]]}).encode()
TEXT = "\n".join(f"{x} {y}" for x, y in SQUARE).encode()


def content_of(save, *arguments, **options):
    file = io.BytesIO()
    save(file, *arguments, **options)
    return file.getvalue()


NPY = content_of(np.save, np.array(SQUARE))
IMAGES = {
    "npy": content_of(np.save, MASK),
    "npz": content_of(np.savez, labels=MASK),
    "png": content_of(Image.fromarray(MASK).save, "png"),
    "tif": content_of(Image.fromarray(MASK).save, "tiff"),
}


@pytest.fixture
def feed(polymask, monkeypatch):
    """Run a command with bytes on standard input."""

    def run(content, *arguments):
        with io.TextIOWrapper(io.BytesIO(content)) as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            return polymask(*arguments)

    return run


@pytest.mark.parametrize("content", [GEOJSON, TEXT, NPY], ids=["geojson", "text", "npy"])
def test_polygons(feed, content):
    for command in ("mask", "labels"):
        assert feed(content, command, "-", "--shape", "9x12", "-o", "out.npy")[0] == 0
        np.testing.assert_array_equal(np.load("out.npy"), MASK)
    np.save("image.npy", np.ones(SHAPE))
    _, out, _ = feed(content, "stats", "image.npy", "-")
    assert out == f"count,sum,mean,min,max\n{MASK.sum()},{MASK.sum()},1,1,1\n"
    save = ("--shape", "9x12", "--save", "out.npy")
    assert feed(content, "run", "cclass.polygon", "--polygon", "-", *save)[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), MASK)


@pytest.mark.parametrize("kind", IMAGES)
def test_images(feed, kind):
    Path("square.csv").write_bytes(TEXT)
    assert feed(IMAGES[kind], "outline", "-", "-o", "out.geojson")[0] == 0
    expected = polymask.labels_to_rings(MASK, form="geojson")
    assert json.loads(Path("out.geojson").read_text()) == expected
    _, out, _ = feed(IMAGES[kind], "stats", "-", "square.csv")
    assert out == f"count,sum,mean,min,max\n{MASK.sum()},{MASK.sum()},1,1,1\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names")
@pytest.mark.parametrize(
    ("content", "code"), [(NPY, 0), (b"", 2), (b"no array", 2)], ids=["array", "empty", "text"]
)
def test_polygons_from_a_pipe_with_the_suffix_of_arrays(feed, content, code):
    os.mkfifo("pipe.npy")
    writer = threading.Thread(target=Path("pipe.npy").write_bytes, args=[content], daemon=True)
    writer.start()
    exit_code, _, err = feed(b"", "mask", "pipe.npy", "--shape", "9x12", "-o", "out.npy")
    writer.join()
    assert exit_code == code
    if code:
        assert err.startswith("polymask: pipe.npy: not an .npy file of numbers")
    else:
        np.testing.assert_array_equal(np.load("out.npy"), MASK)


@folded(
    ("content", "arguments", "message"),
    [
        (b"", ["mask", "-", "--shape", "9x9", "-o", "o.npy"], "standard input: no line has two"),
        (b"{", ["mask", "-", "--shape", "9x9", "-o", "o.npy"], "standard input: not JSON: line 1"),
        (b"", ["outline", "-", "-o", "o.json"], "standard input: is empty"),
        (b"", ["mask", "-", "-", "--shape", "9x9", "-o", "o.npy"], "can be read only once"),
        (b"", ["stats", "-", "-"], "can be read only once"),
        (b"", ["report", "-"], "'-' does not exist"),
    ],
)
def test_bad_input(feed, content, arguments, message):
    code, _, err = feed(content, *arguments)
    assert (code, message in err) == (2, True)
    assert not list(Path().glob("o.*"))


def test_a_file_of_that_name(feed):
    Path("-").write_bytes(GEOJSON)
    assert feed(b"", "mask", "./-", "--shape", "9x12", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), MASK)
