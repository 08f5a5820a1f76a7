"""Metadata that only GDAL applies: Pillow would ignore them, so the picture is refused."""

from pathlib import Path

from polymask.contract import Unavailable
from polymask.files import image_files

GEOTIFF = 33550, 33922, 34264, 50844  # tags: pixel scale, tie points, transform, RPCs
ITEMS, NODATA = 42112, 42113  # GDAL's own tags of a TIFF
CHANGES_VALUES = 'role="scale"', 'role="offset"', "<Scale>", "<Offset>"  # in GDAL's XML
POSITIONS = "<GeoTransform", "<SRS", "<GCPList"  # likewise
BESIDE = ".aux.xml"  # the suffix of GDAL's XML beside a picture
GEOJP2 = bytes.fromhex("b14bf8bd083d4b43a5ae8cd7d5a6ce03")  # the UUID of a GeoTIFF in a JPEG 2000
GMLJP2 = b"gml.data"  # the label of GML in a JPEG 2000, which also gives a position
JPEG2000 = b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51"  # in boxes, and the bare codestream
NOT_PLACED = ", or use --bounds or --pixels"


def refuse(source, picture, placed, scaled):
    """Refuse a picture if ignoring its metadata would give wrong values, or a wrong position.

    Parameters
    ----------
    source : Path or io.BytesIO
        A picture from a pipe has no files beside it.
    picture : PIL.Image.Image
        The page to read.
    placed, scaled : bool
        As for `raster_files.read`.

    Raises
    ------
    Unavailable
        If rasterio is needed, and not installed.
    ValueError
        If rasterio is installed, but does not read these metadata from such a file.
    """
    tags = getattr(picture, "tag_v2", {})
    file = Path(f"{source}{BESIDE}") if isinstance(source, Path) else None
    xml = tags.get(ITEMS, "")
    xml += file.read_text("utf-8", "replace") if file and file.is_file() else ""
    if placed:
        refuse_world_file(source)
    if placed and (any(tag in tags for tag in GEOTIFF) or _is_map(source, xml)):
        raise _needs_rasterio("is a map", NOT_PLACED)
    if scaled and any(word in xml for word in CHANGES_VALUES):
        raise _needs_rasterio("has a scale or an offset of its values", ", or use --raw")
    if "<NoDataValue" in xml or NODATA in tags or (tags and image_files.has_mask_page(source)):
        raise _needs_rasterio("has pixels without a value")


def refuse_world_file(source):
    """Refuse a picture with a world file beside it, which gives its position on a map.

    The file has the name of the picture with the suffix .wld, or the picture's suffix and a w
    (.pngw), or the first and last letter of its suffix and a w (.pgw).
    """
    if not isinstance(source, Path):
        return
    suffix = source.suffix[1:]
    endings = ["wld", f"{suffix}w", f"{suffix[:1]}{suffix[-1:]}w"]
    names = {f"{source.stem}.{ending}".casefold() for ending in endings}
    for file in source.parent.iterdir():
        if file.name.casefold() in names:
            raise _needs_rasterio(f"has a world file, {file.name}", NOT_PLACED)


def _is_map(source, xml):
    if any(word in xml for word in POSITIONS):
        return True
    content = source.read_bytes() if isinstance(source, Path) else source.getvalue()
    return content.startswith(JPEG2000) and (GEOJP2 in content or GMLJP2 in content)


def _needs_rasterio(feature, alternative=""):
    try:
        import rasterio  # noqa: F401
    except ModuleNotFoundError:
        reason = f"{feature}, which needs rasterio, and rasterio is not installed"
        return Unavailable(reason, f"pip install rasterio{alternative}")
    return ValueError(
        f"{feature}, which rasterio does not read: convert it to GeoTIFF{alternative}"
    )
