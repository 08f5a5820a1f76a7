"""Masks of all pixels that a polygon touches, for `polygon_mask`."""

import numpy as np

from polymask.masks import _coverage
from polymask.masks.output import check_out


def mask(parts, shape, sampling, out, dtype, packed):
    """Return the mask, in `out` if given, for the checked arguments of `polygon_mask`.

    Packed bits temporarily need one byte per pixel.
    """
    out_shape = (shape[0], -(-shape[1] // 8)) if packed else shape
    if out is not None:
        check_out(out, out_shape, dtype)
    result = out
    if out is None or packed or not out.flags.c_contiguous:
        result = np.empty(shape, np.uint8 if packed else dtype)
    if 0 in shape or not parts:
        result[...] = 0
    else:
        touches = result.view(np.uint8)
        options = sampling.squares == "closed", sampling.center, sampling.offset
        _coverage.touch(*parts[0], touches, *options)
        if len(parts) > 1:
            part = np.empty(shape, np.uint8)
            for rings in parts[1:]:
                _coverage.touch(*rings, part, *options)
                touches |= part
    if packed:
        result = np.packbits(result, axis=1, bitorder="little")
    if out is None or out is result:
        return result
    out[...] = result
    return out
