"""Masks of all pixels that a polygon touches, for `polygon_mask`."""

import numpy as np

from polymask.masks import _coverage
from polymask.masks.output import check_out


def mask(parts, shape, sampling, out, dtype, packed):
    """Return the mask, which is `out` if that is given; arguments are those of `polygon_mask`.

    Packed bits take one byte per pixel on their way.
    """
    of_out = (shape[0], -(-shape[1] // 8)) if packed else shape
    if out is not None:
        check_out(out, of_out, dtype)
    found = out
    if out is None or packed or not out.flags.c_contiguous:
        found = np.empty(shape, np.uint8 if packed else dtype)
    if 0 in shape or not parts:
        found[...] = 0
    else:
        touches = found.view(np.uint8)
        how = sampling.squares == "closed", sampling.center, sampling.offset
        _coverage.touch(*parts[0], touches, *how)
        if len(parts) > 1:
            part = np.empty(shape, np.uint8)
            for rings in parts[1:]:
                _coverage.touch(*rings, part, *how)
                touches |= part
    if packed:
        found = np.packbits(found, axis=1, bitorder="little")
    if out is None or out is found:
        return found
    out[...] = found
    return out
