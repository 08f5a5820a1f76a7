"""Reading one band of an image file, and its position on a map.

rasterio reads maps. Without it, Pillow reads pictures, and a world file places them; other data
that place a picture or change its values are refused instead of ignored.
"""

import io
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import stdin_io
from polymask.common.error_text import quote
from polymask.contract import Unavailable
from polymask.geodata import georeference, image_files, world_files

TIFF = ".tif", ".tiff"
GEOTIFF = 33550, 33922, 34264, 50844  # tags: pixel scale, tie points, transform, RPCs
GDAL_METADATA, GDAL_NODATA = 42112, 42113  # tags of a TIFF
CHANGES_VALUES = 'role="scale"', 'role="offset"', "<Scale>", "<Offset>"  # in GDAL's metadata
PILLOWS = "BMP", "GIF", "JPEG", "JP2OpenJPEG", "PNG", "PNM", "WEBP"  # GDAL's names of pictures
MOST_SUBDATASETS = 3  # in a line
EXACT = 2**53  # from here on, rasterio's nodata, a float, may differ from the file's integer


class Raster(NamedTuple):
    """A band of an image, with its metadata.

    Attributes
    ----------
    values : ndarray, shape (rows, cols)
        The numbers of the file, neither scaled nor shifted; a masked array if the file has a mask
        or a band of opacity.
    names : list of str or None
        The names of labels in an .npz file, that of label 1 first.
    transform : georeference.Affine or None
        From pixels to the map.
    crs : str or None
        The coordinate reference system of the map, as WKT.
    nodata : number or None
        The number in `values` that marks a missing value.
    scale, offset : float
        The physical value is a number of `values` times `scale` plus `offset`.
    """

    values: np.ndarray
    names: list | None = None
    transform: georeference.Affine | None = None
    crs: str | None = None
    nodata: float | None = None
    scale: float = 1.0
    offset: float = 0.0

    @property
    def is_missing(self):
        """An array of bool that is True at missing values, or False if all pixels have one."""
        values, missing = np.ma.getdata(self.values), np.ma.getmask(self.values)
        if self.nodata is None:
            return missing
        if self.nodata != self.nodata:
            return missing | np.isnan(values)
        is_whole = values.dtype.kind in "iu" and float(self.nodata).is_integer()
        return missing | (values == (int(self.nodata) if is_whole else self.nodata))


def read(file, band=1, *, only=False, placed=True, scaled=True):
    """Read one band of an image: .npy, .npz as written by `polymask mask`, a picture, or a map.

    Parameters
    ----------
    file : str or Path
        `reading.STDIN` is standard input.
    band : int
        The first band is 1.
    only : bool
        Whether to refuse a file of several bands, as labels have one.
    placed : bool
        Whether the transform is needed. If not, a map that cannot be placed is read all the same.
    scaled : bool
        Likewise for scale and offset.

    Returns
    -------
    Raster

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If it holds no such image. The message names the file.
    Unavailable
        If a required library is not installed.
    """
    file = Path(file)
    try:
        with stdin_io.named(file):
            source, kind = image_files.opened(file)
            if kind == ".npy":
                return Raster(_band(image_files.read_array(source), band, only))
            if kind == ".npz":
                values, names = image_files.read_npz(source)
                return Raster(_band(values, band, only), names)
            try:
                import rasterio  # noqa: F401
            except ModuleNotFoundError:
                return _by_pillow(source, band, only, placed, scaled)
            raster = _by_rasterio(source, band, only, placed)
            return raster or _by_pillow(source, band, only, placed, scaled)
    except Unavailable as error:
        raise Unavailable(f"{stdin_io.called(file)}: {error.reason}", error.what_to_do) from None


def _refuse_dtype(values):
    if values.dtype.kind not in "iufb" or values.itemsize > 8:
        raise ValueError(
            f"must be an image of real numbers of up to 64 bits, got dtype {values.dtype}: save it "
            "with `numpy.save(file, image.astype(float))`"
        )


def _band(values, band, only):
    """Return a band of an image with the bands on the last axis."""
    if only:
        return values
    _refuse_dtype(values)
    if values.ndim == 3 and values.shape[0] < values.shape[2]:
        raise ValueError(
            f"bands come last, and its shape is {values.shape}: if they come first here, save one, "
            "say `numpy.save(file, image[0])`"
        )
    bands = values.shape[2] if values.ndim == 3 else 1
    if values.ndim not in (2, 3) or band > bands:
        raise ValueError(f"has no band {band}, its shape is {values.shape}")
    return values if values.ndim == 2 else values[..., band - 1]


def _by_rasterio(source, band, only, placed):
    """Read a band with rasterio; return None for a picture without metadata, which Pillow reads."""
    import rasterio

    if isinstance(source, io.BytesIO) and not source.getvalue():
        return None  # rasterio would require the driver of a file to write
    with warnings.catch_warnings():  # an image without a transform is accepted
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        try:
            with rasterio.open(source) as image:
                if image.driver in PILLOWS and not _has_metadata(image):
                    _rewind(source)
                    return None
                return _open_band(image, band, only, placed)
        except rasterio.errors.RasterioIOError as error:
            _rewind(source)
            if not _is_tiff(source):
                return None
            reason = str(error).removeprefix(f"{source}: ")
            raise ValueError(f"cannot be read: {reason}") from None


def _rewind(source):
    if isinstance(source, io.BytesIO):
        source.seek(0)


def _is_tiff(source):
    if isinstance(source, Path):
        return source.suffix.lower() in TIFF
    return source.getvalue()[:4] in (b"II*\0", b"MM\0*")


def _has_metadata(image):
    """Return whether an image has metadata: its position, or the meaning of its numbers."""
    is_placed = not image.transform.is_identity or image.crs or image.gcps[0] or image.rpcs
    has_nodata = any(nodata is not None for nodata in image.nodatavals)
    return is_placed or has_nodata or {*image.scales, *image.offsets} != {1.0, 0.0}


def _open_band(image, band, only, placed):
    import rasterio

    if not image.count and image.subdatasets:
        some = ", ".join(map(quote, image.subdatasets[:MOST_SUBDATASETS]))
        raise ValueError(
            f"holds {len(image.subdatasets)} images: {some}; write one to its own file, with "
            "gdal_translate say"
        )
    if only and image.count > 1:
        raise ValueError(f"has {image.count} bands, but labels need a single one")
    if band > image.count:
        raise ValueError(f"has no band {band}, but {image.count}")
    transform = None
    if placed and not image.transform.is_identity:
        transform = georeference.affine(image.transform)
    elif placed and (image.gcps[0] or image.rpcs):
        raise ValueError(
            "is placed on the map by points, not by a transform: convert it with gdalwarp, or use "
            "--pixels"
        )
    try:
        values = _with_its_mask(image, band)
    except rasterio.errors.RasterioIOError:  # its text only refers to another error
        raise ValueError("its pixels cannot be read: save it, or copy it, again") from None
    place = band - 1
    nodata = image.nodatavals[place]
    if values.dtype.kind in "iu" and nodata is not None and abs(nodata) >= EXACT:
        values = np.ma.masked_array(values, image.read_masks(band) == 0)
        nodata = None
    crs = image.crs.to_wkt() if image.crs else None
    means = image.scales[place], image.offsets[place]
    return Raster(values, None, transform, crs, nodata, *means)


def _with_its_mask(image, band):
    """Return the values of a band, masked if the file has a mask or a band of opacity."""
    from rasterio.enums import MaskFlags

    values = image.read(band)
    _refuse_dtype(values)
    if MaskFlags.per_dataset in image.mask_flag_enums[band - 1]:
        return np.ma.masked_array(values, image.read_masks(band) == 0)
    return values


def _by_pillow(source, band, only, placed, scaled):
    """Read a band of a picture; refuse a picture with metadata that need rasterio."""
    picture = image_files.picture(source)
    tags = getattr(picture, "tag_v2", {})
    name = source if isinstance(source, Path) else None
    about = tags.get(GDAL_METADATA, "") + world_files.metadata(name)
    if placed and (any(tag in tags for tag in GEOTIFF) or world_files.is_map(source, about)):
        raise _needs_rasterio("is a map", "; or --bounds, or --pixels")
    if scaled and any(word in about for word in CHANGES_VALUES):
        raise _needs_rasterio("has a scale or an offset of its values", "; or --raw")
    if "<NoDataValue" in about or (tags and image_files.has_mask_page(source)):
        raise _needs_rasterio("has pixels without a value")
    bands = picture.getbands()
    if only and len(bands) != 1:
        raise ValueError(f"a colour picture ({picture.mode}): labels need grey or a palette")
    values = np.asarray(picture)
    band_values = _band(values, band, only)
    if bands[-1] == "A" and band < len(bands):
        band_values = np.ma.masked_array(band_values, values[..., -1] == 0)
    transform = world_files.transform(name) if placed and name else None
    return Raster(band_values, None, transform, None, _number(tags.get(GDAL_NODATA)))


def _needs_rasterio(what, otherwise=""):
    reason = f"{what}, which rasterio reads, and that is not installed"
    return Unavailable(reason, f"pip install rasterio{otherwise}")


def _number(text):
    """Return the number that GDAL has written as text into a TIFF, None without one."""
    if text is None:
        return None
    try:
        return int(text.strip("\0 "))
    except ValueError:
        return float(text.strip("\0 "))
