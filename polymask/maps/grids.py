"""The grids of xarray objects: the coordinates along their axes, and their transform to the map."""

from collections.abc import Hashable

import numpy as np

from polymask.common.error_text import quote
from polymask.maps import georeference

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


def transform(axes):
    """Return the transform from the centres of cells to the map, and the index for its images.

    The transform is that of the grid with rows from the north and columns from the west. The index
    converts an image on that grid into one on the given grid.

    Raises
    ------
    ValueError
        If a coordinate is not evenly spaced, or has one value, whose step is unknown.
    """
    ranges = [_start_and_step(axis) for axis in axes]
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
    """Return the first value and the step of a coordinate, whose values must be evenly spaced."""
    values, name = coordinate.values, coordinate.name
    if not values.size or values.dtype.kind not in "iuf":
        raise ValueError(
            f"coordinate {name} must contain numbers, got shape {values.shape}, "
            f"dtype {values.dtype}"
        )
    values = values.astype(np.float64)
    if values.size == 1 and np.isfinite(values[0]):
        raise ValueError(
            f"coordinate {name} has a single value, so its step is unknown: select two or more"
        )
    with np.errstate(all="ignore"):  # non-finite values fail the test below
        step = (values[-1] - values[0]) / max(values.size - 1, 1)
        errors = np.abs(values - (values[0] + step * np.arange(values.size)))
    if not (step and (errors <= UNEVEN * abs(step)).all()):
        raise ValueError(f"coordinate {name} is not evenly spaced")
    return values[0], step
