"""The mask of a polygon on an image, solved again and again, each time faster.

`polymask.rungs` lists the implementations; each is a module with one function, `make_mask`.
`polymask.contract` says what a mask is, to the bit.

For masks, labels, runs, fractions of pixels and the way back: docs/api.md has a line for each
public function.
"""

from importlib import import_module

from polymask.common import staleness

_MODULE_OF = {
    "coco_rle": "masks.coco",
    "contains": "masks.polygon",
    "coverage": "masks.coverage",
    "label_mask": "masks.labels",
    "label_runs": "masks.runs",
    "labels_to_rings": "masks.outlines",
    "mask_to_rings": "masks.outlines",
    "pixel_centroids": "masks.runs",
    "pixel_counts": "masks.runs",
    "polygon_crops": "masks.mask_stack",
    "polygon_mask": "masks.polygon",
    "polygon_masks": "masks.mask_stack",
    "polygon_runs": "masks.runs",
    "polygon_statistics": "masks.zonal",
    "rasterize": "masks.rasterize",
    "rasterize_like": "masks.rasterize",
    "runs_to_mask": "masks.runs",
}
_MODULES = {  # with types for annotations
    "contract": "contract",
    "geometry": "geodata.geometry",
    "hints": "hints",
    "outlines": "masks.outlines",
    "ragged": "geodata.ragged",
    "runs": "masks.runs",
    "zonal": "masks.zonal",
}
__all__ = list(_MODULE_OF)

staleness.guard()


def __getattr__(name):
    """Load the public functions on first use: they bring NumPy, and `bench` wants a say."""
    if name in _MODULE_OF or name in _MODULES:
        try:
            found = import_module(f"polymask.{_MODULE_OF.get(name) or _MODULES[name]}")
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("polymask."):
                raise
            raise ImportError(f"{error.name} is not built: run `make build`") from None
        if name in _MODULE_OF:
            found = getattr(found, name)
        globals()[name] = found  # asking here each time costs as much as a small mask
        return found
    if name == "__version__":  # while it is being built, there is none yet
        return import_module("importlib.metadata").version("polymask")
    raise AttributeError(f"module 'polymask' has no attribute {name!r}")


def __dir__():
    return sorted({*globals(), *__all__, *_MODULES, "__version__"})
