"""The position of a picture on a map, read from the files beside it without map libraries."""

from pathlib import Path

from polymask.common import stdin_io
from polymask.maps import georeference

METADATA = ".aux.xml"  # the suffix of GDAL's file of metadata beside a picture
POSITIONS = "<GeoTransform", "<SRS", "<GCPList"  # elements of that file that give a position
GEOJP2 = bytes.fromhex("b14bf8bd083d4b43a5ae8cd7d5a6ce03")  # the UUID of a GeoTIFF in a JPEG 2000
GMLJP2 = b"gml.data"  # the label of GML in a JPEG 2000, which also gives a position
JPEG2000 = b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51"  # in boxes, and the bare codestream


def transform(picture):
    """Read the transform from the world file beside a picture; return None without such a file.

    The file has the name of the picture with the suffix .wld, or the picture's suffix and a w
    (.pngw), or the first and last letter of its suffix and a w (.pgw). It has six lines: the
    changes of x and y per column and per row (in the order A, D, B, E), and the position of the
    first pixel's centre.

    Parameters
    ----------
    picture : Path

    Returns
    -------
    georeference.Affine or None

    Raises
    ------
    ValueError
        If the file does not consist of six numbers. The message names it.
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
    names = {f"{picture.stem}.{ending}".casefold() for ending in endings}
    return next((f for f in sorted(picture.parent.iterdir()) if f.name.casefold() in names), None)


def metadata(picture):
    """Return GDAL's metadata from the file beside a picture.

    Parameters
    ----------
    picture : Path or None
        None for a picture without a file name, such as one from a pipe.

    Returns
    -------
    str
        XML; empty without such a file.
    """
    file = picture and Path(f"{picture}{METADATA}")
    return file.read_text("utf-8", "replace") if file and file.is_file() else ""


def is_map(picture, xml):
    """Return whether a picture has a position on a map that only map libraries can read.

    Parameters
    ----------
    picture : Path or io.BytesIO
    xml : str
        The result of `metadata`.
    """
    if any(word in xml for word in POSITIONS):
        return True
    content = picture.read_bytes() if isinstance(picture, Path) else picture.getvalue()
    return content.startswith(JPEG2000) and (GEOJP2 in content or GMLJP2 in content)
