"""Exact masks, label images, fractions, maps and statistics by blocks, as lazy Dask arrays.

The functions have the arguments of those of the same names in `polymask`, except `out`, and
`chunks` as `dask.array` takes them. For any chunks, the values equal those of `polymask` to the
bit, because a block is a window with an `offset`: vertices are never moved. Input is checked
during the call, and errors are the same.

Polygons are converted and indexed once. They are one node of the graph, so that each worker
receives them once, and a scheduler sends them again to a worker that replaces another. (Data that
a client scatters would be lost with its workers.) A block reads the polygons near it. The graphs
of images are symbolic: they do not grow with the number of blocks until a scheduler runs them.

The functions need the extra `dask`.
"""

try:
    from polymask.dask.lazy_maps import rasterize, rasterize_like
    from polymask.dask.lazy_masks import coverage, label_mask, polygon_mask
    from polymask.dask.lazy_statistics import polygon_statistics
except ModuleNotFoundError as error:
    if (error.name or "").partition(".")[0] != "dask":
        raise
    raise ImportError("polymask.dask needs Dask: pip install 'polymask[dask]'") from None

__all__ = [
    "coverage",
    "label_mask",
    "polygon_mask",
    "polygon_statistics",
    "rasterize",
    "rasterize_like",
]
