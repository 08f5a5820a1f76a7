"""Fusion: four operators in four passes over memory with NumPy, and in one pass with a loop.

    python examples/fusion.py [N]           default: four million numbers

sqrt(x * x + y * y) has four operators. NumPy applies each to whole arrays, and writes each result
to memory, where the next one reads it. The loop reads x and y once, keeps intermediate results in
registers, and writes once. NumPy on blocks that fit a cache finds them in the cache.
"""

import sys

import in_turn
import numba
import numpy as np

BLOCK = 4096  # numbers: four arrays of them are 128 KiB


def in_passes(x, y):
    """Return the lengths in array style, one operator at a time."""
    return np.sqrt(x * x + y * y)


def in_blocks(x, y):
    """Return the lengths in array style, one block at a time: most of the traffic is in a cache."""
    result = np.empty_like(x)
    for start in range(0, len(x), BLOCK):
        block = slice(start, start + BLOCK)
        result[block] = in_passes(x[block], y[block])
    return result


@numba.njit(nogil=True)
def in_a_loop(x, y):
    """Return the lengths in loop style, with all operators applied to one element at a time."""
    result = np.empty_like(x)
    for i in range(len(x)):
        result[i] = np.sqrt(x[i] * x[i] + y[i] * y[i])
    return result


# Doubles read and written per element; for a cached block, only its inputs and its result count.
TRAFFIC = {
    in_passes: ("2 + 2 + 3 + 2", 9),  # x * x, which reads x once, y * y, their sum, and the root
    in_blocks: ("3", 3),
    in_a_loop: ("3", 3),
}


def main(n):
    """Measure the three versions, and print their traffic to memory."""
    x, y = np.random.default_rng(0).random((2, n))
    for compute in (in_blocks, in_a_loop):
        np.testing.assert_array_equal(compute(x, y), in_passes(x, y))
    times = in_turn.measure({compute: lambda f=compute: f(x, y) for compute in TRAFFIC})
    rows = [
        [name, text, terms, f"{8e-9 * n * doubles / times[compute]:.1f}"]
        for name, text, (compute, (terms, doubles)) in zip(
            ("array: NumPy's operators", "array: the same in blocks", "loop: fused with Numba"),
            in_turn.format_times(times),
            TRAFFIC.items(),
            strict=True,
        )
    ]
    print(f"sqrt(x * x + y * y) of n = {n} doubles, one thread")
    in_turn.print_table(["style", "time", "doubles moved per element", "GB/s"], rows)
    print(in_turn.conditions())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 4_000_000)
