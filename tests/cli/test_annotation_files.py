"""Commands that draw or measure annotations of images."""

import csv
import io
import json
from pathlib import Path

import numpy as np
import pytest
from features import feature, write, write_map

CATEGORIES = [{"id": 1, "name": "cat"}, {"id": 5, "name": "dog"}]


def annotation(number, image, category, left):
    ring = [left, 0, left + 2, 0, left + 2, 3, left, 3]
    return {"id": number, "image_id": image, "category_id": category, "segmentation": [ring]}


def write_coco(images=2):
    """Write annotations of images of 4 x 9 pixels."""
    names = [
        {"id": i, "file_name": f"{i}.jpg", "height": 4, "width": 9} for i in range(1, images + 1)
    ]
    annotations = [annotation(7, 1, 1, 0), annotation(8, 1, 5, 5), annotation(9, images, 5, 7)]
    document = {"images": names, "categories": CATEGORIES, "annotations": annotations}
    Path("coco.json").write_text(json.dumps(document), encoding="utf-8")


def test_the_size_of_the_image_is_the_shape(polymask):
    write_coco(images=1)
    assert polymask("labels", "coco.json", "--label", "id", "-o", "a.npy")[0] == 0
    expected = np.repeat([[7, 7, 0, 0, 0, 8, 8, 9, 9], [0] * 9], [3, 1], axis=0)
    np.testing.assert_array_equal(np.load("a.npy"), expected)
    assert polymask("mask", "coco.json", "--shape", "2x3", "-o", "b.npy")[0] == 0
    np.testing.assert_array_equal(np.load("b.npy"), expected[:2, :3] > 0)


def test_choices(polymask, error_of):
    write_coco()
    err = error_of("mask", "coco.json", "-o", "a.npy")
    assert "--image" in err
    chosen = "coco.json", "--image", "1.jpg"
    assert polymask("mask", *chosen, "--category", "dog", "-o", "a.npy")[0] == 0
    assert np.flatnonzero(np.load("a.npy")[0]).tolist() == [5, 6]
    assert polymask("mask", *chosen, "--instance", "7", "-o", "b.npy")[0] == 0
    assert np.flatnonzero(np.load("b.npy")[0]).tolist() == [0, 1]
    assert polymask("labels", *chosen, "--label", "category", "-o", "c.npz")[0] == 0
    assert np.load("c.npz")["names"].tolist() == ["cat", "dog"]


def test_statistics(polymask, error_of):
    write_coco()
    np.save("image.npy", np.arange(36.0).reshape(4, 9))
    code, out, _ = polymask("stats", "image.npy", "coco.json", "--image", "1.jpg")
    assert code == 0
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [(row["category"], row["count"], row["max"]) for row in rows] == [
        ("cat", "6", "19"),
        ("dog", "6", "24"),
    ]
    np.save("other.npy", np.ones((5, 9)))
    assert "(4, 9)" in error_of("stats", "other.npy", "coco.json", "--image", "1.jpg")


def test_other_files_do_not_mix_with_annotations(error_of):
    write_coco(images=1)
    write("a.geojson", feature([[1, 1], [3, 1], [1, 3], [1, 1]]))
    assert "separately" in error_of("mask", "coco.json", "a.geojson", "-o", "a.npy")
    assert "--shape" in error_of("mask", "a.geojson", "-o", "a.npy")


def test_a_name_that_is_also_an_id_is_refused(error_of):
    write_coco(images=1)
    Path("coco.json").write_text(Path("coco.json").read_text().replace('"cat"', '"5"'))
    err = error_of("mask", "coco.json", "--category", "5", "-o", "a.npy")
    assert "'5' is the name of one category and the id of another" in err


@pytest.mark.parametrize("command", ["mask", "labels", "coverage"])
def test_drawings_of_labelme(polymask, error_of, command):
    ring = [[0, 0], [2, 0], [2, 3], [0, 3]]
    shapes = [
        {"label": "cat", "points": ring},
        {"label": "dog", "points": [[5, 0], [9, 2], [7, 4]]},
    ]
    document = {"imagePath": "a.jpg", "imageHeight": 4, "imageWidth": 9, "shapes": shapes}
    Path("a.json").write_text(json.dumps(document), encoding="utf-8")
    assert polymask(command, "a.json", "--category", "cat", "-o", "a.npy")[0] == 0
    expected = np.zeros((4, 9))
    expected[:3, :2] = 1
    np.testing.assert_array_equal(np.load("a.npy"), expected)
    assert "no category 'cow'" in error_of(command, "a.json", "--category", "cow", "-o", "a.npy")


def test_annotations_are_pixels_of_a_map(polymask, error_of):
    pytest.importorskip("rasterio")
    write_coco(images=1)
    shape = {"label": "cat", "points": [[0, 0], [2, 0], [2, 3], [0, 3]]}
    size = {"imageHeight": 4, "imageWidth": 9}
    labelme = {"imagePath": "a.jpg", "shapes": [shape]} | size
    Path("labelme.json").write_text(json.dumps(labelme), encoding="utf-8")
    ring = [[0, 0], [2, 0], [2, 3], [0, 3], [0, 0]]
    write("qupath.geojson", feature(ring, objectType="annotation"))
    write_map("map.tif", np.arange(36).reshape(4, 9), (1, 0, 0, 0, -1, 4), crs="EPSG:4326")
    for file in ("coco.json", "qupath.geojson", "labelme.json"):
        code, out, err = polymask("stats", "map.tif", file, "--statistics", "mean")
        assert (code, "reference system" in err) == (0, False)
        assert next(csv.DictReader(io.StringIO(out)))["mean"] == "9.5"
    write_map("map.tif", np.ones((5, 9)), (1, 0, 0, 0, -1, 4))
    assert "(4, 9)" in error_of("stats", "map.tif", "coco.json")
    for option in (["--bounds", "0,0,9,4"], ["--fit"], ["--bounds", "0,0,9,4", "--wrap"]):
        assert "pixels" in error_of("mask", "coco.json", *option, "-o", "a.npy")
