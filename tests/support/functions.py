"""Every public function as a call with a polygon or polygons, a shape, and options."""

import functools

import numpy as np

import polymask


def draw(polygon, shape, **options):
    """Draw in a new `MaskBuffer`."""
    return polymask.MaskBuffer(shape).draw(polygon, **options)


def contains(polygon, shape, **options):
    """Evaluate `contains` at the samples of an image, and at the points between them."""
    return polymask.contains(polygon, np.argwhere(np.ones(shape)) / 2.0, **options)


def polygon_statistics(polygons, shape, **options):
    """Return the statistics of an image whose values differ."""
    image = np.arange(np.prod(shape), dtype=float).reshape(shape)
    return polymask.polygon_statistics(polygons, image, **options)


ONE = {
    "polygon_mask": polymask.polygon_mask,
    "all_touched": functools.partial(polymask.polygon_mask, all_touched=True),
    "MaskBuffer": draw,
    "contains": contains,
    "coverage": polymask.coverage,
}
MANY = {
    "label_mask": polymask.label_mask,
    "label_runs": polymask.label_runs,
    "pixel_counts": polymask.pixel_counts,
    "pixel_centroids": polymask.pixel_centroids,
    "polygon_masks": polymask.polygon_masks,
    "polygon_crops": polymask.polygon_crops,
    "polygon_statistics": polygon_statistics,
    "coco_rle": polymask.coco_rle,
    "rasterize": polymask.rasterize,
}


def same(result, expected):
    """Compare two results of a function, including iterators over masks."""
    np.testing.assert_equal(*(list(r) if hasattr(r, "__next__") else r for r in (result, expected)))
