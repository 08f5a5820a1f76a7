"""The position of a picture on a map from the files beside it, without libraries for maps."""

from pathlib import Path

from polymask.common import stdin_io
from polymask.geodata import georeference

METADATA = ".aux.xml"  # the suffix of GDAL's file of metadata beside a picture
PLACES = "<GeoTransform", "<SRS", "<GCPList"  # in that file
GEOJP2 = bytes.fromhex("b14bf8bd083d4b43a5ae8cd7d5a6ce03")  # the UUID of a GeoTIFF in a JPEG 2000
GMLJP2 = b"gml.data"  # the label of GML in a JPEG 2000, which also places it
JPEG2000 = b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51"  # in boxes, and the bare codestream


def transform(picture):
    """Return the transform in a world file beside a picture, None without such a file.

    The file has the name of the picture with the suffix .wld, or the picture's suffix and a w
    (.pngw), or the first and last letter of its suffix and a w (.pgw). It has six lines: the change
    of x and y per column, that per row (in the order A, D, B, E), and the position of the centre of
    the first pixel.

    Parameters
    ----------
    picture : Path

    Returns
    -------
    georeference.Affine or None

    Raises
    ------
    ValueError
        If the file is not six numbers. The message names it.
    """
    file = _beside(picture)
    if file is None:
        return None
    with stdin_io.named(file):
        words = stdin_io.content(file).split()
        try:
            a, d, b, e, x, y = (float(word.replace(b",", b".")) for word in words)
        except ValueError:
            raise ValueError("not a world file of six lines with one number each") from None
        return georeference.affine((a, b, x - (a + b) / 2, d, e, y - (d + e) / 2))


def _beside(picture):
    suffix = picture.suffix[1:]
    endings = ["wld", f"{suffix}w", *([f"{suffix[0]}{suffix[-1]}w"] if suffix else [])]
    known = {f"{picture.stem}.{ending}".casefold() for ending in endings}
    return next((f for f in sorted(picture.parent.iterdir()) if f.name.casefold() in known), None)


def metadata(picture):
    """Return GDAL's metadata from the file beside a picture.

    Parameters
    ----------
    picture : Path or None
        None for a picture without a file name, which has no file beside it.

    Returns
    -------
    str
        XML; empty without such a file.
    """
    aside = picture and Path(f"{picture}{METADATA}")
    return aside.read_text("utf-8", "replace") if aside and aside.is_file() else ""


def is_map(picture, about):
    """Return whether a picture has a position on a map that only libraries for maps read.

    Parameters
    ----------
    picture : Path or io.BytesIO
    about : str
        The result of `metadata`.
    """
    if any(word in about for word in PLACES):
        return True
    content = picture.read_bytes() if isinstance(picture, Path) else picture.getvalue()
    return content.startswith(JPEG2000) and (GEOJP2 in content or GMLJP2 in content)
