"""`polymask outline`: polygons of masks and label images in files."""

import functools
import json
from pathlib import Path

import numpy as np
import pytest
from cases import folded
from features import write_map as write_map_file
from PIL import Image

import polymask
from polymask import cli

LABELS = np.array([[0, 1, 1, 1], [2, 1, 0, 1], [2, 1, 1, 1]], np.uint8)


@pytest.fixture
def outline(polymask):
    """Run `polymask outline` in a folder with some images."""
    np.save("labels.npy", LABELS.astype(np.int32))
    np.savez("world.npz", labels=LABELS, names=["land", "lake"])
    Image.fromarray(255 * (LABELS > 0).astype(np.uint8)).save("mask.png")
    return functools.partial(polymask, "outline")


def read(file):
    return json.loads(Path(file).read_text(encoding="utf-8"))


def test_labels_become_features(outline):
    code, out, _ = outline("labels.npy", "-o", "out.geojson")
    assert code == 0
    assert out.startswith("2 features of 3 x 4 pixels: ")
    assert out.endswith("wrote out.geojson\n")
    assert read("out.geojson") == polymask.labels_to_rings(LABELS, form="geojson")
    assert len(Path("out.geojson").read_text().splitlines()) == 4  # one each, and two around them


def test_names_of_an_npz_file_are_properties(outline):
    assert outline("world.npz", "-o", "out.json")[0] == 0
    properties = [feature["properties"] for feature in read("out.json")["features"]]
    assert properties == [{"label": 1, "name": "land"}, {"label": 2, "name": "lake"}]


def test_picture_of_a_mask(outline):
    assert outline("mask.png", "-o", "out.geojson")[0] == 0
    assert read("out.geojson")["features"][0]["properties"] == {"label": 255}
    assert outline("mask.png", "--mask", "-o", "out.geojson")[0] == 0
    assert read("out.geojson") == polymask.labels_to_rings(LABELS > 0, form="geojson")


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_labels_that_came_as_floats(outline, dtype):
    np.save("floats.npy", LABELS.astype(dtype))
    assert outline("floats.npy", "-o", "out.geojson")[0] == 0
    assert read("out.geojson") == polymask.labels_to_rings(LABELS, form="geojson")
    np.save("floats.npy", np.where(LABELS == 2, np.nan, LABELS / 4).astype(dtype))
    assert outline("floats.npy", "--mask", "-o", "out.geojson")[0] == 0
    assert read("out.geojson") == polymask.labels_to_rings(LABELS == 1, form="geojson")


def test_mask_makes_the_image_of_the_outlines_again(outline):
    labels = np.random.default_rng(8).integers(0, 5, (40, 60)).astype(np.uint8)
    polygons = [polymask.labels_to_rings(labels, form="geojson")["features"][n] for n in range(4)]
    Path("first.geojson").write_text(
        json.dumps({"type": "FeatureCollection", "features": polygons})
    )
    arguments = ["labels", "first.geojson", "--shape", "40x60", "--center", "--label", "label"]
    assert cli.main([*arguments, "-o", "first.npy"]) == 0
    np.testing.assert_array_equal(np.load("first.npy"), labels)
    bounds = ("--bounds", "0,0,60,40")
    arguments = ["labels", "first.geojson", "--shape", "40x60", *bounds, "--label", "label"]
    assert cli.main([*arguments, "-o", "first.npy"]) == 0
    image = np.load("first.npy")
    np.testing.assert_array_equal(image, labels[::-1])  # north is up
    bounds = ("--bounds", "7.1,-50.3,9.7,-48.1")
    assert outline("first.npy", *bounds, "-o", "second.geojson")[0] == 0
    arguments = ["labels", "second.geojson", "--shape", "40x60", *bounds, "--label", "label"]
    assert cli.main([*arguments, "-o", "second.npy"]) == 0
    np.testing.assert_array_equal(np.load("second.npy"), image)


@folded(
    ("arguments", "message"),
    [
        (["labels.npy"], "--out"),
        (["labels.npy", "-o", "out.npz"], "--out writes .geojson, .json,"),
        (["labels.npy", "-o", "none/out.json"], "there is no folder none"),
        (["none.npy", "-o", "out.json"], "none.npy"),
        (["labels.npy", "-o", "out.json", "--bounds", "1,2,3"], "W,S,E,N"),
        (["labels.npy", "-o", "out.json", "--bounds", "3,0,1,1"], "labels.npy: bounds"),
        (["labels.npy", "-o", "out.json", "--pixels", "--bounds", "0,0,1,1"], "exclude"),
    ],
)
@pytest.mark.usefixtures("outline")
def test_bad_usage(error_of, arguments, message):
    assert message in error_of("outline", *arguments)
    assert not list(Path().glob("out.*"))


def write_colours(file):
    Image.new("RGB", (3, 2)).save(file)


@folded(
    ("name", "write", "message"),
    [
        (
            "a.npy",
            lambda file: np.save(file, np.array([[1, 0.25]], np.float32)),
            "labels are integers, but this has float32 values such as 0.25",
        ),
        ("a.npy", lambda file: np.save(file, np.zeros(3, bool)), r"shape (rows, cols), got (3,)"),
        ("a.npy", lambda file: np.save(file, np.zeros((0, 3), bool)), "has no bounds"),
        ("a.npz", lambda file: np.savez(file, masks=[1]), "no array `labels`, only ['masks']"),
        ("a.png", lambda file: file.write_text("words"), "cannot be read"),
        ("a.png", write_colours, "has 3 bands"),
    ],
)
def test_bad_images_are_named(error_of, name, write, message):
    write(Path(name))
    err = error_of("outline", name, "--bounds", "0,0,1,1", "-o", "out.json")
    assert err.startswith(f"polymask: {name}: ")
    assert message in err
    assert not Path("out.json").exists()


@pytest.fixture
def write_map(outline):
    """Write labels as a map with rasterio; 9 is nodata."""
    pytest.importorskip("rasterio")

    def write(name, crs="EPSG:32632", **options):
        labels = LABELS.copy()
        labels[0, 0] = 9
        write_map_file(name, labels, (10, 0, 500, 0, -10, 900), crs=crs, nodata=9, **options)

    return write


def test_a_map_keeps_its_place_and_nodata_is_outside(outline, write_map):
    write_map("map.tif")
    write_map("map.png", None, driver="PNG", WORLDFILE="YES")
    Path("map.png.aux.xml").unlink(missing_ok=True)
    expected = polymask.labels_to_rings(LABELS, transform=(10, 0, 500, 0, -10, 900), form="geojson")
    for name in "map.tif", "map.png":
        assert outline(name, "-o", "out.json")[0] == 0
        content = read("out.json")
        crs = content.pop("crs", None)
        assert (crs is not None) == (name == "map.tif")
        assert content == expected
    assert outline("map.tif", "--pixels", "-o", "out.json")[0] == 0
    assert read("out.json") == polymask.labels_to_rings(LABELS, form="geojson")
    assert outline("map.tif", "--mask", "-o", "out.json")[0] == 0
    transform = (10, 0, 500, 0, -10, 900)
    expected = polymask.labels_to_rings(LABELS > 0, transform=transform, form="geojson")
    assert read("out.json")["features"] == expected["features"]
    assert outline("map.tif", "--bounds", "0,0,4,3", "-o", "out.json")[0] == 0
    assert "crs" not in read("out.json")


@pytest.mark.parametrize(
    ("crs", "name"), [("EPSG:4326", "OGC:1.3:CRS84"), ("+proj=laea +lat_0=11 +lon_0=3", None)]
)
def test_the_reference_system_is_named_as_gdal_does(outline, write_map, crs, name):
    write_map("map.tif", crs=crs)
    code, _, err = outline("map.tif", "-o", "out.json")
    assert code == 0
    assert ("no code" in err) == (name is None)
    assert read("out.json").get("crs") == (
        name and {"type": "name", "properties": {"name": f"urn:ogc:def:crs:{name}"}}
    )
