"""Every public function, as a call of a polygon or of polygons, a shape, and options."""

import functools

import numpy as np

import polymask


def contains(polygon, shape, **options):
    """Ask for the samples of an image, and for the points between them."""
    return polymask.contains(polygon, np.argwhere(np.ones(shape)) / 2.0, **options)


def polygon_statistics(polygons, shape, **options):
    """Ask for the statistics of an image whose values differ."""
    image = np.arange(np.prod(shape), dtype=float).reshape(shape)
    return polymask.polygon_statistics(polygons, image, **options)


ONE = {
    "polygon_mask": polymask.polygon_mask,
    "all_touched": functools.partial(polymask.polygon_mask, all_touched=True),
    "contains": contains,
    "coverage": polymask.coverage,
    "polygon_runs": polymask.polygon_runs,
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


def same(found, expected):
    """Hold two results of a function against each other, masks that come one by one included."""
    np.testing.assert_equal(*(list(r) if hasattr(r, "__next__") else r for r in (found, expected)))
