"""Burning values into an image: geometries, their values, and a dtype that holds the values."""

import numbers
from collections.abc import Iterable, Mapping

import numpy as np

from polymask import contract
from polymask.common.error_text import quote
from polymask.forms import feature_values
from polymask.forms.ragged import Ragged, moved, ragged
from polymask.maps import georeference
from polymask.masks import _many, labels
from polymask.masks.output import check_size

INTEGERS = "uint8", "uint16", "int16", "uint32", "int32", "int64", "uint64"  # by preference
TEXT = str, bytes, bytearray  # invalid values, not geometries, although they have a length


def check_overlaps(merge_alg, on_top):
    """Return whether values are added, and which geometry is on top otherwise."""
    name = getattr(merge_alg, "name", merge_alg)
    name = name.lower() if isinstance(name, str) else name
    contract.check_choice(name, ("replace", "add"), "merge_alg")
    if name == "add" and labels.check_on_top(on_top) != "last":
        raise ValueError('on_top cannot be combined with merge_alg="add", which adds all values')
    return name == "add", labels.check_on_top(on_top)


def place_on_grid(shapes, values, default_value, transform, shape, center, system=None):
    """Convert geometries to ragged arrays in pixels, and return them with their values.

    `center` is that of `check_sampling`, and `system` that of `keeping_poles`.
    """
    polygons, values = read_on_map(shapes, values, default_value)
    place = georeference.keeping_poles(transform.to_pixels, transform, shape, center, system)
    return moved(polygons, place), values


def read_on_map(shapes, values, default_value):
    """Convert geometries to ragged arrays on the map, and return them with their values."""
    if values is None:
        shapes, values = _split(shapes, default_value)
    feature_values.refuse_other_index(values, shapes, "values")
    polygons = ragged(shapes)
    values = feature_values.check_values(values)
    if values.shape != (polygons.features,):
        raise ValueError(f"got values of shape {values.shape} for {polygons.features} geometries")
    return polygons, values


def _split(shapes, default_value):
    """Split shapes into geometries and their values."""
    sets = (np.ndarray, Ragged, Mapping, *contract.NOT_SEQUENCES)
    if (
        isinstance(shapes, sets)
        or hasattr(shapes, "__geo_interface__")
        or not isinstance(shapes, Iterable)
    ):
        default_value = contract.check_number(default_value, "default_value")
        return (polygons := ragged(shapes)), [default_value] * polygons.features
    if _is_pair(shapes) and isinstance(shapes[1], numbers.Number):
        raise ValueError("put a single geometry and its value into a list: [(geometry, value)]")
    shapes = shapes if isinstance(shapes, tuple) else list(shapes)
    are_pairs = [_is_pair(entry) for entry in shapes]
    if not all(are_pairs):
        default_value = contract.check_number(default_value, "default_value")
    if not any(are_pairs):
        return (polygons := ragged(shapes)), [default_value] * polygons.features
    pairs = [
        entry if is_pair else (entry, default_value)
        for entry, is_pair in zip(shapes, are_pairs, strict=True)
    ]
    return tuple(map(list, zip(*pairs, strict=True)))


def _is_pair(entry):
    """Return whether an entry is a geometry with its value, not a geometry or a vertex."""
    if not isinstance(entry, (tuple, list)) or len(entry) != 2:
        return False
    geometry, value = entry
    if isinstance(geometry, numbers.Real):
        return False
    if value is None:  # a missing value in a tuple, but an empty ring in a list
        return isinstance(entry, tuple)
    if isinstance(value, TEXT):
        return True
    has_axes = getattr(value, "ndim", hasattr(value, "__len__"))
    return not has_axes and not hasattr(value, "__geo_interface__")


def smallest_dtype(values, fill, adds):
    """Return the first usual dtype that holds all values and `fill`, or their sums."""
    if values.dtype.kind == "f" or not isinstance(fill, numbers.Integral):
        return np.float64
    low, high = min(values.min(initial=0).item(), fill), max(values.max(initial=0).item(), fill)
    if adds:
        low, high = _range_of_sums(values, (fill, fill))
    for name in INTEGERS:
        limits = np.iinfo(name)
        if limits.min <= low and high <= limits.max:
            return name
    raise ValueError(f"values {quote(low)} to {quote(high)} fit no integer type")


def cast(values, dtype, text):
    """Convert values to a dtype, which must hold integers and bool exactly."""
    dtype = contract.as_dtype(dtype, "an integer, float or bool type")
    if dtype.kind not in "iufb" or dtype.itemsize > 8 or not dtype.isnative:
        reason = "" if dtype.isnative else ", which is not in this machine's byte order"
        raise ValueError(f"dtype must be an integer, float or bool type, got {dtype}{reason}")
    with np.errstate(all="ignore"):
        cast = values.astype(dtype)
        fits = cast == values
        if dtype.kind == "f" and values.dtype.kind in "iu":
            past = float(np.iinfo(values.dtype).max) + 1  # NumPy compares both as rounded floats
            fits = (cast < past) & (cast.astype(values.dtype) == values)
        elif dtype.kind == "f":  # floats may be rounded, but not to infinity
            fits = np.isfinite(cast) | ~np.isfinite(values)
    if not fits.all():
        first = int((~fits).argmax())
        raise ValueError(f"{text.format(values.flat[first], first)} does not fit {dtype}")
    return cast


def _range_of_sums(values, start):
    """Return the smallest and largest possible sum of integers added to the range `start`."""
    low, high = start
    integers = values.tolist()  # Python integers have an exact sum
    if values.dtype.kind == "f":
        integers = [*map(int, integers)]
    low = int(low) + sum(number for number in integers if number < 0)
    return low, int(high) + sum(number for number in integers if number > 0)


def burn(polygons, values, shape, fill, sampling, adds, on_top):
    """Burn values into a new image: their sums, or their bits, painted like labels.

    `adds` is False, or the kind of the values' dtype before `cast`.
    """
    if not feature_values.has_64_bits(fill):
        raise TypeError(f"fill must be a real number of at most 64 bits, got {quote(fill)}")
    background = cast(feature_values.check_values([fill]), values.dtype, "fill {}")
    check_size(shape, values.dtype)
    many = _many.Many(polygons, shape, sampling)
    if adds:
        image = np.full(shape, background) if background.any() else np.zeros(shape, values.dtype)
        add(many, values, image, (background[0], background[0]), adds)
        return image
    bits = np.dtype(f"u{values.itemsize}")
    background = background.view(bits)
    differing = values.view(bits) ^ background
    image = np.zeros(shape, bits)
    labels.paint(many, differing, image, on_top, out_is_zero=True)
    if background.any():  # the image was painted on zeros, in the bits that differ from fill
        image ^= background
    return image.view(values.dtype)


def add(many, values, out, start, kind):
    """Add each geometry's value to an image whose smallest and largest values are `start`.

    `kind` is that of the values' dtype before `cast`. If sums of integers might not fit the dtype
    of the image, they are first computed in another array.
    """
    wide = np.float32 if out.dtype == np.float16 else out.dtype
    if out.dtype.kind == "f":
        is_checked = kind in "iu" and _may_round(values, out, start)
    else:
        limits = (0, 1) if wide.kind == "b" else (np.iinfo(wide).min, np.iinfo(wide).max)
        is_checked = not _fits(_range_of_sums(values, start), limits)
    if is_checked:
        possible = _range_of_sums(values, start)
        if not _fits(possible, (np.iinfo(np.int64).min, np.iinfo(np.int64).max)):
            raise ValueError(
                f"sums may range from {possible[0]} to {possible[1]}, which does not fit 64 bits: "
                "use smaller values, or floats as values and dtype"
            )
        wide = np.int64
    if wide == out.dtype:
        labels.paint(many, values, out, keeps=True, adds=True)
        return
    sums = out.astype(wide)
    labels.paint(many, values.astype(wide), sums, keeps=True, adds=True)
    if is_checked:
        extremes = np.array([sums.min(initial=0), sums.max(initial=0)])
        found = sums if out.dtype.kind == "f" else extremes
        cast(found, out.dtype, "values add up to {}, which")
    with np.errstate(all="ignore"):  # float16 may become infinite, like other floats
        out[...] = sums


def _may_round(values, out, start):
    """Return whether sums of integers might not fit an image of floats that are integers now."""
    most = np.abs(values).sum(dtype=float) + np.abs(start).astype(float).max()
    if not most >= 2.0 ** (np.finfo(out.dtype).nmant + 1):  # NaN is no integer
        return False
    with np.errstate(invalid="ignore"):  # numbers beyond 64 bits count as floats
        return bool((out.astype(np.int64) == out).all())


def _fits(extremes, limits):
    """Return whether the smallest and the largest number lie within the limits."""
    return limits[0] <= extremes[0] and extremes[1] <= limits[1]
