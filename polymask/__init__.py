"""The mask of a polygon on an image, solved again and again, each time faster.

`polymask.rungs` lists the implementations; each is a module with one function, `make_mask`.
`polymask.contract` says what a mask is, to the bit.
"""

from importlib import metadata

from polymask import _fresh

__version__ = metadata.version("polymask")

_fresh.guard()
