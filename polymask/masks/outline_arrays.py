"""Outlines of an image's regions as ragged arrays, traced by the C++ engine."""

import numpy as np

from polymask import contract
from polymask.common.error_text import quote, why_no_array
from polymask.forms.ragged import Ragged
from polymask.maps import georeference
from polymask.masks import _outlines
from polymask.masks.sampling import check_offset

FARTHEST = 2**51  # the distance from 0 up to which corners and half pixels are exact


def trace(name, image, background, connectivity, center, offset, transform):
    """Trace outlines; return them as a Ragged, with the polygons' labels."""
    image = _as_image(image, name)
    if contract.check_integer(connectivity, "connectivity") not in (4, 8):
        raise ValueError(f"connectivity must be 4 or 8, got {quote(connectivity)}")
    center = contract.check_flag(center, "center")
    row, col = check_offset(offset)
    if max(map(abs, (row, col, row + image.shape[0], col + image.shape[1]))) > FARTHEST:
        raise ValueError(f"offset {(row, col)}: corners beyond 2**51 are not exact")
    if transform is not None:
        transform = georeference.affine(transform)
    if name == "labels" and image.dtype == bool:  # any nonzero byte may stand for True
        image = contract.as_zeros_and_ones(image)
    if not image.size:
        image = image[:0, :0]  # the other side may exceed the engine's limit
    lowest = -(2**63) if image.dtype.kind == "i" else 0
    if background is not None and image.dtype == np.uint64 and 2**63 <= background < 2**64:
        background -= 2**64  # the same bits
    elif background is not None and not lowest <= background < 2**63:
        background = None  # no pixel can equal it
    vertices, rings, polygons, labels = _outlines.trace(
        image.view(np.uint8),
        image.itemsize,
        image.dtype.kind == "i",
        name == "mask",
        background,
        connectivity,
        center,
        row,
        col,
    )
    if transform is not None:
        with np.errstate(all="ignore"):
            vertices = transform(vertices)
        if not np.isfinite(vertices).all():
            raise ValueError(f"transform {tuple(transform)} moves corners beyond float64")
        if transform.mirrors:
            lengths = np.diff(rings)
            ends = np.repeat(rings[:-1] + rings[1:] - 1, lengths)
            vertices = vertices[ends - np.arange(len(vertices))]
    return Ragged(vertices, rings, polygons), labels.astype(image.dtype, copy=False)


def _as_image(image, name):
    """Convert an image to a two-dimensional array of integers or bool with contiguous rows."""
    rule = f"{name} must have the shape (rows, cols)"
    contract.refuse_masked(image, name)
    try:
        image = np.asarray(image)
    except ValueError as error:
        raise ValueError(f"{rule}, {why_no_array(image, error)}") from None
    if image.dtype.kind not in "biu":
        raise TypeError(f"{name} must be bool or integers, got dtype {image.dtype}")
    if image.ndim != 2:
        raise ValueError(f"{rule}, got {image.shape}")
    if not image.dtype.isnative:
        image = image.astype(image.dtype.newbyteorder("="))
    size = image.itemsize
    in_order = image.strides[0] >= image.shape[1] * size and image.strides[0] % size == 0
    if image.strides[1] == size and in_order and image.size and image.flags.aligned:
        return image
    return contract.as_contiguous(image)
