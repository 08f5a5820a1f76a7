"""The words of refusals: what was given, in a short line, and what is wrong with it."""

import numbers
import re
import reprlib
import traceback
from pathlib import Path

FLAT = 6  # numbers of a ring as COCO has it, x, y, x, y, ...: at least three vertices
JOINED = (  # several in a list are no polygon: where they overlap, its mask would not be COCO's
    "; COCO takes the union of flat rings{}: "
    "for that pass [[np.reshape(f, (-1, 2))] for f in rings]"
)
WHY = ", while rings here are even-odd"
TWO_ROWS = "; [xs, ys] become pairs by np.transpose"
MOST = 100  # letters
# What a terminal obeys instead of showing it: all but ends of lines and tabs.
CONTROLS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]")


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
    if getattr(value, "ndim", None) == 0 and hasattr(value, "item"):  # a scalar of NumPy's
        value = value.item()
    line = " ".join(_LINE.repr(value).split())
    return line if len(line) <= MOST else f"{line[: MOST - 3]}..."


def named(name):
    """Return a name that a file gives something: as it is, if that is short and can be printed."""
    return name if name.isprintable() and len(name) <= MOST else shown(name)


def printable(text):
    """Return a text of lines that somebody else wrote, with the codes of what is no letter."""
    return CONTROLS.sub(lambda one: ascii(one[0])[1:-1], text)


def in_a_line(text):
    """Return a text, the name of a file say, on one line, with the codes of what is no letter."""
    return printable(text).replace("\n", r"\n").replace("\t", r"\t")


def why_no_array(found, error, unlike="got rows of unlike length"):
    """Say why NumPy makes no array of something: rows of unlike length, or an error of its own."""
    if hasattr(found, "__array__"):
        said = in_a_line(str(error))[:MOST] or type(error).__name__
        return f"but {type(found).__name__} gives no array: {said}"
    return unlike


def refuse_rows(points, name, error):
    """Refuse what NumPy makes no array of pairs from."""
    wanted = f"{name} must have the shape (N, 2)"
    if hasattr(points, "__array__"):
        raise ValueError(f"{wanted}, {why_no_array(points, error)}") from None
    for number, row in enumerate(points):
        if not hasattr(row, "__len__") or getattr(row, "ndim", 1) == 0:
            raise TypeError(f"{name} must be real numbers, got {shown(row)} at {number}") from None
    lengths = [len(row) for row in points]
    hint = _hint(name, min(lengths) if all(length % 2 == 0 for length in lengths) else 0, False)
    raise ValueError(f"{wanted}, {why_no_array(points, error)}{hint}") from None


def refuse_kind(points, name):
    """Refuse what holds no real numbers at all, a text say."""
    kind = type(points).__name__
    raise TypeError(f"{name} must be real numbers, an array or a list of pairs, got {kind}")


def refuse_not_real(points, array, name):
    """Refuse an array of something else than real numbers; objects may be real numbers."""
    if array.ndim == 0 and array.dtype.kind in "OUS":
        refuse_kind(points, name)
    if array.dtype.kind in "US":
        raise TypeError(f"{name} must be real numbers, got text")
    if array.dtype != object:
        raise TypeError(f"{name} must be real numbers, got dtype {array.dtype}")
    for value in array.flat:
        if not isinstance(value, numbers.Real):
            raise TypeError(f"{name} must be real numbers, got {shown(value)}")


def is_flat(shape):
    """Whether an array of that shape is a ring x, y, x, y, ..., or a list of it alone."""
    return len(shape) in (1, 2) and _is_even(shape[-1]) and shape[:-1] in ((), (1,))


def refuse_shape(shape, name):
    """Refuse an array that is none of pairs."""
    got = shape if len(shape) <= 4 else f"an array of {len(shape)} dimensions"
    hint = ""
    if len(shape) == 2 and shape[0] == 2 and shape[1] > 2:
        hint = TWO_ROWS  # if they are no flat rings of one length, which points never are
        if name == "vertices" and _is_even(shape[1]):
            hint += JOINED.format("")
    elif len(shape) in (1, 2) and shape[-1]:
        hint = _hint(name, shape[-1], alone=shape[:-1] in ((), (1,)))
    raise ValueError(f"{name} must have the shape (N, 2), got {got}{hint}")


def refuse_set(shape):
    """Refuse an array that is no set of polygons: images have two dimensions, too."""
    flat = len(shape) == 2 and _is_even(shape[1])
    hint = "; flat rings become it by .reshape(len(rings), -1, 2)" if flat else ""
    raise ValueError(f"polygons must have the shape (N, k, 2), got {shape}{hint}")


def _is_even(length):
    return length >= FLAT and length % 2 == 0


def _hint(name, length, alone):
    """Return what to do with flat rings, if rows of that length may be some."""
    if name != "vertices":
        pairs = "; flat x, y, x, y, ... become pairs by numpy.reshape({}, (-1, 2))"
        return pairs.format(name) if _is_even(length) else ""
    if _is_even(length):
        return JOINED.format(WHY)
    even = "; a flat list x, y, x, y, ... needs an even number of values, at least 6"
    return even if alone else ""


def broken_package(error):
    """Return the package that is installed and failed to be imported; None if that is not why.

    Parameters
    ----------
    error : Exception
        As it was caught, with its traceback.

    Returns
    -------
    str or None
    """
    for frame, _ in traceback.walk_tb(error.__traceback__):
        packages = {"site-packages", "dist-packages"} & {*Path(frame.f_code.co_filename).parts}
        if packages and frame.f_code.co_name == "<module>":
            return frame.f_globals["__name__"].partition(".")[0]
    return None
