"""Polygons in a GPU's memory, prepared for the kernels of csrc/tiles.cl."""

from typing import Any, NamedTuple

import numpy as np

from polymask import contract
from polymask.cuda import nvrtc
from polymask.cuda.cupy_library import with_device
from polymask.cuda.device_arrays import as_device_array, is_on_device
from polymask.forms import geometry
from polymask.forms.ragged import Ragged, ragged
from polymask.masks.labels import FARTHEST

SMALL = 1 << 20  # bytes; arrays up to here are copied to the device together
MANY = 256  # points; with more of them, boxes of chunks spare most edges a comparison
GROUP = 32  # items that compute a feature's window, or its area


class DevicePolygons(NamedTuple):
    """Features in the layout of csrc/tiles.cl, whose arrays all lie on the device.

    Attributes
    ----------
    points : cupy.ndarray, shape (M, 2), float64
        The vertices of each ring, the first of them again, and a point that is NaN.
    boxes : cupy.ndarray, float64, or None
        Top, bottom, right and left of each chunk of edges, if there are many.
    polygons : cupy.ndarray of int64, shape (P + 1,)
        The first point of each polygon.
    features : cupy.ndarray of int64, shape (F + 1,)
        The first polygon of each feature.
    source : Ragged
        The vertices as given, and all three arrays of offsets.
    """

    points: Any
    boxes: Any
    polygons: Any
    features: Any
    source: Ragged

    @property
    def count(self):
        """The number of features."""
        return len(self.features) - 1


def of_polygon(polygon, view, check):
    """Prepare one polygon, in any form that `polygon_mask` accepts or as an array on the device.

    `view` is the View of the image.
    """
    if is_on_device(polygon):
        vertices = _vertices(as_device_array(polygon, "polygon"), "polygon")
        return of_polygons((vertices, [0, len(vertices)]), view, check)
    _refuse_list(polygon, "rings")
    return prepare(view.single(polygon))


def of_polygons(polygons, view, check, on_invalid="raise", *, near=False):
    """Prepare a set of polygons, in any form of `ragged` or as arrays on the device.

    With `near`, refuse vertices so far from 0 that areas would overflow.
    """
    check = contract.check_flag(check, "check")
    if is_on_device(polygons):
        polygons = _of_equal_length(as_device_array(polygons, "polygons"))
    if isinstance(polygons, tuple) and any(map(is_on_device, polygons)):
        if view.grid is not None or on_invalid != "raise":
            raise ValueError("transform and on_invalid need polygons in the host's memory")
        return prepare(_from_device(polygons, contract.check_order(view.order), check, near))
    _refuse_list(polygons, "polygons")
    source = view.ragged(polygons, on_invalid)
    if near:
        geometry.check_near(source.vertices, FARTHEST, "areas would overflow")
    return prepare(source)


def _refuse_list(polygons, name):
    """Refuse a list of arrays on the device, which would have to be joined there."""
    if isinstance(polygons, list) and any(map(is_on_device, polygons)):
        raise TypeError(
            f"{name} on the device must be ragged arrays, not a list: concatenate their vertices, "
            "and pass (vertices, ring_offsets, ...) to a function of many polygons"
        )


def _of_equal_length(array):
    """Return an (N, k, 2) array of N polygons as ragged arrays."""
    if array.ndim != 3:
        raise ValueError(
            f"polygons on the device must be ragged arrays or have the shape (N, k, 2), got "
            f"{array.shape}"
        )
    count, length, columns = array.shape
    return array.reshape(-1, columns), np.arange(count + 1) * length


def _vertices(array, name):
    """Refuse an array that cannot be vertices; its values are not read."""
    if array.ndim != 2 or array.shape[1] != 2 or array.dtype.kind not in "fiu":
        raise ValueError(
            f"{name} must be real numbers of the shape (N, 2), got {array.dtype} of {array.shape}"
        )
    return array


def _offsets(array, name):
    """Refuse an array that cannot be offsets; its values are not read."""
    if array.ndim != 1 or not array.size or array.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a non-empty 1D array of integers, got shape {array.shape}, dtype "
            f"{array.dtype}"
        )
    return array


def _from_device(arrays, swap, check, near):
    """Return ragged arrays on the device; unless `check` is off, wait for it and check them."""
    if not 2 <= len(arrays) <= 4 or arrays[0] is None or arrays[1] is None:
        raise ValueError(
            "ragged arrays are (vertices, ring_offsets[, polygon_offsets[, feature_offsets]]), "
            f"got {len(arrays)} arrays"
        )
    cupy = with_device()
    names = [*Ragged._fields[: len(arrays)]]
    vertices, *offsets = (
        array
        if array is None
        else as_device_array(array, name)
        if is_on_device(array)
        else cupy.asarray(np.asarray(array))
        for array, name in zip(arrays, names, strict=True)
    )
    given = Ragged(
        _vertices(vertices, names[0]),
        *(
            array if array is None else _offsets(array, name)
            for array, name in zip(offsets, names[1:], strict=True)
        ),
    )
    vertices = vertices.astype(np.float64, copy=False)
    source = Ragged(vertices, *(a if a is None else a.astype(np.int64) for a in given[1:]))
    if check and not _is_valid(source):  # then `ragged` raises the error, or trims the arrays
        source = ragged(Ragged(*(array if array is None else array.get() for array in given)))
        source = Ragged(*(array if array is None else cupy.asarray(array) for array in source))
    if near and check and len(vertices) and float(abs(source.vertices).max()) > 2.0**FARTHEST:
        geometry.check_near(source.vertices.get(), FARTHEST, "areas would overflow")
    vertices = source.vertices[:, ::-1] if swap else source.vertices
    return source._replace(vertices=cupy.ascontiguousarray(vertices))


def _is_valid(arrays):
    """Return whether arrays on the device are features that begin at 0 and need no conversion."""
    vertices, *levels = arrays
    cupy, limit, length, least = with_device(), 2.0**geometry.FARTHEST, len(vertices), 3
    good = (cupy.abs(vertices) <= limit).all()
    for offsets in levels:
        if offsets is None:
            continue
        good &= (offsets[0] == 0) & (offsets[-1] == length) & (cupy.diff(offsets) >= least).all()
        length, least = len(offsets) - 1, 0
    return bool(good)


def prepare(source):
    """Copy ragged arrays to the device, unless they lie there, and compute points and boxes."""
    vertices, rings, polygon_rings, feature_polygons = source
    xp = np if isinstance(vertices, np.ndarray) else with_device()
    if polygon_rings is None:
        polygon_rings = xp.arange(len(rings))
    if feature_polygons is None:
        feature_polygons = xp.arange(len(polygon_rings))
    polygons = rings[polygon_rings] + 2 * polygon_rings
    arrays = vertices, rings, polygons, feature_polygons, polygon_rings
    if xp is np:
        arrays = _upload(arrays)
    vertices, rings, polygons, feature_polygons, polygon_rings = arrays
    count = len(vertices) + 2 * (len(rings) - 1)
    points = with_device().empty((count, 2))
    nvrtc.per_item("close_rings", count, vertices, rings, np.int64(len(rings) - 1), points)
    boxes = None
    if count > MANY:
        chunks = -(-count // nvrtc.CHUNK)
        boxes = with_device().empty((chunks, 4))
        groups, items = -(-count // nvrtc.ITEMS), nvrtc.ITEMS
        nvrtc.per_group("bound_chunks", groups, items, 32 * items, points, np.int64(count), boxes)
    source = Ragged(vertices, rings, polygon_rings, feature_polygons)
    return DevicePolygons(points, boxes, polygons, feature_polygons, source)


def _upload(arrays):
    """Copy arrays of 8-byte numbers to the device, small ones together."""
    cupy = with_device()
    if sum(array.nbytes for array in arrays) > SMALL:
        return [cupy.asarray(array) for array in arrays]
    joined = cupy.asarray(np.concatenate([array.reshape(-1).view(np.int64) for array in arrays]))
    result, start = [], 0
    for array in arrays:
        piece = joined[start : start + array.size]
        result.append(piece.view(array.dtype).reshape(array.shape))
        start += array.size
    return result


def windows(polygons, shape, sampling):
    """Return the window of each feature, (top, bottom, left, right), with all of its pixels."""
    half = 0.5 if sampling.center else 0.0
    result = with_device().empty((polygons.count, 4), np.int64)
    first = [np.float64(offset) + half for offset in sampling.offset]
    points, boxes, *offsets, _ = polygons
    nvrtc.per_group(
        "find_windows", polygons.count, GROUP, 32 * GROUP,
        points, points if boxes is None else boxes, np.int32(boxes is not None), *offsets, *first,
        *map(np.int64, shape), result,
    )  # fmt: skip
    return result


def areas(polygons):
    """Return the areas that `on_top="smallest"` compares, equal to the CPU's to the bit."""
    result = with_device().empty(polygons.count)
    nvrtc.per_group("compute_areas", polygons.count, GROUP, 8 * GROUP, *polygons.source, result)
    return result
