"""The k largest of n numbers, without sorting them all: by np.partition, and by a heap in a loop.

    python examples/k_selection.py          a million numbers, or as many as are given

np.partition moves the k largest to the end, in time proportional to n: it divides the array as
quicksort does, and goes on only in the part that holds the border. The loop keeps the k largest so
far in a heap, whose root is the smallest of them: in random order most numbers fail the comparison
with it, and are done; in ascending order each enters, and sinks. The loop writes nothing but the
heap, so it needs no copy, and a stream of numbers would do.
"""

import sys

import in_turn
import numba
import numpy as np


def by_partition(x, k):
    """Array style: return the k largest, in no order."""
    return np.partition(x, len(x) - k)[len(x) - k :]


@numba.njit(nogil=True)
def replace_root(heap, value):
    """Put a value in the root's place, and let it sink until no child is smaller."""
    parent = 0
    while True:
        child = 2 * parent + 1
        if child + 1 < len(heap) and heap[child + 1] < heap[child]:
            child += 1  # the smaller one
        if child >= len(heap) or value <= heap[child]:
            break
        heap[parent] = heap[child]
        parent = child
    heap[parent] = value


@numba.njit(nogil=True)
def by_heap(x, k):
    """Loop style: return the k largest, in no order."""
    heap = np.sort(x[:k])  # what is sorted is a heap
    for i in range(k, len(x)):
        if x[i] > heap[0]:
            replace_root(heap, x[i])
    return heap


def k_largest(x, k, select=by_heap):
    """Return the k largest of a one-dimensional array without NaN, the largest first.

    Raises `ValueError` unless 1 <= k <= len(x).
    """
    if not 1 <= k <= len(x):
        raise ValueError(f"k has to be between 1 and {len(x)}, got {k}")
    return np.sort(select(x, k))[::-1]


def main(n):
    """Measure both styles over k, for numbers in random order and in the worst."""
    x = np.random.default_rng(0).random(n)
    rows = []
    for order, numbers in (("random", x), ("ascending", np.sort(x))):
        for k in sorted({1, max(1, n // 1000), max(1, n // 10)}):
            found = [k_largest(numbers, k, select) for select in (by_partition, by_heap)]
            np.testing.assert_array_equal(*found)
            took = in_turn.seconds({
                "partition": lambda k=k, x=numbers: by_partition(x, k),
                "heap": lambda k=k, x=numbers: by_heap(x, k),
                "sort": lambda x=numbers: np.sort(x),
            })  # fmt: skip
            rows.append([order, str(k), *in_turn.written(took)])
    print(f"The k largest of n = {n} doubles")
    in_turn.table(["order", "k", "array: np.partition", "loop: heap", "np.sort"], rows)
    print(in_turn.where())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
