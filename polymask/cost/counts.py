"""How often each step of the rule is taken for a polygon on an image: counted, not measured.

The rule asks of a pixel and an edge one thing after the other, and stops at the first no. How
many pixels reach each question follows from the polygon, an edge at a time.
"""

import numpy as np

BLOCK = 8  # pixels that openmp.simd takes at a time
WORD = 64  # pixels in a word of the engine's bits


def of(vertices, shape, last_edge_first=True):
    """Count the work of the rule, by pixels and by rows; return name to int.

    With `last_edge_first` the edge from the last vertex to the first is asked first, as in
    csrc/inside_polygon.h, and else last, as in python.tuples. A pixel that is a vertex ends the
    rule's loop there.

    Of the pairs of pixel and edge: how many are `visited`; have the x of the edge's first vertex,
    `same_x`; are `asked` for the edge's rows, as they are no vertex; lie `above` its lower end; in
    the `band` of its rows; `left` of its right end; and have the crossing computed, `divided`. All
    pairs are `edge_pixels`; those with edges that are `sloping`, not horizontal, and `slanted`, nor
    vertical, have names of their own. By rows: `edge_rows`, `above_rows`, `crossings` (of an edge
    with a row) and `crossing_edges`; the same for each block of a row; `words` of bits.
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
    """The edges of a polygon in the order in which the rule asks them."""

    def __init__(self, vertices, last_edge_first):
        p1 = np.roll(vertices, 1, axis=0) if last_edge_first else vertices
        (self.x1, self.y1), (self.x2, self.y2) = p1.T, np.roll(p1, -1, axis=0).T
        self.low, self.high = np.minimum(self.y1, self.y2), np.maximum(self.y1, self.y2)
        self.right = np.maximum(self.x1, self.x2)

    def above(self, rows):
        """Return how many rows y of each edge have y > low."""
        return rows - up_to(self.low, rows)

    def band(self, rows):
        """Return how many rows y of each edge have low < y <= high."""
        return up_to(self.high, rows) - up_to(self.low, rows)

    def pairs(self, rows, cols):
        """Count the pairs of pixel and edge that reach each step of the rule."""
        column = (self.x1 == np.floor(self.x1)) & (self.x1 >= 0) & (self.x1 < cols)
        left = self.band(rows) * up_to(self.right, cols)
        found = {
            "visited": len(self.x1) * rows * cols,
            "same_x": int(np.count_nonzero(column)) * rows,
            "above": int(self.above(rows).sum()) * cols,
            "band": int(self.band(rows).sum()) * cols,
            "left": int(left.sum()),
            "divided": int(left[self.x1 != self.x2].sum()),
        }
        first = {}  # pixel that is a vertex, to the edge that ends the loop there
        inside = column & (self.y1 == np.floor(self.y1)) & (self.y1 >= 0) & (self.y1 < rows)
        for edge in np.flatnonzero(inside):
            first.setdefault((self.x1[edge], self.y1[edge]), edge)
        for (x, y), edge in first.items():
            for name, missed in self.missed(x, y, edge).items():
                found[name] -= missed
        found["asked"] = found["visited"] - len(first)
        return found

    def missed(self, x, y, edge):
        """Count the steps that a pixel would take from where an edge's vertex ends its loop."""
        x1, x2, right = self.x1[edge:], self.x2[edge:], self.right[edge:]
        above = y > self.low[edge:]
        band = above & (y <= self.high[edge:])
        left = band & (x <= right)
        steps = {"above": above, "band": band, "left": left, "divided": left & (x1 != x2)}
        missed = {name: int(np.count_nonzero(step)) for name, step in steps.items()}
        missed["visited"] = len(x1) - 1
        missed["same_x"] = int(np.count_nonzero(x1 == x)) - 1
        return missed


def up_to(limits, count):
    """Return how many of the integers 0 .. count - 1 are no larger than each limit."""
    return np.clip(np.floor(limits) + 1, 0, count).astype(np.int64)
