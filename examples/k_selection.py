"""The k largest of n numbers, without sorting all: by np.partition, and by a loop with a heap.

    python examples/k_selection.py [N]      default: a million numbers

np.partition moves the k largest to the end, in time proportional to n: it divides the array as
quicksort does, but continues only in the part that contains the border. The loop keeps the k
largest so far in a heap, whose root is the smallest of them. In random order, most numbers are
smaller than the root, so one comparison is enough. In ascending order, each number enters the heap.
The loop writes to the heap only, so it needs no copy of the array and could also read a stream.
"""

import sys

import in_turn
import numba
import numpy as np


def by_partition(x, k):
    """Return the k largest in array style, in no particular order."""
    return np.partition(x, len(x) - k)[len(x) - k :]


@numba.njit(nogil=True)
def replace_root(heap, value):
    """Replace the root with a value, and move it down until no child is smaller."""
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
    """Return the k largest in loop style, in no particular order."""
    heap = np.sort(x[:k])  # a sorted array is a heap
    for i in range(k, len(x)):
        if x[i] > heap[0]:
            replace_root(heap, x[i])
    return heap


def k_largest(x, k, select=by_heap):
    """Return the k largest elements of a one-dimensional array without NaN, in descending order.

    Raises `ValueError` unless 1 <= k <= len(x).
    """
    if not 1 <= k <= len(x):
        raise ValueError(f"k must be between 1 and {len(x)}, got {k}")
    return np.sort(select(x, k))[::-1]


def main(n):
    """Measure both styles for several k, with numbers in random and in ascending order."""
    x = np.random.default_rng(0).random(n)
    rows = []
    for order, numbers in (("random", x), ("ascending", np.sort(x))):
        for k in sorted({1, max(1, n // 1000), max(1, n // 10)}):
            results = [k_largest(numbers, k, select) for select in (by_partition, by_heap)]
            np.testing.assert_array_equal(*results)
            times = in_turn.measure({
                "partition": lambda k=k, x=numbers: by_partition(x, k),
                "heap": lambda k=k, x=numbers: by_heap(x, k),
                "sort": lambda x=numbers: np.sort(x),
            })  # fmt: skip
            rows.append([order, str(k), *in_turn.format_times(times)])
    print(f"The k largest of n = {n} doubles")
    in_turn.print_table(["order", "k", "array: np.partition", "loop: heap", "np.sort"], rows)
    print(in_turn.conditions())


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000)
