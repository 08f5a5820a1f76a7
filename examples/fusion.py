"""Fusion: three passes over memory by NumPy, one by a loop that does all to a number at once.

    python examples/fusion.py               four million numbers, or as many as are given

sqrt(x * x + y * y) is four operators. NumPy runs each over whole arrays, and writes each result to
memory for the next to read. The loop reads x and y once, keeps the rest in registers, and writes
once. Between the two: NumPy in blocks that fit a cache, where what is written is read again soon.
"""

import sys

import in_turn
import numba
import numpy as np

BLOCK = 4096  # numbers: four arrays of them are 128 KiB


def in_passes(x, y):
    """Array style: return the lengths, an operator at a time."""
    return np.sqrt(x * x + y * y)


def in_blocks(x, y):
    """Array style, a block at a time: the same operators, and most of their traffic in a cache."""
    result = np.empty_like(x)
    for start in range(0, len(x), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = in_passes(x[block], y[block])
    return result


@numba.njit(nogil=True)
def in_a_loop(x, y):
    """Loop style: return the lengths, all operators to a number at once."""
    result = np.empty_like(x)
    for i in range(len(x)):
        result[i] = np.sqrt(x[i] * x[i] + y[i] * y[i])
    return result


# Doubles read and written for each element; of a cached block, only what enters and leaves it.
TRAFFIC = {
    in_passes: ("2 + 2 + 3 + 2", 9),  # x x, y y, their sum, the root; one of x x is read once
    in_blocks: ("3", 3),
    in_a_loop: ("3", 3),
}


def main(n):
    """Measure the three, and print what they move through memory."""
    x, y = np.random.default_rng(0).random((2, n))
    for way in (in_blocks, in_a_loop):
        np.testing.assert_array_equal(way(x, y), in_passes(x, y))
    took = in_turn.seconds({way: lambda way=way: way(x, y) for way in TRAFFIC})
    rows = [
        [name, *in_turn.written({way: took[way]}), words, f"{8e-9 * n * doubles / took[way]:.1f}"]
        for name, (way, (words, doubles)) in zip(
            ("array: NumPy's operators", "array: the same in blocks", "loop: fused by Numba"),
            TRAFFIC.items(),
            strict=True,
        )
    ]
    print(f"sqrt(x * x + y * y) of n = {n} doubles, one thread")
    in_turn.table(["style", "time", "doubles moved a number", "GB/s"], rows)
    print(in_turn.where())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000)
