"""Writers of image files for masks and labels."""

import colorsys
import io

import click
import numpy as np

from polymask.cli.places import check_out, wrong_suffix
from polymask.common import saving
from polymask.maps import fitting

AT_ONCE = 1 << 24  # bytes per write: a fraction of a second on a slow disk
PIXEL_SCALE, TIE_POINT = 33550, 33922  # tags of GeoTIFF


def writer(option, file, shape, inputs=(), bounds=None):
    """Return a function that writes an image of a shape, and optional names, to a file.

    `shape` may be None if it is unknown. `bounds` are the edges of a map; a TIFF stores them.
    Refuse an input, and a file that cannot be written, before the work.
    """
    write = WRITERS.get(file.suffix.lower())
    if write is None:
        raise wrong_suffix(option, file, WRITERS)
    if write in (write_png, write_tif) and 0 in (shape or ()):
        raise click.UsageError("a mask without pixels cannot be saved as a picture")
    check_out(file, inputs)

    def save(image, names=None):
        with saving.replacing(file) as unfinished:
            if write is write_tif:
                write(unfinished, image, bounds)
            else:
                write(unfinished, image, names)

    return save


def write_npy(file, image, _):
    """Write the image in NumPy's format.

    NumPy's function would add .npy to .NPY, and does not report a full disk clearly.
    """
    with file.open("wb") as out:
        np.lib.format.write_array_header_1_0(out, np.lib.format.header_data_from_array_1_0(image))
        content = np.ascontiguousarray(image).reshape(-1).view(np.uint8)
        for first in range(0, content.size, AT_ONCE):  # a signal waits until a system call ends
            out.write(content[first : first + AT_ONCE].data)


def write_npz(file, image, names):
    """Write the image as `labels`, and `names`, starting with the name of label 1."""
    with file.open("wb") as out:
        np.savez_compressed(out, labels=image, **({} if names is None else {"names": names}))


def write_png(file, image, _):
    """Write the image as a picture: a mask in black and white, labels in colours or 16-bit grey.

    Up to 255 labels are indices into a palette, so that reading the file restores them.
    """
    from PIL import Image

    highest = int(image.max())
    if highest > 65535:
        raise ValueError("a .png holds labels up to 65535: write .npy or .npz")
    if highest <= 1:
        picture = Image.fromarray(image.astype(np.uint8) * np.uint8(255))
    elif highest <= 255:
        picture = Image.fromarray(image.astype(np.uint8)).convert("P")
        picture.putpalette(palette())
    else:
        picture = Image.fromarray(image.astype(np.uint16))
    _save(picture, file, "PNG")


def write_tif(file, image, bounds):
    """Write the image as a TIFF of 8, 16 or 32 bits, a GeoTIFF if it has bounds."""
    from PIL import Image

    low, high = int(image.min()), int(image.max())
    if not 0 <= low <= high < 2**31:
        raise ValueError("a .tif holds labels from 0 to 2147483647: write .npy or .npz")
    dtype = next(dtype for dtype in (np.uint8, np.uint16, np.int32) if high <= np.iinfo(dtype).max)
    options = {"compression": "tiff_adobe_deflate", "tiffinfo": _map_tags(bounds, image.shape)}
    _save(Image.fromarray(image.astype(dtype)), file, "TIFF", **options)


def _map_tags(bounds, shape):
    """Return the tags of a TIFF for the edges of a map, or no tags if `bounds` is None."""
    from PIL.TiffImagePlugin import ImageFileDirectory_v2
    from PIL.TiffTags import DOUBLE

    tags = ImageFileDirectory_v2()
    if bounds:
        width, _, west, _, height, north = fitting.bounds_from(bounds, shape)
        tags.tagtype |= {PIXEL_SCALE: DOUBLE, TIE_POINT: DOUBLE}
        tags[PIXEL_SCALE] = width, -height, 0.0
        tags[TIE_POINT] = 0.0, 0.0, 0.0, west, north, 0.0  # of the first pixel's corner
    return tags


def _save(picture, file, form, **options):
    """Encode a picture, then write it, as Pillow's error on a full disk does not name the file."""
    content = io.BytesIO()
    picture.save(content, form, **options)
    file.write_bytes(content.getbuffer())


def palette():
    """Return 256 colours, red, green, blue, ...: black, then hues a golden section apart."""
    colours = [(0.0, 0.0, 0.0)]
    colours += [colorsys.hsv_to_rgb(i * 0.618034 % 1, 0.55, 0.95 - i % 3 / 8) for i in range(255)]
    return [round(255 * channel) for colour in colours for channel in colour]


WRITERS = {
    ".npy": write_npy,
    ".png": write_png,
    ".tif": write_tif,
    ".tiff": write_tif,
    ".npz": write_npz,
}
