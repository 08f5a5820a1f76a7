"""Checks of ragged arrays: their offsets, and the vertices of each ring."""

import numpy as np

from polymask import contract
from polymask.forms import geometry


def check_offsets(offsets, name, length, below):
    """Convert an array of offsets to int64; refuse it unless it ascends and is within range."""
    contract.refuse_masked(offsets, name)
    offsets = np.array(offsets)  # a copy, which other threads cannot change after the check
    if offsets.ndim != 1 or not offsets.size or offsets.dtype.kind not in "iu":
        raise ValueError(
            f"{name} must be a non-empty 1D array of integers, "
            f"got shape {offsets.shape}, dtype {offsets.dtype}"
        )
    if offsets[0] < 0:
        raise ValueError(f"{name} begin at {offsets[0]}, below 0")
    descents = offsets[1:] < offsets[:-1]
    if descents.any():
        first = int(descents.argmax())
        raise ValueError(f"{name} descend: {offsets[first]} at {first}, then {offsets[first + 1]}")
    if offsets[-1] > length:
        raise ValueError(f"{name} end at {offsets[-1]}, beyond the {length} {below}")
    return contract.as_contiguous(offsets, np.int64)


def check_rings(arrays):
    """Refuse rings and polygons with too few or too many vertices, and invalid coordinates."""
    vertices, rings = arrays.vertices, arrays.ring_offsets
    lengths = np.diff(rings)
    if lengths.size and lengths.min() < 3:
        _refuse(arrays, int((lengths < 3).argmax()))
    ends = rings if arrays.polygon_offsets is None else rings[arrays.polygon_offsets]
    if len(vertices) > geometry.MOST_VERTICES and np.diff(ends).max() > geometry.MOST_VERTICES:
        raise ValueError(f"a polygon can have at most {geometry.MOST_VERTICES} vertices")
    if len(vertices) and not geometry.are_computable(vertices):
        first = int((~(np.abs(vertices) <= 2.0**geometry.FARTHEST)).any(axis=1).argmax())
        _refuse(arrays, int(np.searchsorted(rings, first, side="right")) - 1)


def note_invalid(arrays, left_out):
    """Return which features are invalid; `left_out` receives their numbers and the reasons."""
    is_bad = ~(np.abs(arrays.vertices) <= 2.0**geometry.FARTHEST).all(axis=1)  # also NaN
    is_bad = bad_rings = _has_any(is_bad, arrays.ring_offsets) | (np.diff(arrays.ring_offsets) < 3)
    for offsets in (arrays.polygon_offsets, arrays.feature_offsets):
        is_bad = is_bad if offsets is None else _has_any(is_bad, offsets)
    for number in np.flatnonzero(is_bad).tolist():
        first, last = arrays.rings_of(number)
        try:
            _refuse(arrays, int(first + bad_rings[first:last].argmax()))
        except ValueError as error:
            left_out.add_invalid(number, str(error).partition(": ")[2])
    return is_bad


def _has_any(flags, offsets):
    """Return whether any flag is set, for each range between offsets."""
    counts = np.concatenate([[0], np.cumsum(flags)])[offsets]
    return counts[1:] > counts[:-1]


def _refuse(arrays, ring):
    """Raise the error for an invalid ring; the message names its feature."""
    number = ring
    for offsets in (arrays.polygon_offsets, arrays.feature_offsets):
        if offsets is not None:
            number = int(np.searchsorted(offsets, number, side="right")) - 1
    start, stop = arrays.ring_offsets[ring : ring + 2]
    try:
        geometry.refuse_vertices(contract.as_vertices(arrays.vertices[start:stop]))
    except ValueError as error:
        raise ValueError(f"polygon {number}: {error}") from None
