"""`polymask mask`: masks and label images of real files."""

import json
from pathlib import Path

import numpy as np
import pytest
from checkouts import ROOT
from PIL import Image

import polymask
from polymask import cli, files

WORLD = ROOT / "examples" / "countries.geojson"
SQUARE = [[1, 1], [8, 1], [8, 6], [1, 6], [1, 1]]
HOLE = [[3, 2], [6, 2], [6, 4], [3, 4], [3, 2]]
SMALL = [[4, 3], [12, 3], [12, 9], [4, 9], [4, 3]]


def feature(*rings, **properties):
    geometry = {"type": "Polygon", "coordinates": rings} if rings else None
    return {"type": "Feature", "properties": properties, "geometry": geometry}


@pytest.fixture
def mask(capsys, tmp_path, monkeypatch):
    """Run `polymask mask` in an empty folder with two features in it."""
    monkeypatch.chdir(tmp_path)
    found = [feature(SQUARE, HOLE, kind="lake", id=40), feature(SMALL, kind="field", id=7)]
    collection = {"type": "FeatureCollection", "features": found}
    Path("two.geojson").write_text(json.dumps(collection))

    def run(*arguments):
        code = cli.main(["mask", *map(str, arguments)])
        captured = capsys.readouterr()
        return code, captured.out, captured.err

    return run


def expected(*rings, shape=(12, 14)):
    return polymask.polygon_mask(list(rings), shape, dtype=np.uint8)


def test_mask_of_all_features(mask):
    code, out, _ = mask("two.geojson", "--shape", "12x14", "-o", "out.npy")
    assert code == 0
    assert out.startswith("2 features, 12 x 14 pixels, ")
    both = expected(SQUARE, HOLE) | expected(SMALL)
    np.testing.assert_array_equal(np.load("out.npy"), both)
    assert mask("two.geojson", "--shape", "12x14", "-o", "out.png")[0] == 0
    np.testing.assert_array_equal(np.asarray(Image.open("out.png")), 255 * both)


def test_several_inputs_of_several_kinds(mask):
    np.save("ring.npy", np.array(SQUARE))
    Path("ring.csv").write_text("x,y\n" + "\n".join(f"{x},{y}" for x, y in SMALL))
    assert mask("ring.npy", "ring.csv", "--shape", "12x14", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), expected(SQUARE) | expected(SMALL))


def test_integer_property_is_the_label(mask):
    assert mask("two.geojson", "--shape", "12x14", "--label", "id", "-o", "out.npz")[0] == 0
    with np.load("out.npz") as found:
        labels = 40 * expected(SQUARE, HOLE)
        labels[expected(SMALL) == 1] = 7
        np.testing.assert_array_equal(found["labels"], labels)
        assert "names" not in found


def test_other_properties_are_numbered_and_named(mask):
    assert mask("two.geojson", "--shape", "12x14", "--label", "kind", "-o", "out.npz")[0] == 0
    with np.load("out.npz") as found:
        assert found["names"].tolist() == ["field", "lake"]
        labels = 2 * expected(SQUARE, HOLE)
        labels[expected(SMALL) == 1] = 1
        np.testing.assert_array_equal(found["labels"], labels)


def test_labels_come_back_from_a_picture(mask):
    assert mask("two.geojson", "--shape", "12x14", "--label", "id", "-o", "out.png")[0] == 0
    assert set(np.unique(np.asarray(Image.open("out.png")))) == {0, 7, 40}


def test_bounds_put_north_up_and_sample_at_centres(mask):
    """A map of 14 x 12 degrees on as many pixels: row r has its centre at 12 - r - 0.5."""
    assert mask("two.geojson", "--shape", "12x14", "--bounds", "0,0,14,12", "-o", "out.npy")[0] == 0
    found = np.load("out.npy")
    assert found[12 - 9 : 12 - 6, 4:12].all()  # the upper part of SMALL, y from 6 to 9
    assert not found[: 12 - 9].any()
    assert not found[12 - 4 + 1 : 12 - 2, 3:4].any()  # the hole
    assert found.sum() == 7 * 5 - 3 * 2 + 8 * 6 - (4 * 3 - 2 * 1)


def test_fit_fills_the_image(mask):
    assert mask("two.geojson", "--shape", "120x140", "--fit", "-o", "out.npy")[0] == 0
    rows, cols = np.nonzero(np.load("out.npy"))
    assert cols.max() - cols.min() > 0.9 * 140
    assert rows.min() > 5  # 8 units high, 11 wide: room above and below


def test_world(mask):
    arguments = ("--shape", "90x180", "--bounds", "-180,-90,180,90", "--label", "name")
    assert mask(WORLD, *arguments, "-o", "world.npz")[0] == 0
    with np.load("world.npz") as found:
        names, labels = found["names"].tolist(), found["labels"]
    assert names[labels[49, 62] - 1] == "Brazil"  # 9 degrees south, 55 west
    assert names[labels[57, 103] - 1] == "South Africa"  # 25 south, 27 east
    assert names[labels[59, 104] - 1] == "Lesotho"  # the hole, which is a country


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["two.geojson", "-o", "out.npy"], "--shape"),
        (["two.geojson", "--shape", "9x9", "-o", "out.tif"], "--out writes .npy, .png, .npz"),
        (["two.geojson", "--shape", "9x9", "-o", "none/out.npy"], "there is no folder none"),
        (
            ["two.geojson", "--shape", "9x9", "-o", "o.npy", "--fit", "--bounds", "0,0,1,1"],
            "exclude",
        ),
        (["two.geojson", "--shape", "9x9", "-o", "o.npy", "--bounds", "0,0,1"], "W,S,E,N"),
        (["two.geojson", "--shape", "9x9", "-o", "o.npy", "--bounds", "3,0,1,1"], "W < E"),
        (
            ["two.geojson", "--shape", "9x9", "-o", "o.npy", "--label", "x"],
            "there are ['id', 'kind']",
        ),
        (["two.geojson", "--shape", "0x9", "-o", "o.png"], "without pixels"),
        (["nothing.json", "--shape", "9x9", "-o", "o.npy"], "nothing.json"),
    ],
)
def test_bad_usage(mask, arguments, message):
    code, _, err = mask(*arguments)
    assert code == 2
    assert message in err
    assert not list(Path().glob("o*.npy"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", "not JSON"),
        ("[1, 2]", "not GeoJSON"),
        ('{"type": "Point", "coordinates": [1, 2]}', "'Point'"),
        (json.dumps(feature([[0, 0], [1, 1]])), "feature 0: a polygon has 3 vertices"),
        ('{"type": "Polygon"}', "coordinates"),
        ('{"type": "FeatureCollection"}', "features"),
    ],
)
def test_bad_geojson_names_file_and_feature(mask, text, message):
    Path("bad.geojson").write_text(text)
    code, _, err = mask("bad.geojson", "--shape", "9x9", "-o", "out.npy")
    assert code == 2
    assert err.startswith("polymask: bad.geojson: ")
    assert message in err


def test_features_without_geometry_draw_nothing(mask):
    collection = {"type": "FeatureCollection", "features": [feature(id=3), feature(SMALL, id=5)]}
    Path("some.geojson").write_text(json.dumps(collection))
    assert mask("some.geojson", "--shape", "12x14", "--label", "id", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), 5 * expected(SMALL))


def test_other_commands_read_geojson_of_one_ring(tmp_path):
    (tmp_path / "one.geojson").write_text(json.dumps(feature(SMALL)))
    assert files.read_polygon(tmp_path / "one.geojson").tolist() == SMALL
    with pytest.raises(ValueError, match="288 rings, a rung takes one"):
        files.read_polygon(WORLD)
