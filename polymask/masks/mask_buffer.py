"""The public class for masks that are drawn one after the other in the same memory."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from polymask import contract
from polymask.masks import _engine
from polymask.masks.output import check_dtype
from polymask.masks.polygon import PLACING, draw
from polymask.masks.sampling import DEFAULT, check_sampling
from polymask.masks.view import view_of, with_options

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from polymask.hints import DType, Flag, Options, Pair, Polygon


class MaskBuffer:
    """An image for masks that are drawn one after the other, such as those of a video's frames.

    `polygon_mask` makes a new image for each polygon, which takes the system longer than drawing a
    small polygon. A buffer keeps its memory: a polygon takes the time of its own box and of the
    previous one, not of the image. It is for one thread at a time.

    Parameters
    ----------
    shape : tuple of int
        (rows, cols).
    dtype : {bool, uint8}, optional
        The dtype of the masks; if None, bool.
    packed : bool
        As for `polygon_mask`.

    Examples
    --------
    >>> import numpy as np, polymask
    >>> frames = np.arange(48).reshape(2, 4, 6)
    >>> outlines = [(0, 0), (3, 0), (0, 3)], [(3, 1), (6, 1), (6, 4)]
    >>> buffer = polymask.MaskBuffer(frames[0].shape)
    >>> for frame, outline in zip(frames, outlines):
    ...     mask, window = buffer.draw(outline, center=True), buffer.window
    ...     print(window, frame[window][mask[window]])
    (slice(0, 3, None), slice(0, 3, None)) [ 0  1  2  6  7 12]
    (slice(1, 4, None), slice(2, 6, None)) [34 35 41]
    """

    def __init__(self, shape: Pair, *, dtype: DType = None, packed: Flag = False) -> None:
        rows, cols = self._shape = contract.check_shape(shape)
        self._packed = contract.check_flag(packed, "packed")
        dtype = check_dtype(dtype, None, self._packed)
        self._out = np.zeros((rows, -(-cols // 8)) if self._packed else self._shape, dtype)
        self._view = self._out.view()
        self._view.flags.writeable = False
        self._box = np.zeros(4, np.int64)  # the other pixels are 0, also after an error
        self._lock = threading.Lock()

    @property
    def window(self) -> tuple[slice, slice]:
        """Rows and columns of a box of pixels around the last polygon; the others are outside."""
        top, bottom, left, right = self._box.tolist()
        return slice(top, bottom), slice(left, right)

    @with_options()
    def draw(self, polygon: Polygon, **options: Unpack[Options]) -> NDArray[Any]:
        """Draw the mask of a polygon in place of the previous one.

        Parameters
        ----------
        polygon
            As for `polygon_mask`.
        order, border_value, center, offset, watertight, all_touched, threads, transform
            As for `polygon_mask`.

        Returns
        -------
        ndarray
            The mask that `polygon_mask` returns, as a read-only view of the buffer: the next call
            changes it. Copy it to keep it. After an error other than of the arguments, it is
            undefined, and the next call works as usual.

        Raises
        ------
        TypeError, ValueError, MemoryError
            As by `polygon_mask`, and if `transform` reverses rows or columns.
        RuntimeError
            If another thread is drawing in the buffer.
        """
        if not self._lock.acquire(blocking=False):
            raise RuntimeError("another thread is drawing in this buffer: use one for each thread")
        try:
            out, packed, box = self._out, self._packed, self._box
            if not PLACING & options.keys():
                sampling = check_sampling(self._shape, **options) if options else DEFAULT
                if not sampling.squares:
                    how = out, out.dtype, packed, sampling, box
                    if _engine.mask_of_pairs(polygon, self._shape, *how) is not None:
                        return self._view
            view = view_of(polygon, self._shape, **options)
            view.refuse_turned("a MaskBuffer")
            is_checked = bool(view.sampling.squares) or "order" in options
            arrays = view.single(polygon, check=is_checked)
            draw(arrays, self._shape, view.sampling, out.dtype, packed=packed, out=out, dirty=box)
        finally:
            self._lock.release()
        return self._view
