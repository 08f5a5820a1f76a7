"""Scan single toggles, then random ones, and compare every pixel."""

import numpy as np

from ladder.workshop.sandbox import child
from ladder.workshop.sandbox.check_failed import CheckFailed, check_predicted, same_kind


def pixels(words):
    """Return the bits of words, pixel 0 first, as bytes of 0 and 1."""
    return np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")


def text(bits):
    """Return bits as digits."""
    return "".join(map(str, bits))


def check(answer, random):
    """Raise `CheckFailed` at the first wrong pixel."""
    hint = "each step doubles the toggles that a bit has seen"
    check_predicted("STEPS", answer.STEPS, 6, hint)
    for bit in (0, 1, 31, 32, 62, 63):
        compare(answer, np.array([[1 << bit]], np.uint64), f"one word, a toggle at bit {bit}")
    compare(answer, np.array([[1 << 5, 0, 0]], np.uint64), "three words, a single toggle in word 0")
    rng = np.random.default_rng(random.randrange(10**6))
    for rows, n in ((1, 4), (6, 2), (5, 3), (40, 16)):
        toggles = rng.integers(0, 2**64, (rows, n), np.uint64)
        compare(answer, toggles, f"{rows} rows of {n} words, random toggles")


def compare(answer, words, label):
    """Raise `CheckFailed` unless the parities of some words are right."""
    child.step(label)
    got, facts = child.observe(answer.scan, words)
    child.check_arguments(facts, label)
    same_kind(got, words, label)
    toggles, drawn = pixels(words), pixels(got)
    expected = np.bitwise_xor.accumulate(toggles, axis=1)
    wrong = np.argwhere(drawn != expected)
    if len(wrong):
        row, pixel = map(int, wrong[0])
        begin = max(pixel - 8, 0)
        lines = ("toggles", toggles), ("expected", expected), ("got", drawn)
        raise CheckFailed(
            f"{label}: {len(wrong)} pixels are wrong; the first is pixel {pixel} of row {row}, "
            f"bit {pixel % 64} of word {pixel // 64}. Around it, from pixel {begin}:\n"
            + "\n".join(
                f"    {name:<9}{text(bits[row, begin : begin + 24])}" for name, bits in lines
            )
        )
