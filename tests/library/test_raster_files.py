"""Images in files with a transform, a scale, an offset, or missing values."""

import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from polymask import contract
from polymask.files import raster_files
from polymask.maps import georeference

VALUES = np.arange(1, 61, dtype=np.uint16).reshape(6, 10)
TRANSFORM = georeference.Affine(0.5, 0, 10, 0, -0.5, 60)
WORLD_FILE = "0,5\n0\n0\n-.5\n10.25\n59.75\n"  # the last two: centre of the first pixel
DRIVERS = {"tif": "GTiff", "jp2": "JP2OpenJPEG", "png": "PNG", "img": "HFA", "bil": "EHdr"}


@pytest.fixture
def write(tmp_path, monkeypatch):
    """Write VALUES as a map in some format with rasterio."""
    rasterio = pytest.importorskip("rasterio")
    monkeypatch.chdir(tmp_path)

    def write(kind, *, values=VALUES, transform=TRANSFORM, crs="EPSG:4326", scaling=(), **options):
        header = {"height": 6, "width": 10, "count": 1, "dtype": values.dtype, "crs": crs} | options
        if kind == "jp2":
            header |= {"QUALITY": "100", "REVERSIBLE": "YES"}
        if kind == "png":
            header |= {"WORLDFILE": "YES"}
        header["transform"] = rasterio.Affine(*transform) if transform else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
            with rasterio.open(f"map.{kind}", "w", driver=DRIVERS[kind], **header) as file:
                file.write(values, 1)
                if scaling:
                    file.scales, file.offsets = ([number] for number in scaling)
        return Path(f"map.{kind}")

    return write


@pytest.fixture
def without_rasterio(monkeypatch):
    return lambda: monkeypatch.setitem(sys.modules, "rasterio", None)


@pytest.mark.parametrize("kind", DRIVERS)
def test_a_map_in_any_format_keeps_its_transform(write, without_rasterio, kind):
    file = write(kind)
    image = raster_files.read(file)
    np.testing.assert_array_equal(image.values, VALUES)
    assert image.transform == TRANSFORM
    without_rasterio()
    with pytest.raises(contract.Unavailable, match=rf"map\.{kind}: .*pip install rasterio"):
        raster_files.read(file)


def test_the_reference_system_is_that_of_the_file(write):
    pyproj = pytest.importorskip("pyproj")
    assert pyproj.CRS(raster_files.read(write("tif", crs="EPSG:32632")).crs) == "EPSG:32632"
    assert raster_files.read(write("tif", crs=None)).crs is None


@pytest.mark.parametrize(
    ("name", "world_file"),
    [("a.tif", "a.tfw"), ("a.png", "A.PGW"), ("a.png", "a.pngw"), ("a.jpeg", "a.wld")],
)
def test_a_picture_is_placed_by_its_world_file(tmp_path, name, world_file):
    pytest.importorskip("rasterio")
    file = tmp_path / name
    Image.fromarray(VALUES.astype(np.uint8)).save(file)
    assert raster_files.read(file).transform is None
    (tmp_path / world_file).write_text(WORLD_FILE)
    assert raster_files.read(file).transform == TRANSFORM
    assert raster_files.read(file, placed=False).transform is None


@pytest.mark.parametrize(
    ("name", "text"),
    [("a.png", "1\n0\n0\n"), ("a.tif", "1\n0\n0\n"), ("a.webp", WORLD_FILE), ("a.pgm", WORLD_FILE)],
)
def test_a_world_file_that_gdal_does_not_read_is_refused(tmp_path, name, text):
    """Nor is it ignored; GDAL's PNM driver returns a random transform for some."""
    pytest.importorskip("rasterio")
    Image.fromarray(VALUES.astype(np.uint8)).save(tmp_path / name)
    assert raster_files.read(tmp_path / name).transform is None
    (tmp_path / "a.wld").write_text(text)
    with pytest.raises(ValueError, match=r"world file, a\.wld.*--bounds"):
        raster_files.read(tmp_path / name)


def test_scale_and_offset_are_read(write):
    for kind in "tif", "png":
        file = write(kind, scaling=(2.75e-05, -0.2), transform=None, crs=None)
        image = raster_files.read(file)
        assert (image.scale, image.offset) == (2.75e-05, -0.2)
        np.testing.assert_array_equal(image.values, VALUES)
        assert raster_files.read(file, scaled=False).scale == 1


@pytest.mark.parametrize(
    ("dtype", "nodata"),
    [("uint16", 700), ("float32", np.nan), ("float32", 0.1), ("int64", 2**53 + 1), ("uint8", -1)],
)
def test_missing_values(write, dtype, nodata):
    values = VALUES.astype(dtype)
    if nodata != -1:
        values[2, 3] = nodata
    file = write("tif", values=values, nodata=None if nodata == -1 else nodata)
    expected = np.zeros(VALUES.shape, bool)
    expected[2, 3] = nodata != -1
    if dtype == "int64":  # rasterio writes a float
        content = file.read_bytes()
        assert content.count(b"9007199254740992") == 1
        file.write_bytes(content.replace(b"9007199254740992", b"9007199254740993"))
    image = raster_files.read(file)
    np.testing.assert_array_equal(np.broadcast_to(image.is_missing, VALUES.shape), expected)


@pytest.mark.parametrize(
    ("dtype", "nodata"), [("int64", 2**63 - 1), ("int64", -(2**63)), ("uint64", 2**64 - 1)]
)
def test_missing_values_that_rasterio_has_no_number_for(write, dtype, nodata):
    values = VALUES.astype(dtype)
    values[2, 3] = nodata
    file = write("tif", values=values)
    element = f'<PAMRasterBand band="1"><NoDataValue>{nodata}</NoDataValue></PAMRasterBand>'
    Path("map.tif.aux.xml").write_text(f"<PAMDataset>{element}</PAMDataset>")
    np.testing.assert_array_equal(raster_files.read(file).is_missing, values == nodata)
    windows = raster_files.read(file, windows=True).values
    np.testing.assert_array_equal(windows.read((0, 6, 0, 10))[1], values == nodata)
    windows.close()


def test_transparent_pixels_have_no_value(tmp_path):
    alpha = np.where(VALUES % 3, 255, 0).astype(np.uint8)
    Image.fromarray(np.dstack([VALUES.astype(np.uint8), alpha])).save(tmp_path / "a.png")
    image = raster_files.read(tmp_path / "a.png")
    np.testing.assert_array_equal(image.is_missing, alpha == 0)


def test_a_map_with_control_points_is_rejected(write):
    rasterio = pytest.importorskip("rasterio")
    file = write("tif", transform=None, crs=None)
    points = [(0, 0, 10, 60), (0, 10, 15, 60), (6, 0, 10, 57), (6, 10, 15, 57)]
    with pytest.warns(rasterio.errors.NotGeoreferencedWarning), rasterio.open(file, "r+") as source:
        source.gcps = [rasterio.control.GroundControlPoint(*point) for point in points], "EPSG:4326"
    with pytest.raises(ValueError, match="gdalwarp"):
        raster_files.read(file)
    np.testing.assert_array_equal(raster_files.read(file, placed=False).values, VALUES)


UPRIGHT = {
    1: VALUES,
    2: VALUES[:, ::-1],
    3: VALUES[::-1, ::-1],
    4: VALUES[::-1],
    5: VALUES.T,
    6: np.rot90(VALUES, -1),
    7: VALUES[::-1, ::-1].T,
    8: np.rot90(VALUES),
}


@pytest.mark.parametrize("kind", ["png", "tif", "jpg"])
def test_pictures_are_turned_upright(tmp_path, kind):
    """As in programs for annotations."""
    file = tmp_path / f"a.{kind}"
    for orientation, expected in UPRIGHT.items():
        exif = Image.Exif()
        exif[274] = orientation
        picture = Image.fromarray(VALUES.astype(np.uint8))
        picture.save(file, exif=exif, quality=100)
        values = raster_files.read(file, windows=orientation > 1).values
        near = 3 if kind == "jpg" else 0
        np.testing.assert_allclose(values.astype(int), expected, rtol=0, atol=near)


@pytest.mark.parametrize("transform", [None, TRANSFORM])
def test_only_a_map_is_not_turned(write, transform):
    """Also a TIFF with bands of 16 bits, which Pillow does not read."""
    file = write("tif", transform=transform, crs=None, count=2)
    content = file.read_bytes()
    start = content.index(np.array([284, 3], "<u2").tobytes())  # a tag that has its default
    turned = np.array([274, 3, 1, 0, 6, 0], "<u2").tobytes()
    file.write_bytes(content[:start] + turned + content[start + 12 :])
    expected = VALUES if transform else UPRIGHT[6]
    np.testing.assert_array_equal(raster_files.read(file).values, expected)


@pytest.mark.parametrize("kind", ["tif", "gif", "png"])
def test_a_file_of_several_pages_is_refused(tmp_path, kind):
    pages = [Image.fromarray(VALUES.astype(np.uint8) + page) for page in range(3)]
    pages[0].save(tmp_path / f"a.{kind}", save_all=True, append_images=pages[1:])
    with pytest.raises(ValueError, match=rf"a\.{kind}: contains 3 images"):
        raster_files.read(tmp_path / f"a.{kind}")


def test_a_transparent_index_of_a_palette(tmp_path):
    picture = Image.fromarray(VALUES.astype(np.uint8)).convert("P")
    picture.save(tmp_path / "a.png", transparency=7)
    image = raster_files.read(tmp_path / "a.png")
    assert image.is_palette
    np.testing.assert_array_equal(image.is_missing, image.values == 7)


def test_overviews_are_not_pages(write):
    rasterio = pytest.importorskip("rasterio")
    file = write("tif")
    with rasterio.open(file, "r+") as image:
        image.build_overviews([2])
    np.testing.assert_array_equal(raster_files.read(file, placed=False).values, VALUES)
