"""The words of refusals: what was given, in a short line, and what is wrong with it."""

import numbers
import reprlib

import numpy as np

FLAT = 6  # numbers of a ring as COCO has it, x, y, x, y, ...: at least three vertices


MOST = 100  # letters


class _Line(reprlib.Repr):
    """The beginning of what a value prints, on one line; of an array its shape."""

    def repr_ndarray(self, array, level):
        """Return an array's shape; what has none is a number."""
        if array.ndim == 0:
            return self.repr1(array.item(), level)
        return f"an array of shape {array.shape}"

    repr_MaskedArray = repr_ndarray  # noqa: N815, reprlib asks for the type's name

    def repr_int(self, number, level):
        """Return a whole number; Python itself refuses to print thousands of digits."""
        if number.bit_length() > 256:
            return f"an integer of {number.bit_length()} bits"
        return super().repr_int(number, level)


_LINE = _Line()


def shown(value):
    """Return what a value is in a few words, on one line: nothing large is printed whole."""
    if isinstance(value, np.generic):
        value = value.item()
    line = " ".join(_LINE.repr(value).split())
    return line if len(line) <= MOST else f"{line[: MOST - 3]}..."


def named(name):
    """Return a name that a file gives something: as it is, if that is short and can be printed."""
    return name if name.isprintable() and len(name) <= MOST else shown(name)


def refuse_masked(array, name):
    """Refuse a `numpy.ma.MaskedArray` of which something is masked: nothing would see its mask."""
    rows = array if isinstance(array, (list, tuple)) else ()
    if any(isinstance(one, np.ma.MaskedArray) and np.ma.is_masked(one) for one in (array, *rows)):
        raise ValueError(f"part of {name} is masked: leave it out, or fill it (.filled())")


def refuse_rows(points, name):
    """Refuse what NumPy makes no array of pairs from."""
    for number, row in enumerate(points):
        if not hasattr(row, "__len__"):
            raise TypeError(f"{name} must be real numbers, got {shown(row)} at {number}") from None
    lengths = [len(row) for row in points]
    hint = _hint(min(lengths) if all(length % 2 == 0 for length in lengths) else 0)
    raise ValueError(
        f"{name} must have the shape (N, 2), got rows of unlike length{hint}"
    ) from None


def refuse_not_real(points, array, name):
    """Refuse an array of something else than real numbers; objects may be real numbers."""
    if array.ndim == 0 and array.dtype.kind in "OUS":
        kind = type(points).__name__
        raise TypeError(f"{name} must be real numbers, an array or a list of pairs, got {kind}")
    if array.dtype.kind in "US":
        raise TypeError(f"{name} must be real numbers, got text")
    if array.dtype != object:
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    for value in array.flat:
        if not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be real numbers, got {shown(value)}")


def refuse_shape(shape, name):
    """Refuse an array that is none of pairs."""
    got = shape if len(shape) <= 4 else f"an array of {len(shape)} dimensions"
    flat = shape[-1] if shape and (len(shape) == 1 or len(shape) == 2) else 0
    raise ValueError(f"{name} must have the shape (N, 2), got {got}{_hint(flat)}")


def _hint(numbers_in_a_row):
    """Return what to do with flat rings, if rows of that length may be some."""
    if numbers_in_a_row < FLAT or numbers_in_a_row % 2:
        return ""
    return "; a flat ring x, y, x, y, ... becomes pairs by numpy.reshape(ring, (-1, 2))"
