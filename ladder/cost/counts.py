"""Counts of the rule's steps for a polygon on an image: computed, not measured.

For a pixel and an edge, the rule evaluates conditions in order, and stops at the first that fails.
The number of pixels that reach each condition is computed from the polygon, edge by edge.
"""

import numpy as np

BLOCK = 8  # pixels that openmp.simd computes together
WORD = 64  # pixels in a word of the engine's bits


def of(vertices, shape, last_edge_first=True):
    """Count the work of the rule, by pixels and by rows; map names to counts.

    With `last_edge_first` the edge from the last vertex to the first is evaluated first, as in
    inside_polygon.h, otherwise last, as in python.tuples. At a pixel that is a vertex, the
    rule's loop over edges ends.

    Counts of pairs of a pixel and an edge: `visited`; `same_x`, if the pixel has the x of the
    edge's first vertex; `asked`, if it is compared with the edge's rows because it is not a vertex;
    `above` the edge's lower end; in the `band` of its rows; `left` of its right end; `divided`, if
    the crossing is computed. `edge_pixels` counts all pairs. `sloping` edges are not horizontal;
    `slanted` edges are neither horizontal nor vertical. By rows: `edge_rows`, `above_rows`,
    `crossings` (of an edge with a row) and `crossing_edges`; the same for each block of a row;
    `words` of bits.
    """
    vertices, (rows, cols) = np.asarray(vertices, np.float64), shape
    edges = Edges(vertices, last_edge_first)
    n, pixels, blocks = len(vertices), rows * cols, -(-cols // BLOCK)
    band, above = edges.band(rows), edges.above(rows)
    sloping = int(np.count_nonzero(edges.y1 != edges.y2))
    slanted = int(np.count_nonzero((edges.y1 != edges.y2) & (edges.x1 != edges.x2)))
    by_rows = {"edge": n * rows, "above": int(above.sum()), "crossing": int(band.sum())}
    return {
        "once": 1,
        "pixels": pixels,
        "edges": n,
        **edges.pairs(rows, cols),
        "edge_pixels": n * pixels,
        "sloping": sloping,
        "sloping_pixels": sloping * pixels,
        "slanted": slanted,
        "slanted_pixels": slanted * pixels,
        "edge_rows": by_rows["edge"],
        "above_rows": by_rows["above"],
        "crossings": by_rows["crossing"],
        "crossing_edges": int(np.count_nonzero(band)),
        **{f"{name}_blocks": count * blocks for name, count in by_rows.items()},
        "words": -(-pixels // WORD),
    }


class Edges:
    """The edges of a polygon in the order of the rule."""

    def __init__(self, vertices, last_edge_first):
        p1 = np.roll(vertices, 1, axis=0) if last_edge_first else vertices
        (self.x1, self.y1), (self.x2, self.y2) = p1.T, np.roll(p1, -1, axis=0).T
        self.low, self.high = np.minimum(self.y1, self.y2), np.maximum(self.y1, self.y2)
        self.right = np.maximum(self.x1, self.x2)

    def above(self, rows):
        """Count the rows y with y > low, for each edge."""
        return rows - count_up_to(self.low, rows)

    def band(self, rows):
        """Count the rows y with low < y <= high, for each edge."""
        return count_up_to(self.high, rows) - count_up_to(self.low, rows)

    def pairs(self, rows, cols):
        """Count the pairs of a pixel and an edge that reach each step of the rule."""
        column = (self.x1 == np.floor(self.x1)) & (self.x1 >= 0) & (self.x1 < cols)
        left = self.band(rows) * count_up_to(self.right, cols)
        steps = {
            "visited": len(self.x1) * rows * cols,
            "same_x": int(np.count_nonzero(column)) * rows,
            "above": int(self.above(rows).sum()) * cols,
            "band": int(self.band(rows).sum()) * cols,
            "left": int(left.sum()),
            "divided": int(left[self.x1 != self.x2].sum()),
        }
        first = {}  # maps a pixel that is a vertex to the edge that ends its loop
        inside = column & (self.y1 == np.floor(self.y1)) & (self.y1 >= 0) & (self.y1 < rows)
        for edge in np.flatnonzero(inside):
            first.setdefault((self.x1[edge], self.y1[edge]), edge)
        for (x, y), edge in first.items():
            for name, count in self.skipped(x, y, edge).items():
                steps[name] -= count
        steps["asked"] = steps["visited"] - len(first)
        return steps

    def skipped(self, x, y, edge):
        """Count the steps that a pixel skips because its loop ends at an edge's vertex."""
        x1, x2, right = self.x1[edge:], self.x2[edge:], self.right[edge:]
        above = y > self.low[edge:]
        band = above & (y <= self.high[edge:])
        left = band & (x <= right)
        steps = {"above": above, "band": band, "left": left, "divided": left & (x1 != x2)}
        counts = {name: int(np.count_nonzero(step)) for name, step in steps.items()}
        counts["visited"] = len(x1) - 1
        counts["same_x"] = int(np.count_nonzero(x1 == x)) - 1
        return counts


def count_up_to(limits, count):
    """Count the integers from 0 to count - 1 that do not exceed each limit."""
    return np.clip(np.floor(limits) + 1, 0, count).astype(np.int64)
