"""Writers of image files for masks and labels."""

import colorsys
import io

import click
import numpy as np

from polymask.cli.places import check_out, wrong_suffix
from polymask.common import saving
from polymask.common.errors import Unavailable
from polymask.maps import fitting

AT_ONCE = 1 << 24  # bytes per write: a fraction of a second on a slow disk


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
    if write is write_tif and bounds:
        _import_rasterio()

    def save(image, names=None):
        with saving.replacing(file) as unfinished:
            write(unfinished, image, bounds if write is write_tif else names)

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
    """Write the image as a picture: a mask or fractions in grey, labels in colours or 16-bit grey.

    Up to 255 labels are indices into a palette, so that reading the file restores them.
    """
    from PIL import Image

    highest = int(image.max())
    if highest > 65535:
        raise ValueError("a .png holds labels up to 65535: write .npy or .npz")
    if highest <= 1:
        picture = Image.fromarray(np.rint(255 * image).astype(np.uint8))
    elif highest <= 255:
        picture = Image.fromarray(image.astype(np.uint8)).convert("P")
        picture.putpalette(palette())
    else:
        picture = Image.fromarray(image.astype(np.uint16))
    _save(picture, file, "PNG")


def write_tif(file, image, bounds):
    """Write the image as a TIFF of 8, 16 or 32 bits; with bounds, as a GeoTIFF by rasterio."""
    from PIL import Image

    low, high = int(image.min()), int(image.max())
    if not 0 <= low <= high < 2**31:
        raise ValueError("a .tif holds labels from 0 to 2147483647: write .npy or .npz")
    dtype = next(dtype for dtype in (np.uint8, np.uint16, np.int32) if high <= np.iinfo(dtype).max)
    image = image.astype(dtype)
    if not bounds:
        _save(Image.fromarray(image), file, "TIFF", compression="tiff_adobe_deflate")
        return
    rasterio = _import_rasterio()
    (height, width), transform = image.shape, fitting.bounds_from(bounds, image.shape)
    profile = {"driver": "GTiff", "compress": "deflate", "dtype": dtype, "count": 1}
    profile |= {"height": height, "width": width, "transform": rasterio.Affine(*transform)}
    with rasterio.MemoryFile() as content:  # as GDAL does not report a full disk
        with content.open(**profile) as tiff:
            tiff.write(image, 1)
        file.write_bytes(content.getbuffer())


def _import_rasterio():
    try:
        import rasterio
    except ModuleNotFoundError:
        reason = "a .tif with --bounds is a GeoTIFF, which needs rasterio"
        raise Unavailable(reason, "pip install rasterio, or write .npy or .npz") from None
    return rasterio


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
