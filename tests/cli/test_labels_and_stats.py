"""`polymask labels` and `polymask stats`: files of polygons and images in, numbers out."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cases import folded, says
from features import HOLE, SHAPE, SMALL, SQUARE, feature, write, write_csv, write_map
from PIL import Image

import polymask
from polymask.files import raster_statistics

IMAGE = np.arange(12 * 14, dtype=np.float32).reshape(SHAPE) / 4
PROPERTIES = [{"id": 40, "kind": "lake"}, {"id": 7, "kind": None}, {"id": 9, "kind": "sea"}]


@pytest.fixture
def run(polymask):
    """Run a command in an empty folder with three features in it, one without geometry."""
    shapes = [[SQUARE, HOLE], [], [SMALL]]
    write("three.geojson", *(feature(*s, **p) for s, p in zip(shapes, PROPERTIES, strict=True)))
    np.save("image.npy", IMAGE)
    return polymask


@pytest.fixture
def frame(run):
    """Return the three features as a GeoDataFrame."""
    geopandas = pytest.importorskip("geopandas")
    pytest.importorskip("pyogrio")
    features = json.loads(Path("three.geojson").read_text())
    return geopandas.GeoDataFrame.from_features(features, crs="EPSG:4326")


def expected_labels(*labels, on_top="last"):
    polygons = [[SQUARE[:-1], HOLE[:-1]], SMALL[:-1]]
    return polymask.label_mask(
        [list(map(np.array, polygons[0])), polygons[1]], SHAPE, labels=labels, on_top=on_top
    )


# polymask labels


@folded("name", ["out.npy", "out.tif", "out.png", "out.npz"])
def test_features_are_numbered_in_order(run, name):
    code, out, _ = run("labels", "three.geojson", "--shape", "12x14", "-o", name)
    assert code == 0
    assert out.startswith("3 features, 12 x 14 pixels of uint8, ")
    assert out.endswith(f"wrote {name}\n")
    image = np.load(name) if name[-3:] in ("npy", "npz") else np.asarray(Image.open(name))
    np.testing.assert_array_equal(
        image["labels"] if name == "out.npz" else image, expected_labels(1, 3)
    )


def test_ids_and_the_topmost_polygon(run):
    for on_top in ("last", "first", "smallest"):
        arguments = ("--shape", "12x14", "--label", "id", "--on-top", on_top, "-o", "out.npy")
        assert run("labels", "three.geojson", *arguments)[0] == 0
        np.testing.assert_array_equal(np.load("out.npy"), expected_labels(40, 9, on_top=on_top))


@pytest.mark.parametrize("bounds", [[], ["--bounds", "0,0,14,12"]])
def test_all_pixels_that_are_touched(run, bounds):
    needle = [[2.2, 8.2], [11.6, 8.3], [11.6, 8.4]]  # between all samples
    write_csv("needle.csv", needle)
    polygons = [[np.array(ring, float) for ring in rings] for rings in ([SQUARE, HOLE], [SMALL])]
    polygons.append([np.array(needle)])
    if bounds:  # north up
        polygons = [[ring * (1, -1) + (0, 12) for ring in rings] for rings in polygons]
    options = {"all_touched": True, "center": bool(bounds)}
    labels = polymask.label_mask(polygons, SHAPE, labels=[1, 3, 4], **options)
    assert (labels == 4).sum() >= 9
    inputs = ("three.geojson", "needle.csv", "--all-touched", *bounds)
    assert run("labels", *inputs, "--shape", "12x14", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), labels)
    assert run("mask", *inputs, "--shape", "12x14", "-o", "mask.npy")[0] == 0
    np.testing.assert_array_equal(np.load("mask.npy"), labels > 0)
    code, out, _ = run("stats", "image.npy", *inputs)
    assert code == 0
    counts = [int(line["count"]) for line in csv.DictReader(out.splitlines())]
    assert counts == np.insert(polymask.pixel_counts(polygons, SHAPE, **options), 1, 0).tolist()


def test_labels_of_many_rings_and_several_files(run):
    rings = np.array([SQUARE, SMALL], float)
    np.save("rings.npy", rings)
    write_csv("ring.csv", HOLE)
    arguments = ("--shape", "12x14", "-o", "out.npy")
    assert run("labels", "rings.npy", "ring.csv", "three.geojson", *arguments)[0] == 0
    expected = polymask.label_mask(
        [*rings, HOLE, [SQUARE, HOLE], SMALL], SHAPE, labels=[1, 2, 3, 4, 6]
    )
    np.testing.assert_array_equal(np.load("out.npy"), expected)


def test_a_file_of_several_layers(run, error_of, frame):
    """Layers without geometries, which some programs add, are ignored."""
    pyogrio = pytest.importorskip("pyogrio")
    frame.to_file("a.gpkg", layer="one")
    pyogrio.write_dataframe(frame.drop(columns="geometry"), "a.gpkg", layer="styles")
    assert run("labels", "a.gpkg", "--shape", "12x14", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), expected_labels(1, 3))
    frame.to_file("a.gpkg", layer="two")
    err = error_of("labels", "a.gpkg", "--shape", "12x14", "-o", "out.npy")
    assert "a.gpkg: has 2 layers with geometries, but only one can be read: 'one', 'two'" in err


UNREADABLE = "cannot be read: ", "is truncated: ", "not GeoParquet: ", "polygon 0: not WKB: "


@folded("name", ["bad.gpkg", "bad.parquet", "bad.fgb", "open.gpkg", "open.shp"])
def test_broken_files_of_other_libraries(error_of, frame, name):
    ring = json.dumps({"type": "Polygon", "coordinates": [SQUARE[:-1]]})
    Path(name).write_text(ring if "open" in name else "nothing of the kind")
    err = error_of("labels", name, "--shape", "9x9", "-o", "out.npy")
    assert err.startswith(tuple(f"polymask: {name}: {reason}" for reason in UNREADABLE))
    assert "missing.gpkg" in error_of("labels", "missing.gpkg", "--shape", "9x9", "-o", "out.npy")


def test_a_library_that_is_missing_is_named(run, monkeypatch):
    for name in ("shapely", "pyarrow"):
        monkeypatch.setitem(__import__("sys").modules, name, None)
        Path("a.fgb").write_text("")
        code, _, err = run("labels", "a.fgb", "--shape", "9x9", "-o", "out.npy")
        assert code == 1
        assert f"needs {name}, which is not installed: pip install" in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--label", "size"], "no feature has the property 'size'; they have 'id', 'kind'"),
        (["--on-top", "largest"], "'largest' is not one of 'last', 'first', 'smallest'"),
        (["--fit", "--bounds", "0,0,1,1"], "exclude each other"),
        (["-o", "out.bmp"], "--out writes .npy, .png, .tif, .tiff, .npz"),
    ],
)
@pytest.mark.usefixtures("run")
def test_bad_labels(error_of, arguments, message):
    command = ("labels", "three.geojson", "--shape", "9x9", "-o", "out.npy")
    assert message in error_of(*command, *arguments)
    assert not list(Path().glob("out.*"))


# polymask stats


def rows(file):
    with open(file, newline="") as lines:
        return list(csv.DictReader(lines))


def check(table, image=IMAGE, center=False, place=lambda ring: ring, **options):
    """Compare the lines of a CSV file with the library's statistics."""
    polygons = [
        [place(np.array(ring[:-1], float)) for ring in rings] for rings in ([SQUARE, HOLE], [SMALL])
    ]
    values = polymask.polygon_statistics(polygons, image, center=center, **options)
    for line, number in ((0, 0), (2, 1)):
        assert int(table[line]["count"]) == values.count[number] > 0
        for name in ("sum", "mean", "min", "max"):
            assert float(table[line][name]) == getattr(values, name)[number]
    assert list(table[1].values())[-5:] == ["0", "0", "", "", ""]


def test_statistics_of_each_feature(run):
    code, out, _ = run("stats", "image.npy", "three.geojson", "-o", "out.csv")
    assert code == 0
    assert out.startswith("3 features, 12 x 14 pixels: ")
    table = rows("out.csv")
    assert list(table[0]) == ["id", "kind", "count", "sum", "mean", "min", "max"]
    assert [line["kind"] for line in table] == ["lake", "", "sea"]
    check(table)
    assert run("stats", "image.npy", "three.geojson", "--center", "-o", "out.csv")[0] == 0
    check(rows("out.csv"), center=True)
    nested = Path("three.geojson").read_text().replace('"lake"', '{"is": ["déep", true, null]}')
    Path("nested.geojson").write_text(nested, encoding="utf-8")
    assert run("stats", "image.npy", "nested.geojson", "-o", "out.csv")[0] == 0
    assert rows("out.csv")[0]["kind"] == '{"is": ["déep", true, null]}'
    code, out, _ = run("stats", "image.npy", "three.geojson", "--keep", "id")
    assert out.startswith("id,count,sum,mean,min,max\n40,")
    assert out.splitlines()[2] == "7,0,0,,,"


def test_many_features_at_a_time(run, monkeypatch):
    run("stats", "image.npy", "three.geojson", "-o", "out.csv")
    monkeypatch.setattr(raster_statistics, "AT_ONCE", 2)
    run("stats", "image.npy", "three.geojson", "-o", "again.csv")
    assert Path("out.csv").read_text() == Path("again.csv").read_text()
    write("none.geojson")
    assert run("stats", "image.npy", "none.geojson")[1] == "count,sum,mean,min,max\n"


def test_a_palette(run):
    pytest.importorskip("rasterio")
    picture = Image.fromarray((IMAGE % 251).astype(np.uint8))
    indexed = picture.convert("P")
    indexed.putpalette([255 - grey for grey in range(256) for _ in range(3)])
    indexed.save("indexed.png")
    assert says(run("stats", "indexed.png", "three.geojson", "-o", "out.csv")[2], "palette")
    check(rows("out.csv"), np.asarray(indexed))


@pytest.mark.parametrize(
    ("dtype", "nodata"), [(np.int64, 2**63 - 1), (np.uint64, 2**64 - 1), (np.int64, 2**53 + 1)]
)
def test_no_data_of_64_bits(run, dtype, nodata):
    """As a float it would be another number, or one that no pixel can have."""
    image = (4 * IMAGE).astype(dtype)
    image[3:5, 2:6] = nodata
    image[7, 9] = 2**53
    np.save("wide.npy", image)
    assert run("stats", "wide.npy", "three.geojson", "--nodata", nodata, "-o", "out.csv")[0] == 0
    check(rows("out.csv"), image, nodata=nodata)
    code, _, err = run("stats", "wide.npy", "three.geojson", "--nodata", "none")
    assert (code, "expected a number, got 'none'" in err) == (2, True)


def test_a_map(run, error_of, monkeypatch):
    """Its transform puts north up, and pixels with its nodata value are left out."""
    pytest.importorskip("rasterio")
    north_up = (1, 0, 0, 0, -1, 12)
    write_map("map.tif", IMAGE, north_up, nodata=20.5)
    assert run("stats", "map.tif", "three.geojson", "-o", "out.csv")[0] == 0
    check(rows("out.csv"), center=True, place=lambda ring: ring * (1, -1) + (0, 12), nodata=20.5)
    assert run("stats", "map.tif", "three.geojson", "--pixels", "-o", "out.csv")[0] == 0
    check(rows("out.csv"), nodata=20.5)
    write_map("complex.tif", IMAGE.astype(np.complex64), north_up)
    err = error_of("stats", "complex.tif", "three.geojson")
    assert "complex.tif: must be an image of real numbers of at most 64 bits, got dtype comp" in err
    monkeypatch.setitem(__import__("sys").modules, "rasterio", None)
    code, out, err = run("stats", "map.tif", "three.geojson")
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert says(err, "map.tif", "pip install rasterio")


@folded(
    ("arguments", "message"),
    [
        (["image.npy", "three.geojson", "-o", "out.txt"], "--out writes .csv"),
        (["image.npy", "three.geojson", "--keep", "size"], "they have 'id', 'kind'"),
        (["image.npy", "three.geojson", "--pixels", "--bounds", "0,0,1,1"], "exclude each other"),
        (["image.npy", "three.geojson", "--band", "2"], "image.npy: has no band 2"),
        (["three.geojson", "three.geojson"], "neither .npy nor .npz, nor a picture"),
        (["wide.npy", "three.geojson"], "wide.npy: must be an image of real numbers of at most 64"),
        (["first.npy", "three.geojson"], "if they come first, save one"),
        (["words.npz", "three.geojson"], "words.npz: has no array `labels`, only ['words']"),
        (["image.npy", "called.geojson"], "the property 'mean' has the name of a statistic"),
    ],
)
def test_bad_stats(run, error_of, arguments, message):
    np.save("wide.npy", IMAGE.astype(np.longdouble))
    np.savez("words.npz", words=IMAGE)
    np.save("first.npy", np.array([IMAGE, IMAGE, IMAGE]))
    write("called.geojson", feature(SMALL, mean=3))
    assert message in error_of("stats", *arguments)
    assert not list(Path().glob("out.*"))
