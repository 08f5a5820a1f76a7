"""The tiles of csrc/scanline.cl: the pixels of rows that a work-group computes in local memory."""

BLOCK = 1024  # pixels of a row, of which a tile has a whole number of blocks
BLOCK_BYTES = 4 * 65  # local memory of a block: two bits per pixel, and one more word
AHEAD = 15  # a row begins up to this number of bytes after the aligned address of its first bit


def tiles(cols, height, local_bytes):
    """Return the tiles of a row, the blocks of a tile, and the bytes of a group of `height` rows.

    `local_bytes` is the local memory of a work-group.
    """
    bits = cols + AHEAD
    blocks = min(-(-bits // BLOCK), local_bytes // BLOCK_BYTES // height)
    return -(-bits // (BLOCK * blocks)), blocks, height * blocks * BLOCK_BYTES
