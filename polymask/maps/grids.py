"""The grids of xarray objects: the coordinates along their axes, and their transform to the map."""

from collections.abc import Hashable

import numpy as np

from polymask.common.error_text import quote
from polymask.maps import crs, georeference

AXES = {"x": ("x", "lon", "longitude"), "y": ("y", "lat", "latitude")}
UNEVEN = 1e-3  # the largest allowed deviation from even spacing, as a fraction of the step


def axes(like, x=None, y=None):
    """Return the coordinates along y and x, by their names or by the usual names.

    Raises
    ------
    ValueError
        If a coordinate does not exist, has not exactly one dimension, or shares it.
    """
    coordinates = [like[_name(like, "y", y)], like[_name(like, "x", x)]]
    for coordinate in coordinates:
        _refuse_no_axis(coordinate)
    along_y, along_x = coordinates
    if along_y.dims == along_x.dims:
        raise ValueError(f"coordinates {along_x.name} and {along_y.name} share a dimension")
    return coordinates


def are_degrees(axis):
    """Return whether a coordinate along y is a latitude, by its name or units; None if unknown."""
    units = axis.attrs.get("units")
    if axis.name in AXES["y"][1:]:
        return True
    return None if units is None else str(units).startswith("degree")


def transform(like, axes):
    """Return the transform from the centres of cells to the map, and the index for its images.

    The transform is that of the grid with rows from the north and columns from the west. The index
    converts an image on that grid into one on the given grid.

    Raises
    ------
    ValueError
        If a coordinate is not evenly spaced, or has one value and no step is known for it.
    """
    ranges = [_start_and_step(axis) for axis in axes]
    if any(step is None for _, step in ranges):
        ranges = _with_steps(like, axes, ranges)
    turned = ranges[0][1] > 0, ranges[1][1] < 0
    (f, e), (c, a) = (
        (float(axis.values[-1]), -step) if is_turned else (start, step)
        for axis, (start, step), is_turned in zip(axes, ranges, turned, strict=True)
    )
    return georeference.Affine(a, 0, c, 0, e, f), tuple(map(georeference.reversing, turned))


def _name(like, axis, choice):
    """Return the name of the coordinate along an axis."""
    if choice is not None:
        if not isinstance(choice, Hashable) or choice not in like.coords:
            names = list(like.coords)
            raise ValueError(f"`like` has no coordinate {quote(choice)}, only {names}")
        return choice
    candidates = [name for name in AXES[axis] if name in like.coords]
    for name in candidates:
        if like[name].dims == (name,):
            return name
    for name in candidates:
        _refuse_no_axis(like[name])
        dim = like[name].dims[0]
        raise ValueError(
            f"coordinate {name} lies along dimension {dim}: pass {axis}={name!r} to use it"
        )
    raise ValueError(
        "`like` has no coordinate named {}, {} or {}: ".format(*AXES[axis])
        + f"pass the name of one as {axis}="
    )


def _refuse_no_axis(coordinate):
    """Raise an error if a coordinate does not have exactly one dimension."""
    name, dims = coordinate.name, coordinate.dims
    if not dims:
        raise ValueError(
            f"coordinate {name} is a scalar: select a slice of two or more values instead of one"
        )
    if len(dims) > 1:
        raise ValueError(
            f"coordinate {name} has {len(dims)} dimensions ({', '.join(map(str, dims))}): regrid "
            "the data so that each coordinate has only one"
        )


def _start_and_step(coordinate):
    """Return the first value and the step of a coordinate, whose values must be evenly spaced.

    The step of a single value is None.
    """
    values, name = coordinate.values, coordinate.name
    if not values.size or values.dtype.kind not in "iuf":
        raise ValueError(
            f"coordinate {name} must contain numbers, got shape {values.shape}, "
            f"dtype {values.dtype}"
        )
    values = values.astype(np.float64)
    if values.size == 1 and np.isfinite(values[0]):
        return values[0], None
    with np.errstate(all="ignore"):  # non-finite values fail the test below
        step = (values[-1] - values[0]) / max(values.size - 1, 1)
        errors = np.abs(values - (values[0] + step * np.arange(values.size)))
    if not (step and (errors <= UNEVEN * abs(step)).all()):
        raise ValueError(f"coordinate {name} is not evenly spaced")
    return values[0], step


def _with_steps(like, axes, ranges):
    """Return the first values and steps of two coordinates, one of which has a single value.

    Its step is that of the GeoTransform that rioxarray and GDAL write. xarray keeps it unchanged
    when it selects or averages cells, so both coordinates must agree with it.
    """
    single = next(axis.name for axis, (_, step) in zip(axes, ranges, strict=True) if step is None)
    c, a, b, f, d, e = _geo_transform(like, single)
    if b or d:
        raise ValueError("the GeoTransform rotates the grid: only grids along x and y are accepted")
    complete = []
    for axis, (start, step), corner, written in zip(axes, ranges, (f, c), (e, a), strict=True):
        place = (start - corner) / written - 0.5
        is_same = step is None or abs(abs(step) - abs(written)) <= UNEVEN * abs(written)
        if not is_same or abs(place - round(place)) > UNEVEN:
            raise ValueError(
                f"coordinate {axis.name} does not agree with the GeoTransform, whose step is "
                f"{written:g}: update it, for example with rio.write_transform"
            )
        complete.append((start, written if step is None else step))
    return complete


def _geo_transform(like, single):
    """Return the six numbers of an xarray object's GeoTransform, in GDAL's order."""
    texts = [attributes.get("GeoTransform") for attributes in crs.grid_mappings(like)]
    text = next(filter(None, texts), None)
    if text is None:
        raise ValueError(
            f"coordinate {single} has a single value, so its step is unknown: select two or more, "
            "or write a GeoTransform, for example with rio.write_transform"
        )
    try:
        numbers = np.array(text.split(), float)
    except (AttributeError, ValueError):
        numbers = np.empty(0)
    if numbers.shape != (6,) or not np.isfinite(numbers).all() or not numbers[1] * numbers[5]:
        raise ValueError(f"GeoTransform must be the text of six numbers, got {quote(text)}")
    return numbers.tolist()
