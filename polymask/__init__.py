"""Exact masks of polygons on images: label images, fractions of pixels, statistics, outlines.

`polymask.contract` defines a mask, to the bit.

docs/api.md lists the public functions for masks, labels, runs, fractions of pixels and outlines.
"""

from importlib import import_module

__version__: str
TYPE_CHECKING = False  # type checkers assume True; this avoids importing `typing`
if TYPE_CHECKING:
    from polymask import contract as contract
    from polymask import hints as hints
    from polymask.forms import geometry as geometry
    from polymask.forms import ragged as ragged
    from polymask.masks import outlines as outlines
    from polymask.masks import runs as runs
    from polymask.masks import zonal as zonal
    from polymask.masks.coco import coco_rle as coco_rle
    from polymask.masks.coco import coco_to_mask as coco_to_mask
    from polymask.masks.coco import coco_to_rings as coco_to_rings
    from polymask.masks.contains import contains as contains
    from polymask.masks.coverage import coverage as coverage
    from polymask.masks.labels import label_mask as label_mask
    from polymask.masks.mask_buffer import MaskBuffer as MaskBuffer
    from polymask.masks.mask_stack import polygon_crops as polygon_crops
    from polymask.masks.mask_stack import polygon_masks as polygon_masks
    from polymask.masks.outlines import labels_to_rings as labels_to_rings
    from polymask.masks.outlines import mask_to_rings as mask_to_rings
    from polymask.masks.pixel_sums import pixel_centroids as pixel_centroids
    from polymask.masks.pixel_sums import pixel_counts as pixel_counts
    from polymask.masks.polygon import polygon_mask as polygon_mask
    from polymask.masks.rasterize import rasterize as rasterize
    from polymask.masks.rasterize_like import rasterize_like as rasterize_like
    from polymask.masks.runs import label_runs as label_runs
    from polymask.masks.zonal import polygon_statistics as polygon_statistics

_MODULE_OF = {
    "MaskBuffer": "masks.mask_buffer",
    "coco_rle": "masks.coco",
    "coco_to_mask": "masks.coco",
    "coco_to_rings": "masks.coco",
    "contains": "masks.contains",
    "coverage": "masks.coverage",
    "label_mask": "masks.labels",
    "label_runs": "masks.runs",
    "labels_to_rings": "masks.outlines",
    "mask_to_rings": "masks.outlines",
    "pixel_centroids": "masks.pixel_sums",
    "pixel_counts": "masks.pixel_sums",
    "polygon_crops": "masks.mask_stack",
    "polygon_mask": "masks.polygon",
    "polygon_masks": "masks.mask_stack",
    "polygon_statistics": "masks.zonal",
    "rasterize": "masks.rasterize",
    "rasterize_like": "masks.rasterize_like",
}
_MODULES = {  # modules with types for annotations
    "contract": "contract",
    "geometry": "forms.geometry",
    "hints": "hints",
    "outlines": "masks.outlines",
    "ragged": "forms.ragged",
    "runs": "masks.runs",
    "zonal": "masks.zonal",
}
__all__ = list(_MODULE_OF)


def __getattr__(name):
    """Load public functions on first use: they import NumPy, and `bench` must run before that."""
    if name in _MODULE_OF or name in _MODULES:
        try:
            attribute = import_module(f"polymask.{_MODULE_OF.get(name) or _MODULES[name]}")
        except ImportError as error:
            missing = type(error) in (ImportError, ModuleNotFoundError)
            if not (missing and (error.name or "").startswith("polymask.")):
                raise
            raise ImportError(
                f"polymask is not built in {__path__[0]}: run `make build` there, or start Python "
                f"in another folder if it is installed ({error})"
            ) from None
        if name in _MODULE_OF:
            attribute = getattr(attribute, name)
        globals()[name] = attribute  # a call to __getattr__ takes as long as a small mask
        return attribute
    if name == "__version__":  # the metadata does not exist during a build
        return import_module("importlib.metadata").version("polymask")
    raise AttributeError(f"module 'polymask' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, *_MODULES, "__version__"})
