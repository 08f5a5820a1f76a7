"""Toggles to parity in words: 64 pixels per word, 6 steps of all words at once instead of 64."""

import numpy as np

STEPS = 6  # of `w ^= w << s`, for a word of 64 bits


def scan(words):
    """Return the parities: bit k of a word is 1 if the number of toggles up to it is odd.

    `words` has the toggles, uint64, (rows, words per row). Pixel 0 of a row is the lowest bit of
    its first word, and pixel 64 the lowest bit of the second. A row may have an odd number of
    toggles, as the last one may lie to the right of the image. `words` is not changed.
    """
    parity = words.copy()
    for step in range(STEPS):
        parity ^= parity << 2**step
    last = parity >> 63  # 1 if a word has an odd number of toggles
    odd_before = np.bitwise_xor.accumulate(last, axis=1) ^ last
    return parity ^ -odd_before  # -1 is a word of ones
