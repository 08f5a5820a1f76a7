"""The tiles of csrc/scanline.cl: the pixels of rows that a work-group computes in local memory."""

BLOCK = 1024  # pixels of a row, of which a tile has a whole number of blocks
BLOCK_BYTES = 4 * 65  # local memory of a block: two bits per pixel, and one more word
AHEAD = 15  # a row begins up to this number of bytes after the aligned address of its first bit


def tiles(shape, height, local_bytes):
    """Divide an image among groups of `height` rows, which have `local_bytes` of local memory.

    Returns the number of tiles in a row, that of groups in a column, the blocks of a tile, and the
    bytes of local memory that a group needs.
    """
    (rows, cols), most = shape, local_bytes // BLOCK_BYTES
    if height > most:
        raise ValueError(f"a work-group has local memory for {most} rows here, got {height}")
    bits = cols + AHEAD
    blocks = min(-(-bits // BLOCK), most // height)
    return -(-bits // (BLOCK * blocks)), -(-rows // height), blocks, height * blocks * BLOCK_BYTES
