"""The mask of a polygon on an image, solved again and again, each time faster.

`polymask.rungs` lists the implementations; each is a module with one function, `make_mask`.
`polymask.contract` says what a mask is, to the bit.

For masks, points and labels: `polygon_mask`, `contains`, `label_mask`.
"""

from importlib import import_module

from polymask import _fresh

__all__ = ["contains", "label_mask", "polygon_mask"]

_fresh.guard()


def __getattr__(name):
    """Load the public functions on first use: the engine brings OpenMP, and `bench` wants a say."""
    if name in __all__:
        try:
            return getattr(import_module("polymask.api"), name)
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("polymask."):
                raise
            raise ImportError(f"{error.name} is not built: run `make build`") from None
    if name == "__version__":  # while it is being built, there is none yet
        return import_module("importlib.metadata").version("polymask")
    raise AttributeError(f"module 'polymask' has no attribute {name!r}")


def __dir__():
    return sorted([*globals(), *__all__, "__version__"])
