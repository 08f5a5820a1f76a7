"""The public functions: exact polygon masks for images, points and labels, by the C++ engine.

Conventions. A vertex is (x, y) in pixels, x along a row, y down the rows; `order="rc"` swaps them.
A mask is indexed ``mask[row, column]``; its samples are the integers, and a sample is inside when a
ray from it crosses the edges an odd number of times (even-odd rule). A sample on a vertex takes
`border_value`. The result is the same to the bit on every processor.
"""

import numpy as np

from polymask import _engine, contract, geometry

FRESH_ZEROS = 32 << 20  # bytes from which a fresh mask starts from pages that the kernel zeroed
CERTAIN = 2.0**40  # up to here a coordinate's rounding cannot move a crossing by a whole pixel
NO_OFFSET = (0, 0)
BOOL, UINT8 = np.dtype(bool), np.dtype(np.uint8)


def polygon_mask(
    polygon,
    shape,
    *,
    out=None,
    dtype=None,
    order="xy",
    border_value=True,
    center=False,
    offset=NO_OFFSET,
    packed=False,
    threads=None,
):
    """Return the mask of a polygon on an image.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        Vertices in pixels, finite: an (N, 2) array; a sequence of such rings (outer rings and
        holes alike: even-odd over all edges); a GeoJSON-like mapping (Polygon, MultiPolygon,
        Feature); or an object with `__geo_interface__`, of shapely say. The last vertex joins the
        first, and may repeat it. The mask of a MultiPolygon is the OR of its polygons' masks.
    shape : tuple of int
        (rows, cols), whatever `order` says.
    out : ndarray, optional
        Array to write to: of that shape, C-contiguous, uint8 or bool. Every byte is written.
    dtype : {bool, uint8}, optional
        Of the result; that of `out` if None, else bool.
    order : {"xy", "rc"}
        What the columns of the vertices are: x and y, or row and column.
    border_value : bool
        The value of a sample that equals a vertex.
    center : bool
        Sample at (x + 0.5, y + 0.5), the pixels' centres where pixel 0 reaches from 0 to 1.
    offset : tuple of int
        (row, column) of the mask's first sample: the window of a larger image. Windows that tile
        an image equal its mask, to the bit.
    packed : bool
        Return bits: `numpy.packbits(mask, axis=1, bitorder="little")`, uint8.
    threads : int, optional
        Number of threads. If None: one below about half a million pixels, else as many as there
        are cores to use (OMP_NUM_THREADS, affinity). A process that was forked
        (`multiprocessing`, data loaders) takes one, whatever is asked for.

    Returns
    -------
    ndarray, shape (rows, cols), bool or uint8
        Or, packed, shape (rows, (cols + 7) // 8), uint8. It is `out` if that was given.

    Raises
    ------
    TypeError
        If the vertices are not real numbers.
    ValueError
        If the polygon, the shape, `out` or an option is bad. Nothing has been written then.
    MemoryError
        If there is no memory for the mask.

    Examples
    --------
    >>> import polymask
    >>> polymask.polygon_mask([(1, 1), (6, 1), (3, 4)], (5, 8), dtype="uint8")
    array([[0, 0, 0, 0, 0, 0, 0, 0],
           [0, 1, 0, 0, 0, 0, 1, 0],
           [0, 0, 1, 1, 1, 1, 0, 0],
           [0, 0, 0, 1, 1, 0, 0, 0],
           [0, 0, 0, 1, 0, 0, 0, 0]], dtype=uint8)
    """
    shape = _check_shape(shape, polygon)
    rows, cols = shape
    dtype = _check_dtype(dtype, out, packed)
    row, col = NO_OFFSET if offset is NO_OFFSET else contract.check_offset(offset)
    threads = contract.check_threads(threads)
    if type(polygon) is np.ndarray and polygon.ndim == 2 and order == "xy":
        vertices = contract.as_vertices(polygon)
        if not _engine.all_finite(vertices):
            contract.refuse_not_finite(vertices)
        parts = ((vertices, None),)
    else:
        parts = geometry.parts(polygon, order)
    if packed:
        shape = (rows, -(-cols // 8))
    if out is not None:
        contract.check_out(out, shape, dtype)
    if len(parts) == 1 and rows and cols:
        is_zero = out is None and rows * shape[1] > FRESH_ZEROS
        if out is None:
            out = np.zeros(shape, dtype) if is_zero else np.empty(shape, dtype)
        view = out if dtype == UINT8 else out.view(UINT8)
        vertices, starts = parts[0]
        _engine.fill(
            vertices, starts, view, cols, packed, border_value, center, row, col, is_zero, threads
        )
        return out
    if out is None:
        out = np.zeros(shape, dtype)
    else:
        out[...] = 0
    for window, mask in _masks_of_parts(
        parts, (rows, cols), border_value, center, (row, col), packed, threads
    ):
        np.bitwise_or(out[window], mask.view(dtype), out=out[window])
    return out


def contains(polygon, points, *, order="xy", border_value=True, threads=None):
    """Return which points lie inside a polygon, by the rule that makes the masks.

    Parameters
    ----------
    polygon : array_like, sequence of array_like, mapping, or object
        As for `polygon_mask`.
    points : array_like, shape (M, 2)
        Any finite points, columns as `order` says.
    order : {"xy", "rc"}
        What the columns of vertices and points are.
    border_value : bool
        The answer for a point that equals a vertex.
    threads : int, optional
        As for `polygon_mask`.

    Returns
    -------
    ndarray, shape (M,), bool

    Raises
    ------
    TypeError, ValueError
        If the polygon or the points are bad.

    Examples
    --------
    >>> import polymask
    >>> polymask.contains([(0, 0), (4, 0), (0, 4)], [(1, 1.5), (3, 3), (0, 4)])
    array([ True, False,  True])
    """
    threads = contract.check_threads(threads)
    parts = geometry.parts(polygon, order)
    points = contract.check_points(points)
    if order == "rc":
        points = np.ascontiguousarray(points[:, ::-1])
    inside = np.zeros(len(points), bool)
    if len(points):
        for vertices, starts in parts:
            part = np.empty(len(points), np.uint8)
            _engine.contains(vertices, starts, points, part, border_value, threads)
            inside |= part.view(bool)
    return inside


def label_mask(
    polygons,
    shape,
    *,
    labels=None,
    out=None,
    dtype=None,
    order="xy",
    border_value=True,
    center=False,
    offset=NO_OFFSET,
    threads=None,
    progress=None,
):
    """Return an image of labels, one per polygon; where polygons overlap, the later one shows.

    Parameters
    ----------
    polygons : sequence, or mapping
        Polygons as for `polygon_mask`, or a GeoJSON-like FeatureCollection.
    shape : tuple of int
        (rows, cols).
    labels : sequence of int, optional
        A label per polygon; 1, 2, 3, ... if None.
    out : ndarray, optional
        Integer array of that shape to write to, C-contiguous; what no polygon covers becomes 0.
    dtype : dtype, optional
        An integer type; that of `out` if None, else the smallest of uint8, uint16, uint32 and
        int64 that holds all labels.
    order, border_value, center, offset, threads
        As for `polygon_mask`.
    progress : callable, optional
        Called with the number of polygons drawn so far, after each.

    Returns
    -------
    ndarray, shape (rows, cols), integer
        0 where no polygon is.

    Raises
    ------
    TypeError, ValueError
        If a polygon is bad (the text says which), or labels do not fit. Nothing has been written.

    Examples
    --------
    >>> import polymask
    >>> triangle = [(-0.5, -0.5), (5.5, -0.5), (-0.5, 5.5)]
    >>> square = [(1.5, 0.5), (4.5, 0.5), (4.5, 2.5), (1.5, 2.5)]
    >>> polymask.label_mask([triangle, square], (4, 6), labels=[1, 7])
    array([[1, 1, 1, 1, 1, 1],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 7, 7, 7, 0],
           [1, 1, 1, 0, 0, 0]], dtype=uint8)
    """
    shape = _check_shape(shape, polygons)
    found = []
    for number, polygon in enumerate(geometry.features(polygons)):
        try:
            found.append(geometry.parts(polygon, order))
        except (TypeError, ValueError) as error:
            raise type(error)(f"polygon {number}: {error}") from None
    labels = _check_labels(labels, len(found))
    if dtype is None:
        dtype = _smallest(labels) if out is None else out.dtype
    dtype = np.dtype(dtype)
    if dtype.kind not in "iu":
        raise ValueError(f"dtype of labels must be an integer type, got {dtype}")
    limits = np.iinfo(dtype)
    if labels and not limits.min <= min(labels) <= max(labels) <= limits.max:
        raise ValueError(f"labels {min(labels)} to {max(labels)} do not fit {dtype}")
    if out is not None:
        contract.check_out(out, shape, dtype)
    offset, threads = contract.check_offset(offset), contract.check_threads(threads)
    if out is None:
        out = np.zeros(shape, dtype)
    else:
        out[...] = 0
    for number, (parts, label) in enumerate(zip(found, labels, strict=True), start=1):
        for window, mask in _masks_of_parts(
            parts, shape, border_value, center, offset, False, threads
        ):
            np.copyto(out[window], label, where=mask.view(bool), casting="unsafe")
        if progress:
            progress(number)
    return out


def _check_shape(shape, first):
    """Check the shape; where both first arguments are swapped, say so."""
    try:
        return contract.check_shape(shape)
    except ValueError:
        try:
            contract.check_shape(first)
        except ValueError:
            pass
        else:
            raise ValueError("the polygon comes first, then the shape: they are swapped") from None
        raise


def _check_dtype(dtype, out, packed):
    """Return the dtype of the result, uint8 or bool."""
    if dtype is None:
        if packed:
            return UINT8
        dtype = getattr(out, "dtype", BOOL)
    try:
        dtype = np.dtype(dtype)
    except TypeError:
        raise ValueError(f"dtype must be bool or uint8, got {dtype!r}") from None
    if dtype == UINT8 or (dtype == BOOL and not packed):
        return dtype
    wanted = "uint8 for packed bits" if packed else "bool or uint8"
    raise ValueError(f"dtype must be {wanted}, got {dtype}")


def _masks_of_parts(parts, shape, border_value, center, offset, packed, threads):
    """Yield each part's mask, uint8, on the window that it can reach, and that window."""
    for vertices, starts in parts:
        top, bottom, left, right = _reach(vertices, shape, offset)
        if packed:  # whole bytes
            left = left // 8 * 8
            right = min(-(-right // 8) * 8, shape[1])
        if top >= bottom or left >= right:
            continue
        cols = right - left
        columns = slice(left // 8, -(-right // 8)) if packed else slice(left, right)
        mask = np.empty((bottom - top, columns.stop - columns.start), np.uint8)
        row, col = offset[0] + top, offset[1] + left
        _engine.fill(
            vertices, starts, mask, cols, packed, border_value, center, row, col, False, threads
        )
        yield (slice(top, bottom), columns), mask


def _reach(vertices, shape, offset):
    """Return the window outside which the mask is 0: top, bottom, left, right.

    One sample of room on each side covers the rounding of a crossing. Beyond `CERTAIN` a crossing
    may be rounded further, or be no number and leave a row's left end inside: then all of it.
    """
    rows, cols = shape
    low, high = vertices.min(axis=0), vertices.max(axis=0)
    if max(-low.min(), high.max()) > CERTAIN:
        return 0, rows, 0, cols
    left, top = np.floor(low).astype(int) - (offset[1] + 1, offset[0] + 1)
    right, bottom = np.ceil(high).astype(int) - (offset[1] - 2, offset[0] - 2)
    return (
        *np.clip([top, bottom], 0, rows).tolist(),
        *np.clip([left, right], 0, cols).tolist(),
    )


def _check_labels(labels, count):
    """Return one Python int per polygon."""
    if labels is None:
        return list(range(1, count + 1))
    labels = list(labels)
    if len(labels) != count:
        raise ValueError(f"{len(labels)} labels for {count} polygons")
    try:
        return [label.__index__() for label in labels]
    except AttributeError:
        raise ValueError("labels must be integers") from None


def _smallest(labels):
    """Return the smallest of the usual types that holds all labels."""
    low, high = min(labels, default=0), max(labels, default=0)
    for dtype in (np.uint8, np.uint16, np.uint32, np.int64):
        limits = np.iinfo(dtype)
        if limits.min <= low and high <= limits.max:
            return dtype
    raise ValueError(f"labels {low} to {high} fit no integer type")
