"""The mask of a polygon on an image, solved again and again, each time faster.

`polymask.rungs` lists the implementations; each is a module with one function, `make_mask`.
`polymask.contract` says what a mask is, to the bit.

For masks, labels, runs, fractions of pixels and the way back: docs/api.md has a line for each
public function.
"""

from importlib import import_module

from polymask import _fresh

_MODULE_OF = {
    "coco_rle": "coco",
    "contains": "api",
    "coverage": "areas",
    "label_mask": "labels",
    "label_runs": "runs",
    "labels_to_rings": "outlines",
    "mask_to_rings": "outlines",
    "pixel_centroids": "runs",
    "pixel_counts": "runs",
    "polygon_crops": "stacks",
    "polygon_mask": "api",
    "polygon_masks": "stacks",
    "polygon_runs": "runs",
    "polygon_statistics": "zonal",
    "rasterize": "maps",
    "rasterize_like": "maps",
    "runs_to_mask": "runs",
}
_MODULES = {"contract", "geometry", "hints", "outlines", "ragged", "runs", "zonal"}  # with types
__all__ = list(_MODULE_OF)

_fresh.guard()


def __getattr__(name):
    """Load the public functions on first use: they bring NumPy, and `bench` wants a say."""
    if name in _MODULE_OF or name in _MODULES:
        try:
            found = import_module(f"polymask.{_MODULE_OF.get(name, name)}")
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
