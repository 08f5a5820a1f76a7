"""Reading one band of an image file, and its position on a map.

rasterio reads everything but NumPy's files, also positions in world files.
"""

import io
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np

from polymask.common import stdin_io
from polymask.common.error_text import list_names
from polymask.contract import Unavailable
from polymask.files import image_files
from polymask.files.raster_windows import DAMAGED, BandWindows
from polymask.maps import georeference

TIFF = ".tif", ".tiff"
NO_POSITION = "PNM"  # without a world file, GDAL returns a transform of random numbers
PICTURES = "BMP", "GIF", "JPEG", "JP2OpenJPEG", "PNG", "PNM", "WEBP"  # GDAL's names of formats
EXACT = 2**53  # from here on, rasterio's nodata, a float, may differ from the file's integer


class Raster(NamedTuple):
    """A band of an image, with its metadata.

    Attributes
    ----------
    values : ndarray, shape (rows, cols), or BandWindows
        The numbers of the file, neither scaled nor shifted; a masked array if the file has a mask
        or an alpha band.
    names : list of str or None
        The names of labels in an .npz file, starting with that of label 1.
    transform : georeference.Affine or None
        From pixels to the map.
    crs : str or None
        The coordinate reference system of the map, as WKT.
    nodata : number or None
        The number in `values` that marks a missing value.
    scale, offset : float
        A physical value is an element of `values` times `scale` plus `offset`.
    is_palette : bool
        Whether the numbers of a picture are indices of a palette.
    """

    values: np.ndarray
    names: list | None = None
    transform: georeference.Affine | None = None
    crs: str | None = None
    nodata: float | None = None
    scale: float = 1.0
    offset: float = 0.0
    is_palette: bool = False

    @property
    def is_missing(self):
        """A bool array that is True at missing values, or False if all pixels have a value."""
        values, missing = np.ma.getdata(self.values), np.ma.getmask(self.values)
        if self.nodata is None:
            return missing
        if self.nodata != self.nodata:
            return missing | np.isnan(values)
        is_whole = values.dtype.kind in "iu" and float(self.nodata).is_integer()
        return missing | (values == (int(self.nodata) if is_whole else self.nodata))


def north_up(raster):
    """Return a raster with its rows from the north and its columns from the west."""
    if raster.transform is None:
        return raster
    transform, turn = raster.transform.north_up(raster.values.shape)
    return raster._replace(transform=transform, values=raster.values[turn])


def read(file, band=1, *, only=False, placed=True, scaled=True, windows=False):
    """Read one band of an image: .npy, a picture, a map, or .npz that polymask wrote.

    A picture without a position is turned upright by the orientation in its EXIF data. Pixels of a
    picture with a palette are indices.

    Parameters
    ----------
    file : str or Path
        `stdin_io.STDIN` is standard input.
    band : int
        The number of the band, from 1.
    only : bool
        Whether to refuse a file with several bands, because labels have one.
    placed : bool
        Whether the transform is needed. If not, a map whose position cannot be read is accepted.
    scaled : bool
        Likewise for scale and offset. If not, they are 1 and 0.
    windows : bool
        Whether the values that rasterio reads may be windows, not yet in memory.

    Returns
    -------
    Raster

    Raises
    ------
    OSError
        If the file cannot be read.
    ValueError
        If the file does not contain such an image. The message names the file.
    Unavailable
        If a required library is not installed.
    """
    file = Path(file)
    with stdin_io.named(file):
        source, suffix = image_files.open_source(file)
        if suffix == ".npy":
            return Raster(_band(image_files.read_array(source), band, only))
        if suffix == ".npz":
            values, names = image_files.read_npz(source)
            return Raster(_band(values, band, only), names)
        opened = file if windows else None
        raster = _read_with_rasterio(source, band, only, placed, opened)
        return raster if scaled else raster._replace(scale=1.0, offset=0.0)


def _refuse_dtype(values):
    if values.dtype.kind not in "iufb" or values.dtype.itemsize > 8:
        raise ValueError(
            f"must be an image of real numbers of at most 64 bits, got dtype {values.dtype}: save "
            "it with `numpy.save(file, image.astype(float))`"
        )


def _band(values, band, only):
    """Return a band of an image with the bands on the last axis."""
    if only:
        return values
    _refuse_dtype(values)
    if values.ndim == 3 and values.shape[0] < values.shape[2]:
        raise ValueError(
            f"bands must come last, but its shape is {values.shape}: if they come first, save one "
            "with `numpy.save(file, image[0])`"
        )
    bands = values.shape[2] if values.ndim == 3 else 1
    if values.ndim not in (2, 3) or band > bands:
        raise ValueError(f"has no band {band}: its shape is {values.shape}")
    return values if values.ndim == 2 else values[..., band - 1]


def _read_with_rasterio(source, band, only, placed, opened):
    """Read a band with rasterio; `opened` is the name of a file to open only, or None."""
    if isinstance(source, io.BytesIO) and not source.getvalue():
        raise ValueError("is empty")  # rasterio would take it for a file to write
    try:
        import rasterio
    except ModuleNotFoundError:
        reason = "pictures and maps need rasterio, which is not installed"
        raise Unavailable(reason, "pip install rasterio, or save the image as .npy") from None
    with warnings.catch_warnings():  # an image without a transform is accepted
        warnings.simplefilter("ignore", rasterio.errors.NotGeoreferencedWarning)
        try:
            with rasterio.open(source) as image:
                return _open_band(image, band, only, placed, source, opened)
        except rasterio.errors.RasterioIOError as error:
            reason = str(error).removeprefix(f"{source}: ")
            if "not recognized" in reason:  # GDAL repeats the name
                reason = "neither .npy nor .npz, nor a picture or map that rasterio reads"
            raise ValueError(f"cannot be read: {reason}") from None


def _is_placed(image):
    return not image.transform.is_identity or image.crs or image.gcps[0] or image.rpcs


def _open_band(image, band, only, placed, source, opened):
    from rasterio.enums import ColorInterp, MaskFlags

    if image.subdatasets and not (image.count and image.driver in PICTURES):
        raise ValueError(
            f"contains {len(image.subdatasets)} images: {list_names(image.subdatasets, 3)}; write "
            "one to its own file, for example with gdal_translate"
        )
    if only and image.count > 1:
        raise ValueError(f"has {image.count} bands, but labels need a single one")
    if band > image.count:
        raise ValueError(f"has no band {band}, only {image.count}")
    turn, is_tiff = 1, image.driver == "GTiff"
    if (is_tiff or image.driver in PICTURES) and not _is_placed(image):
        turn = image_files.orientation(source, is_tiff)
    transform = None
    if placed and not (image.transform.is_identity or image.driver == NO_POSITION):
        transform = georeference.affine(image.transform)
    elif placed and (image.gcps[0] or image.rpcs):
        raise ValueError(
            "has control points instead of a transform to the map: convert it with gdalwarp, or "
            "use --pixels"
        )
    elif placed:
        image_files.refuse_world_file(source)
    place = band - 1
    nodata = image.nodatavals[place]
    is_integer = np.dtype(image.dtypes[place]).kind in "iu"
    if is_integer and nodata is not None and abs(nodata) >= EXACT:
        nodata = None
    flags = image.mask_flag_enums[place]  # nodata may be one that rasterio gives as None
    has_mask = MaskFlags.per_dataset in flags or (nodata is None and MaskFlags.nodata in flags)
    if opened is not None and turn == 1:
        values = BandWindows(opened, source, image, band, has_mask)
        _refuse_dtype(values)
    else:
        values = image_files.upright(_read_masked(image, band, has_mask), turn)
    crs = image.crs.to_wkt() if image.crs else None
    scaling = image.scales[place], image.offsets[place]
    is_palette = image.driver in PICTURES and image.colorinterp[place] == ColorInterp.palette
    return Raster(values, None, transform, crs, nodata, *scaling, is_palette)


def _read_masked(image, band, has_mask):
    """Read the values of a band, masked if the file has a mask, an alpha band or such a nodata."""
    import rasterio

    try:
        values = image.read(band)
        _refuse_dtype(values)
        return np.ma.masked_array(values, image.read_masks(band) == 0) if has_mask else values
    except rasterio.errors.RasterioIOError:  # its text only refers to another error
        raise ValueError(DAMAGED) from None
