"""`polymask mask` and `labels --label`: masks and label images of real files."""

import functools
import json
import re
import sys
from pathlib import Path

import numpy as np
import pytest
from cases import folded
from checkouts import ROOT
from features import HOLE, SHAPE, SMALL, SQUARE, feature, of, write
from PIL import Image

import polymask
from polymask import cli

WORLD = ROOT / "examples" / "countries.geojson"


@pytest.fixture
def mask(polymask):
    """Run `polymask mask` in an empty folder with two features in it."""
    lake = feature(SQUARE, HOLE, kind="lake", id=40)
    write("two.geojson", lake, feature(SMALL, kind="field", id=7))
    return functools.partial(polymask, "mask")


@pytest.fixture
def labelled(polymask, mask):
    """Run `polymask labels` in the same folder."""
    return functools.partial(polymask, "labels")


def expected(*rings):
    return polymask.polygon_mask(list(rings), SHAPE, dtype=np.uint8)


def test_mask_of_all_features(mask):
    code, out, _ = mask("two.geojson", "--shape", "12x14", "-o", "out.npy")
    assert code == 0
    assert out.startswith("2 features, 12 x 14 pixels, ")
    both = expected(SQUARE, HOLE) | expected(SMALL)
    np.testing.assert_array_equal(np.load("out.npy"), both)
    assert mask("two.geojson", "--shape", "12x14", "-o", "out.png")[0] == 0
    np.testing.assert_array_equal(np.asarray(Image.open("out.png")), 255 * both)


@folded(
    ("corners", "side", "words"),
    [
        ([(20, 20, 50, 50)], 1000, ""),
        ([(100, 20, 300, 90)], 2000, ""),
        ([(19.5, 19.5, 50.5, 50.5)], 1000, ""),
        ([(20.25, 20, 50, 50)], 1000, "almost none of the image.*--bounds"),
        ([(1.25, 40, 1.5, 40.25)], 1000, "no pixel.*--bounds"),
        ([(1100, 20, 1300, 50)], 1000, "no pixel.*--bounds"),
        ([(20, 20, 50, 50)] * 3 + [(-9, 2, -3, 9)], 60, "1 feature outside the image.*60$"),
    ],
)
def test_pixels_are_not_degrees(mask, corners, side, words):
    boxes = ([[a, b], [c, b], [c, d], [a, d], [a, b]] for a, b, c, d in corners)
    write("a.geojson", *map(feature, boxes))
    code, _, err = mask("a.geojson", "--shape", f"{side}x{side}", "-o", "out.npy")
    assert (code, "span" in err) == (0, bool(words))
    assert re.search(words, err, re.M), err
    _, _, err = mask(WORLD, "--shape", "1000x1000", "-o", "out.npy")
    assert "--bounds" in err


def test_that_nothing_is_left(mask, labelled):
    point = of("Point", coordinates=[1, 1], id=None)
    write("points.geojson", point, point)
    code, _, err = mask("points.geojson", "--shape", "9x9", "--skip", "-o", "out.npy")
    assert (code, err.splitlines()[0]) == (0, "left out: 2 Point; nothing is left")
    write("none.geojson", feature(SQUARE, id=None))
    _, _, err = labelled("none.geojson", "--shape", "9x9", "--label", "id", "-o", "out.npy")
    assert "nothing is left" in err


def test_other_properties_are_numbered_and_named(labelled):
    assert labelled("two.geojson", "--shape", "12x14", "--label", "kind", "-o", "out.npz")[0] == 0
    with np.load("out.npz") as arrays:
        assert arrays["names"].tolist() == ["field", "lake"]
        labels = 2 * expected(SQUARE, HOLE)
        labels[expected(SMALL) == 1] = 1
        np.testing.assert_array_equal(arrays["labels"], labels)


def test_features_without_the_property_are_left_out(labelled):
    """They neither get a class of their own nor overwrite labels beneath them with 0."""
    blank = feature([[0, 0], [14, 0], [14, 12], [0, 12]], id=None)
    write("some.geojson", feature(SMALL, kind="field", id=7), blank, feature(SQUARE, HOLE, id=40))
    code, _, err = labelled("some.geojson", "--shape", "12x14", "--label", "kind", "-o", "out.npz")
    assert code == 0
    assert "left out: 2 features without the property 'kind'\n" in err
    with np.load("out.npz") as arrays:
        assert arrays["names"].tolist() == ["field"]
        np.testing.assert_array_equal(arrays["labels"], expected(SMALL))
    code, _, err = labelled("some.geojson", "--shape", "12x14", "--label", "id", "-o", "out.npy")
    assert "left out: 1 feature without the property 'id'\n" in err
    labels = 7 * expected(SMALL)
    labels[expected(SQUARE, HOLE) == 1] = 40
    np.testing.assert_array_equal(np.load("out.npy"), labels)


def test_other_geometries_can_be_skipped(mask, capsys):
    point, line = of("Point", coordinates=[1, 2]), of("LineString", coordinates=[[1, 2], [3, 4]])
    collection = of("GeometryCollection")
    geometries = [point["geometry"], feature(SMALL)["geometry"]]
    collection["geometry"] = {"type": "GeometryCollection", "geometries": geometries}
    write("some.geojson", point, collection, line, point)
    for command in ("mask", "labels"):
        arguments = [command, "some.geojson", "--shape", "12x14", "-o", "out.npy"]
        assert cli.main(arguments) == 2
        kinds = "2 Point, 1 Point in a GeometryCollection, 1 LineString"
        message = f"some.geojson: not only polygons, but {kinds}"
        assert capsys.readouterr().err == f"polymask: {message}. Use --skip to omit these\n"
        assert cli.main([*arguments, "--skip"]) == 0
        err = capsys.readouterr().err
        assert err.startswith(f"left out: {kinds}\n")
        number = 1 if command == "mask" else 2  # features keep their numbers
        np.testing.assert_array_equal(np.load("out.npy"), number * expected(SMALL))
    assert cli.main([*arguments[:2], "two.geojson", *arguments[2:]]) == 2
    assert capsys.readouterr().err.startswith("polymask: the files: not only polygons")
    broken = feature([(1, 1), (3, 1), (2, float("nan"))])
    write("bad.geojson", of("Circle"), broken, feature(SMALL))
    assert mask("bad.geojson", *arguments[2:])[0] == 2
    assert cli.main([command, "bad.geojson", *arguments[2:], "--skip"]) == 0
    err = capsys.readouterr().err
    assert "left out: 2 invalid polygon" in err
    assert "1 (vertex 2 is not finite" in err
    np.testing.assert_array_equal(np.load("out.npy"), 3 * expected(SMALL))


@pytest.mark.parametrize("command", ["mask", "labels"])
def test_an_image_that_no_polygon_meets_is_noted(mask, capsys, command):
    arguments = [command, "two.geojson", "--shape", "12x14", "-o", "out.npy", "--bounds"]
    assert cli.main([*arguments, "500000,6000000,500140,6000120"]) == 0
    err = capsys.readouterr().err
    assert err.endswith(
        "no pixel is in a polygon: polygons span x 1 to 12 and y 1 to 9, the image x 500000 to "
        "500140 and y 6000000 to 6000120. Are their coordinate reference systems the same?\n"
    )
    assert cli.main([*arguments, "-28,0,-14,12"]) == 0  # the polygons are to its right
    assert capsys.readouterr().err.endswith(". Are their coordinate reference systems the same?\n")
    assert cli.main([*arguments, "0,0,1400,1200"]) == 0  # they meet, but no sample is inside
    assert capsys.readouterr().err.endswith("the image x 0 to 1400 and y 0 to 1200\n")
    assert cli.main([*arguments, "0,0,14,12"]) == 0
    assert "no pixel" not in capsys.readouterr().err


@pytest.mark.parametrize("command", ["mask", "labels"])
def test_a_tif_with_bounds_is_a_map(polymask, mask, command, monkeypatch):
    rasterio = pytest.importorskip("rasterio")
    arguments = [command, "two.geojson", "--shape", "12x14", "-o", "out.tif"]
    assert cli.main([*arguments, "--bounds=-7,40.5,0,43.5"]) == 0
    with rasterio.open("out.tif") as dataset:
        assert tuple(dataset.transform)[:6] == (0.5, 0, -7, 0, -0.25, 43.5)
        assert tuple(dataset.bounds) == (-7, 40.5, 0, 43.5)
    assert cli.main(arguments) == 0
    with pytest.warns(rasterio.errors.NotGeoreferencedWarning):
        assert rasterio.open("out.tif").transform.is_identity
    monkeypatch.setitem(sys.modules, "rasterio", None)
    code, _, err = polymask(*arguments, "--bounds=-7,40.5,0,43.5")
    assert (code, "pip install rasterio" in err) == (1, True)
    assert polymask(*arguments)[0] == 0


@pytest.mark.parametrize(
    ("largest", "name", "mode"),
    [
        (255, "out.png", "P"),
        (255, "out.tif", "L"),
        (300, "out.tif", "I;16"),
        (65535, "out.tif", "I;16"),
        (65536, "out.tif", "I"),
    ],
)
def test_a_picture_has_the_bits_that_its_labels_need(labelled, largest, name, mode):
    Path("one.geojson").write_text(json.dumps(feature(SMALL, id=largest)))
    assert labelled("one.geojson", "--shape", "12x14", "--label", "id", "-o", name)[0] == 0
    with Image.open(name) as picture:
        assert picture.mode == mode
        assert np.asarray(picture).max() == largest


@pytest.mark.parametrize("command", ["mask", "labels"])
def test_sides_of_a_map_through_centres(polymask, command):
    """The east and the south side are inside, no lone corner, and all sides at the poles."""
    west, east = (
        feature([[x, -90], [x + 180, -90], [x + 180, 90], [x, 90], [x, -90]]) for x in (-180, 0)
    )
    write("halves.geojson", west, east)
    grid = "--shape", "19x36", "--bounds", "-175,-95,185,95"  # centres at -170, 90 and so on
    assert polymask(command, "halves.geojson", *grid, "-o", "out.npy")[0] == 0
    image = np.load("out.npy")
    halves = [1, 1] if command == "mask" else [1, 2]
    np.testing.assert_array_equal(image, np.tile(np.repeat(halves, 18), (19, 1)))
    write("box.geojson", feature([[-20, 10], [0, 10], [0, 40], [-20, 40], [-20, 10]]))
    assert polymask(command, "box.geojson", *grid, "-o", "out.npy")[0] == 0
    places = [[row, col] for row in (6, 7, 8) for col in (16, 17)]
    assert np.argwhere(np.load("out.npy")).tolist() == places


def test_bounds_put_north_up_and_sample_at_centres(mask):
    """A map of 14 x 12 degrees on as many pixels: row r has its centre at 12 - r - 0.5."""
    assert mask("two.geojson", "--shape", "12x14", "--bounds", "0,0,14,12", "-o", "out.npy")[0] == 0
    image = np.load("out.npy")
    assert image[12 - 9 : 12 - 6, 4:12].all()  # the upper part of SMALL, y from 6 to 9
    assert not image[: 12 - 9].any()
    assert not image[12 - 4 + 1 : 12 - 2, 3:4].any()  # the hole
    assert image.sum() == 7 * 5 - 3 * 2 + 8 * 6 - (4 * 3 - 2 * 1)


def test_fit_fills_the_image(mask):
    assert mask("two.geojson", "--shape", "120x140", "--fit", "-o", "out.npy")[0] == 0
    rows, cols = np.nonzero(np.load("out.npy"))
    assert cols.max() - cols.min() > 0.9 * 140
    assert rows.min() > 5  # 8 units high, 11 wide: room above and below


@folded(
    ("arguments", "message"),
    [
        (["-o", "out.bmp"], "--out writes .npy, .png, .tif, .tiff, .npz"),
        (["-o", "none/out.npy"], "there is no folder none"),
        (["-o", ""], "the name is empty: is a variable unset?"),
        (["-o", "o" * 300 + ".npy"], ".npy: File name too long"),
        (["--fit", "--bounds", "0,0,1,1"], "exclude"),
        (["--bounds", "0,0,1"], "W,S,E,N"),
        (["--bounds", "3,0,1,1"], "W < E"),
        (["--bounds=-inf,0,1,1"], "finite"),
        (["--bounds=0,0,1e-320,1"], "too close"),
        (["--bounds=0,0,3e-307,1"], "polygon 0: vertex 1 is not finite"),
        (["--shape", "0x9", "-o", "o.png"], "without pixels"),
        (["nothing.json"], "nothing.json"),
    ],
)
@pytest.mark.usefixtures("mask")
def test_bad_usage(error_of, arguments, message):
    command = ("mask", "two.geojson", "--shape", "9x9", "-o", "o.npy")
    assert message in error_of(*command, *arguments)
    assert not list(Path().glob("o*.npy"))
