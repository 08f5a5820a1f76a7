"""`polymask labels` and `polymask stats`: files of polygons and images in, numbers out."""

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from cases import folded, says
from checkouts import ROOT
from features import HOLE, SHAPE, SMALL, SQUARE, feature, write, write_csv, write_map
from PIL import Image

import polymask
from polymask.files import raster_statistics

WORLD = ROOT / "examples" / "countries.geojson"
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


@pytest.mark.parametrize("name", ["out.npy", "out.tif", "out.png", "out.npz"])
def test_features_are_numbered_in_order(run, name):
    code, out, _ = run("labels", "three.geojson", "--shape", "12x14", "-o", name)
    assert code == 0
    assert out.startswith("3 features, 12 x 14 pixels of uint8, ")
    assert out.endswith(f"wrote {name}\n")
    image = np.load(name) if name[-3:] in ("npy", "npz") else np.asarray(Image.open(name))
    np.testing.assert_array_equal(
        image["labels"] if name == "out.npz" else image, expected_labels(1, 3)
    )


def test_ids_and_what_is_on_top(run):
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


def test_labels_of_the_world(run):
    pytest.importorskip("rasterio")
    arguments = ("--shape", "90x180", "--bounds", "-180,-90,180,90", "-o", "world.tif")
    assert run("labels", WORLD, *arguments)[0] == 0
    np.testing.assert_array_equal(
        np.asarray(Image.open("world.tif")),
        polymask.rasterize(
            json.loads(WORLD.read_text()),
            (90, 180),
            transform=(2, 0, -180, 0, -2, 90),
            values=range(1, 178),
        ),
    )


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


def test_an_integer_beside_a_null_stays_one(run, frame):
    """2**53 + 1 is not a float64."""
    pandas = pytest.importorskip("pandas")
    frame = frame.dropna(subset="geometry").assign(id=pandas.array([2**53 + 1, None], "Int64"))
    frame.to_file("a.gpkg", engine="pyogrio")
    arguments = ("a.gpkg", "--shape", "12x14", "-o", "out.npz")
    code, _, err = run("labels", *arguments, "--label", "id")
    assert (code, "left out: 1 feature without the property 'id'" in err) == (0, True)
    with np.load("out.npz") as arrays:
        assert sorted(arrays) == ["labels"]  # no names: the property itself is the label
        assert np.unique(arrays["labels"]).tolist() == [0, 2**53 + 1]
    code, out, _ = run("stats", "image.npy", "a.gpkg", "--keep", "id")
    assert [line.partition(",")[0] for line in out.splitlines()] == ["id", str(2**53 + 1), ""]


def test_labels_of_a_shapefile_whose_text_is_not_utf_8(run, frame):
    frame.assign(id=[7, 5, 6], name="Zürich").to_file("a.shp", encoding="cp1252")
    Path("a.cpg").unlink()
    code, _, err = run("labels", "a.shp", "--shape", "9x9", "--label", "id", "-o", "out.npy")
    assert (code, err.splitlines()[0].partition(":")[0], "a.cpg" in err) == (0, "a.shp", True)


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


@pytest.mark.parametrize("name", ["bad.gpkg", "bad.parquet", "bad.fgb", "open.gpkg", "open.shp"])
def test_broken_files_of_other_libraries(error_of, frame, name):
    ring = json.dumps({"type": "Polygon", "coordinates": [SQUARE[:-1]]})
    Path(name).write_text(ring if "open" in name else "nothing of the kind")
    err = error_of("labels", name, "--shape", "9x9", "-o", "out.npy")
    assert err.startswith(tuple(f"polymask: {name}: {reason}" for reason in UNREADABLE))
    assert "missing.gpkg" in error_of("labels", "missing.gpkg", "--shape", "9x9", "-o", "out.npy")


@pytest.mark.parametrize("name", ["a.fgb", "a.shp"])
def test_files_that_are_cut_short(run, error_of, frame, name):
    """FlatGeobuf's reader raises an IndexError, and a Shapefile would lose polygons."""
    frame.dropna(subset="geometry").to_file(name, engine="pyogrio")
    content = Path(name).read_bytes()
    for length in range(0, len(content) - 1, 37):
        Path(name).write_bytes(content[:length])
        err = error_of("labels", name, "--shape", "9x9", "-o", "out.npy")
        reasons = tuple(f"polymask: {name}: {reason}" for reason in UNREADABLE)
        assert err.startswith(reasons), length


@pytest.mark.slow
def test_parquet_with_bytes_that_changed(run, frame):
    frame.to_parquet("a.parquet")
    content = Path("a.parquet").read_bytes()
    failures = 0
    for index in range(0, len(content), 41):
        byte = bytes([content[index] ^ 0xFF])
        Path("a.parquet").write_bytes(content[:index] + byte + content[index + 1 :])
        code, _, err = run("labels", "a.parquet", "--shape", "9x9", "-o", "out.npy")
        assert code in {0, 2}, (index, err)
        if code == 2:
            failures += 1
            assert err.startswith("polymask: a.parquet: "), (index, err)
            assert err.count("\n") == 1, (index, err)
    assert failures > 10


def test_a_contour_of_opencv_in_a_file(run):
    np.save("contour.npy", np.array(SMALL[:-1], np.int32)[:, np.newaxis])
    assert run("mask", "contour.npy", "--shape", "12x14", "-o", "out.npy")[0] == 0
    np.testing.assert_array_equal(np.load("out.npy"), polymask.polygon_mask(SMALL, SHAPE))


def test_long_names_and_values_are_quoted_in_short(run, error_of):
    long = "name " * 1000
    others = {f"{number}{long}": 1 for number in range(50)}
    write("long.geojson", feature(SQUARE, id=long, **others))
    arguments = ("long.geojson", "--shape", "9x9", "-o", "out.npy")
    err = error_of("labels", "--label", "none", *arguments)
    assert len(err) < 3000
    assert " and 41 more (see " in err
    code, out, _ = run("labels", "--label", "id", *arguments)
    assert (code, len(out) < 300) == (0, True)
    Path("features").write_text("no polygon, but words, " * 1000)
    err = error_of("labels", "features", "--shape", "9x9", "-o", "out.npy")
    assert "features: line 1: expected two numbers, got " in err
    assert len(err) < 200


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
    surrogate = Path("three.geojson").read_text().replace("lake", "\\ud800")
    Path("surrogate.geojson").write_text(surrogate)
    assert run("stats", "image.npy", "surrogate.geojson", "-o", "out.csv")[0] == 0
    assert [line["kind"] for line in rows("out.csv")] == ["?", "", "sea"]
    nested = Path("three.geojson").read_text().replace('"lake"', '{"is": ["déep", true, null]}')
    Path("nested.geojson").write_text(nested, encoding="utf-8")
    assert run("stats", "image.npy", "nested.geojson", "-o", "out.csv")[0] == 0
    assert rows("out.csv")[0]["kind"] == '{"is": ["déep", true, null]}'
    code, out, _ = run("stats", "image.npy", "three.geojson", "--keep", "id")
    assert out.startswith("id,count,sum,mean,min,max\n40,")
    assert out.splitlines()[2] == "7,0,0,,,"


def test_the_extent_of_a_map_is_that_of_its_transform(run):
    pytest.importorskip("rasterio")
    write_map("map.tif", IMAGE, (10, 0, 500000, 0, -10, 6000000))
    _, _, err = run("stats", "map.tif", "three.geojson")
    assert says(err, "500000", "500140", "same")


def test_many_features_at_a_time(run, monkeypatch):
    run("stats", "image.npy", "three.geojson", "-o", "out.csv")
    monkeypatch.setattr(raster_statistics, "AT_ONCE", 2)
    run("stats", "image.npy", "three.geojson", "-o", "again.csv")
    assert Path("out.csv").read_text() == Path("again.csv").read_text()
    write("none.geojson")
    assert run("stats", "image.npy", "none.geojson")[1] == "count,sum,mean,min,max\n"


def test_pictures(run):
    picture = (IMAGE % 251).astype(np.uint8)
    Image.fromarray(picture).save("one.png")
    Image.fromarray(np.dstack([picture, 255 - picture, picture // 2])).save("three.png")
    run("stats", "one.png", "three.geojson", "-o", "out.csv")
    check(rows("out.csv"), picture)
    run("stats", "three.png", "three.geojson", "--band", "2", "-o", "out.csv")
    check(rows("out.csv"), 255 - picture)


def test_a_palette_and_pages(run, error_of):
    picture = Image.fromarray((IMAGE % 251).astype(np.uint8))
    indexed = picture.convert("P")
    indexed.putpalette([255 - grey for grey in range(256) for _ in range(3)])
    indexed.save("indexed.png")
    assert says(run("stats", "indexed.png", "three.geojson", "-o", "out.csv")[2], "palette")
    check(rows("out.csv"), np.asarray(indexed))
    picture.save("two.tif", save_all=True, append_images=[picture.point(lambda grey: grey // 2)])
    assert "two.tif: has 2 pages" in error_of("stats", "two.tif", "three.geojson")
    run("stats", "two.tif", "three.geojson", "--page", 2, "-o", "out.csv")
    check(rows("out.csv"), np.asarray(picture) // 2)


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
    Image.fromarray(IMAGE.astype(np.uint8)).save("map.png")
    Path("map.pgw").write_text("1\n0\n0\n-1\n0.5\n11.5\n")
    for file in "map.tif", "map.png":
        code, out, err = run("stats", file, "three.geojson")
        assert (code, out, err.count("\n")) == (1, "", 1)
        assert says(err, file, "rasterio", "--pixels")
    assert run("stats", "map.png", "three.geojson", "--pixels", "-o", "out.csv")[0] == 0
    check(rows("out.csv"), IMAGE.astype(np.uint8))


def test_a_map_with_a_band_of_opacity(run):
    rasterio = pytest.importorskip("rasterio")
    meta = {"driver": "GTiff", "height": 12, "width": 14, "count": 2, "dtype": "uint8"}
    meta["transform"] = rasterio.Affine(1, 0, 0, 0, -1, 12)
    valid = np.arange(12 * 14).reshape(SHAPE) % 3 > 0
    with rasterio.open("map.tif", "w", **meta) as file:
        file.colorinterp = [rasterio.enums.ColorInterp.gray, rasterio.enums.ColorInterp.alpha]
        file.write(IMAGE.astype(np.uint8), 1)
        file.write(np.uint8(255) * valid, 2)
    assert run("stats", "map.tif", "three.geojson", "-o", "out.csv")[0] == 0
    image = np.ma.masked_array(IMAGE.astype(np.uint8), ~valid)
    check(rows("out.csv"), image, center=True, place=lambda ring: ring * (1, -1) + (0, 12))


@folded(
    ("arguments", "message"),
    [
        (["image.npy", "three.geojson", "-o", "out.txt"], "--out writes .csv"),
        (["image.npy", "three.geojson", "-o", "none/out.csv"], "there is no folder none"),
        (["image.npy", "three.geojson", "--keep", "size"], "they have 'id', 'kind'"),
        (["image.npy", "three.geojson", "--pixels", "--bounds", "0,0,1,1"], "exclude each other"),
        (["image.npy", "three.geojson", "--band", "2"], "image.npy: has no band 2"),
        (["three.geojson", "three.geojson"], "three.geojson: neither .npy nor .npz, nor a picture"),
        (["bad.npy", "three.geojson"], "bad.npy: not an .npy file"),
        (["words.npy", "three.geojson"], "words.npy: not an .npy file of numbers"),
        (["wide.npy", "three.geojson"], "wide.npy: must be an image of real numbers of at most 64"),
        (["first.npy", "three.geojson"], "if they come first, save one"),
        (["words.npz", "three.geojson"], "words.npz: has no array `labels`, only ['words']"),
        (["image.npy", "called.geojson"], "the property 'mean' has the name of a statistic"),
    ],
)
def test_bad_stats(run, error_of, arguments, message):
    Path("bad.npy").write_bytes(b"no")
    np.save("words.npy", np.full(SHAPE, "word"))
    np.save("wide.npy", IMAGE.astype(np.longdouble))
    np.savez("words.npz", words=IMAGE)
    np.save("first.npy", np.array([IMAGE, IMAGE, IMAGE]))
    write("called.geojson", feature(SMALL, mean=3))
    assert message in error_of("stats", *arguments)
    assert not list(Path().glob("out.*"))
